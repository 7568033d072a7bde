//! Items shared between tasks.
//!
//! A task fixes letters on its decided cells D. Its items fall into **groups** by the decided cells
//! T they use: those of a group depend on the letters of T alone, not on the other decided cells. A
//! group is listed and its table of prefixes made once, and serves every task with these letters.
//!
//! The sum of the groups' tables bounds the task as [`lookahead`](super::lookahead) describes: the
//! groups are a partition of the task's items, and bounds of parts add up. Only a child that the sum
//! does not rule out is put together from the groups' lists, restricted to the letters that are left.

use std::collections::HashMap;

use super::counters::Counters;
use super::items::{Class, Items, Lister, sort};
use super::key::Key;
use super::lookahead::{Prefixes, Table};
use super::probe::{Probe, probe_prefixes};
use super::task::Task;
use super::words::Words;

/// Most decided cells for which groups are used: there are 2^n of them.
pub(crate) const MOST_DECIDED: usize = 4;

/// What the items of a group depend on: the letters, none on decided cells outside T, and the order
/// constraints.
type Name = (Vec<u32>, Vec<(u8, u8)>);

/// Items that use exactly the decided cells T.
pub(crate) struct Group<K> {
    items: Option<Items<K>>,
    pub table: Table,
    used_at: u64,
}

/// The groups made so far, within a limit of memory.
pub(crate) struct Groups<K> {
    groups: HashMap<Name, Group<K>>,
    clock: u64,
    scratch: Items<K>,
}

impl<K: Key> Groups<K> {
    pub fn new() -> Groups<K> {
        Groups { groups: HashMap::new(), clock: 0, scratch: Items::default() }
    }

    pub fn bytes(&self) -> usize {
        let items = |g: &Group<K>| g.items.as_ref().map_or(0, Items::bytes);
        self.groups.values().map(|g| items(g) + g.table.bytes()).sum::<usize>() + self.scratch.bytes()
    }

    /// Forgets lists, then tables, the least recently used first, until at most `limit` bytes are
    /// held beside those of the current task.
    pub fn shrink(&mut self, limit: usize) {
        while self.bytes() > limit {
            let clock = self.clock;
            let old = |g: &&mut Group<K>| g.used_at < clock;
            let listed = self.groups.values_mut().filter(|g| g.items.is_some()).filter(old);
            if let Some(group) = listed.min_by_key(|g| g.used_at) {
                group.items = None;
                continue;
            }
            let oldest = self.groups.iter().filter(|g| g.1.used_at < clock).min_by_key(|g| g.1.used_at);
            let Some(name) = oldest.map(|g| g.0.clone()) else { return };
            self.groups.remove(&name);
        }
    }

    /// The task's groups, by name. Makes the tables that are missing.
    pub fn prepare(
        &mut self,
        maker: &mut Maker<'_, K>,
        task: &Task,
        class: &Class<K>,
        limit: usize,
    ) -> Vec<Name> {
        self.clock += 1;
        let decided: Vec<usize> =
            (0..task.cells.len()).filter(|&c| task.cells[c].count_ones() == 1).collect();
        let names: Vec<Name> = (0..1usize << decided.len())
            .map(|subset| {
                let mut cells = task.cells.clone();
                for (i, &c) in decided.iter().enumerate() {
                    if subset >> i & 1 == 0 {
                        cells[c] = 0;
                    }
                }
                (cells, task.order.clone())
            })
            .collect();
        for name in &names {
            if let Some(group) = self.groups.get_mut(name) {
                group.used_at = self.clock;
                continue;
            }
            self.shrink(limit);
            let (items, table) = maker.make(class, name);
            self.groups.insert(name.clone(), Group { items: Some(items), table, used_at: self.clock });
        }
        names
    }

    /// The tables of these groups.
    pub fn tables(&self, names: &[Name]) -> impl Iterator<Item = &Table> {
        names.iter().map(|name| &self.groups[name].table)
    }

    /// Fills `items` with the items of these groups that need nothing but `allowed` letters. The
    /// first position has one letter, and its field is cleared. Sorted, no repeats.
    pub fn child(
        &mut self,
        maker: &mut Maker<'_, K>,
        class: &Class<K>,
        names: &[Name],
        allowed: &[u32],
        items: &mut Items<K>,
    ) {
        items.clear();
        let layout = &class.layout;
        let clear = layout.mask[0].not();
        let fields = layout.offset.len();
        // `below[p]`: all ones in the fields after position p.
        let after = |p: usize| layout.mask[p + 1..].iter().fold(K::default(), |k, &m| k.or(m));
        let below: Vec<K> = (0..fields).map(after).collect();
        let misfit = |key: K| {
            (0..fields).find(|&p| {
                let code = layout.code(key, p);
                code != 0 && allowed[p] >> (code - 1) & 1 == 0
            })
        };
        for name in names {
            let group = self.groups.get_mut(name).expect("prepared");
            if group.items.is_none() {
                group.items = Some(maker.make(class, name).0);
            }
            let list = group.items.as_ref().expect("just made");
            let mut i = 0;
            while i < list.len() {
                let key = list.keys[i];
                maker.counters.built_items += 1;
                if let Some(p) = misfit(key) {
                    // All items that agree with this one up to p have the letter that is gone.
                    i += first_beyond(&list.keys[i..], key.or(below[p]));
                } else {
                    items.push(key.and(clear), list.tags[i]);
                    i += 1;
                }
            }
        }
        sort(items, &mut self.scratch, layout);
        items.dedup();
    }
}

/// Index of the first key above `last` in a sorted list whose first key is not: steps that double,
/// then a binary search.
fn first_beyond<K: Key>(keys: &[K], last: K) -> usize {
    let mut step = 1;
    while step < keys.len() && keys[step] <= last {
        step *= 2;
    }
    let from = step / 2;
    from + keys[from..step.min(keys.len())].partition_point(|&k| k <= last)
}

/// What it takes to make a group.
pub(crate) struct Maker<'a, K> {
    pub words: &'a Words,
    pub lister: &'a mut Lister<K>,
    pub probe: &'a mut Probe<u16>,
    pub prefixes: &'a mut Prefixes,
    pub counters: &'a mut Counters,
}

impl<K: Key> Maker<'_, K> {
    fn make(&mut self, class: &Class<K>, name: &Name) -> (Items<K>, Table) {
        let part = class.with_cells(&name.0);
        let used: Vec<usize> = (0..name.0.len()).filter(|&c| name.0[c].count_ones() == 1).collect();
        let mut items = Items::default();
        self.counters.placements += if used.is_empty() {
            self.lister.list(self.words, &part, &mut items).placements
        } else {
            self.lister.list_through(self.words, &part, &used, &mut items)
        };
        items.keys.shrink_to_fit();
        items.tags.shrink_to_fit();
        self.counters.first_items += items.len() as u64;
        self.counters.bound_items += items.len() as u64;
        probe_prefixes(self.probe, &items, &self.words.points, &class.layout, self.prefixes);
        (items, self.prefixes.table())
    }
}
