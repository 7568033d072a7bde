//! Every number that decides how the engine works and not what it finds, in one table.
//!
//! An engine gives the same boards under any [`Tuning`]; the fuzzer draws from the same table that users
//! run with. Numbers that shape the tasks of a run stand in `split`: they belong to the engine's version.
//! Numbers that follow from the width of an integer are constants where that integer is packed.

/// Makes the struct, its defaults and the list of its fields from one table.
macro_rules! tuning {
    ($($(#[doc = $doc:literal])+ $name:ident = $default:literal in $low:literal..=$high:expr;)+) => {
        /// Settings of an [`Engine`](super::Engine) that change how long a search takes and how much memory
        /// it uses. They never change which boards it finds.
        ///
        /// Each field names what it decides and the measurement behind its default; "before" in a
        /// measurement is the engine with the other value. Values outside a field's range are brought
        /// into it.
        ///
        /// ```
        /// use bogglemax::prove::Tuning;
        ///
        /// // Search every list as a tree, down to single boards.
        /// let mut tuning = Tuning::default();
        /// (tuning.tree_from_items, tuning.list_up_to_items) = (0, 0);
        /// ```
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[non_exhaustive]
        pub struct Tuning {
            $($(#[doc = $doc])+ pub $name: u64,)+
        }

        impl Default for Tuning {
            fn default() -> Tuning {
                Tuning { $($name: $default,)+ }
            }
        }

        impl Tuning {
            /// The same with every field brought into its range.
            pub(crate) fn clamped(mut self) -> Tuning {
                $(self.$name = self.$name.clamp($low, $high);)+
                self
            }

            /// Every field: its name, its range and its value.
            #[cfg(test)]
            pub(crate) fn fields(&mut self) -> Vec<(&'static str, std::ops::RangeInclusive<u64>, &mut u64)> {
                vec![$((stringify!($name), $low..=$high, &mut self.$name),)+]
            }
        }
    };
}

tuning! {
    /// Search first lists of at least this many items as a tree. Shorter ones are searched as lists, whose
    /// bounds are tighter and cost more: 3x3 takes a tenth longer at 2,000 or 200,000.
    tree_from_items = 20_000 in 0..=u64::MAX;
    /// Switch from tree to list search at this many items. 3x4 l,d at 200, 300, 2,000 and 15,000: 8.8, 8.8,
    /// 10.6 and 13.9 s.
    list_up_to_items = 300 in 0..=u64::MAX;
    /// Never merge the nodes of a class with fewer items: a list of so few is near.
    merge_from_items = 2_000 in 0..=u64::MAX;
    /// Bytes that a tree search needs for each item of its first list. A class whose list would take more
    /// than the memory allowed is halved. Measured on 4x4 and rounded up.
    bytes_per_item = 38 in 1..=1 << 40;
    /// The same for the items of a braid.
    bytes_per_braid_item = 34 in 1..=1 << 40;
    /// Braid the first cell of classes with at least this many undecided cells.
    braid_from_cells = 11 in 1..=u64::MAX;
    /// Use 16-bit lanes for cutoffs up to this. Wider lanes take four times the memory and twice the time.
    narrow_lanes_up_to = 65_535 in 0..=65_535;

    /// With a bound of the anchor-free words, list at most this many of the other items; then list all. A
    /// task with more is strong, and the constant costs more than it saves.
    through_items = 45_000_000 in 0..=u64::MAX;
    /// With a bound of the anchor-free words, spend at most this much work before all items are listed.
    through_work = 5_000_000_000 in 0..=u64::MAX;
    /// Spend at most this much work on each attempt to bound the anchor-free words. A run of 4x4 gains hours.
    rest_work = 40_000_000_000 in 0..=u64::MAX;
    /// The first bound of the anchor-free words that is tried is the cutoff divided by this. Of 4x4 at 3,500
    /// points a bound of 250 is proved in 5 s.
    rest_first_share = 14 in 1..=u64::MAX;
    /// The second.
    rest_second_share = 8 in 1..=u64::MAX;
    /// The last.
    rest_last_share = 4 in 1..=u64::MAX;

    /// Work of merging, for each item of a class but those of its largest node. This and the next four are
    /// nanoseconds as measured on 3x4.
    merge_item_work = 20 in 0..=1 << 20;
    /// Work of each edge that a merge has read.
    merge_edge_work = 45 in 0..=1 << 20;
    /// Work of each item that is gathered into a list.
    gather_item_work = 150 in 0..=1 << 20;
    /// Work of each edge that an expansion reads.
    read_edge_work = 4 in 0..=1 << 20;
    /// Work of an expansion besides its letters.
    expand_work = 500 in 0..=1 << 20;
    /// Work of each letter that an expansion tries besides its edges.
    try_work = 100 in 0..=1 << 20;
    /// After a class was merged late, merge at once from its bound less this fraction of what it is above
    /// the cutoff. 2 to 8 differ by less than the noise.
    merge_sooner_by = 4 in 1..=u64::MAX;
    /// A merge was not worth it if the search after it took less than this fraction of its work.
    merge_regret = 4 in 0..=1 << 20;

    /// Probe a list again if at most this many sixteenths of its items are left.
    probe_again_sixteenths = 15 in 0..=16;
    /// Branch on the cell with the smallest sum of bounds to this power. 2 to 6 were tried.
    branch_power = 4 in 0..=16;

    /// Keep a list of free placements of at most this many items from task to task.
    free_items = 20_000_000 in 0..=u64::MAX;
    /// Keep free placements apart for classes with at most this many decided cells.
    free_cells = 2 in 0..=2;
    /// Search free placements as a tree of their own if the others are fewer than this many thirds of them:
    /// two trees bound less well than one.
    free_apart_thirds = 2 in 0..=1 << 20;
    /// Lay longer words letter by letter.
    pattern_tiles = 11 in 0..=11;
    /// Lay words letter by letter if their length has more patterns. They take 40 bytes each.
    patterns_of_length = 1_048_576 in 0..=1 << 20;
    /// Lay words letter by letter if more cells are decided: groups of patterns would be too many.
    pattern_cells = 5 in 0..=5;
    /// Look for moves to this many decided cells.
    move_cells = 7 in 0..=7;

    /// Residuals of a word that each of its residuals is compared with when a list is gathered.
    gather_run = 64 in 0..=u64::MAX;
    /// Residuals of a word that are kept to find dominated ones when a cell is forced.
    force_run = 256 in 1..=1 << 20;

    /// Sort packed items in at most 2 to the power of this many parts, so that a part fits into the first
    /// cache.
    sort_part_bits = 11 in 1..=16;
    /// Sort parts of at most this many items one field at a time, larger ones two.
    sort_one_field = 2_048 in 0..=u64::MAX;
    /// Sort parts of at most this many items by comparison.
    sort_by_comparison = 24 in 0..=u64::MAX;
    /// Give scratch space of more bytes back after a list is made.
    keep_scratch_bytes = 134_217_728 in 0..=u64::MAX;
    /// Ask for the memory of edges this many steps ahead, and for that of nodes twice as many.
    prefetch_steps = 8 in 0..=1 << 10;
}

impl Tuning {
    /// The parts of the cutoff that are tried as a bound of the anchor-free words.
    pub(crate) fn rest_shares(&self) -> [u64; 3] {
        [self.rest_first_share, self.rest_second_share, self.rest_last_share]
    }

    /// Trees and lists for a handful of items, so that classes which can be searched by brute force take every
    /// path.
    #[cfg(test)]
    pub(crate) fn tiny() -> Tuning {
        Tuning {
            tree_from_items: 20,
            list_up_to_items: 5,
            merge_from_items: 10,
            braid_from_cells: 4,
            through_items: 1_000,
            through_work: 1_000_000,
            rest_work: 1_000_000,
            ..Tuning::default()
        }
    }
}
