//! Queues for walks whose ways are hard to foresee.

/// A queue, in which nothing is ever branched on that is hard to foresee: what is put behind its
/// end only counts if the end moves on.
///
/// A queue and not a stack, so that what is taken out does not wait for what was just put in.
#[derive(Clone, Debug, Default)]
pub(super) struct Queue<V> {
    /// The last one is never in the queue.
    pub items: Vec<V>,
    pub end: usize,
}

impl<V: Copy + Default> Queue<V> {
    /// Puts a value in, if a condition holds.
    #[inline(always)]
    pub fn push_if(&mut self, condition: bool, value: V) {
        let mut room = self.room(1);
        room.push_if(condition, value);
        self.end = room.end;
    }

    /// The queue with room for so many more. What is put in stays if [`end`](Queue::end) is set to that of
    /// the room.
    #[inline(always)]
    pub fn room(&mut self, more: usize) -> Room<'_, V> {
        if self.end + more >= self.items.len() {
            self.items.resize(2 * self.items.len() + more + 64, V::default());
        }
        Room { items: &mut self.items, end: self.end }
    }

    /// What is in the queue.
    #[inline(always)]
    pub fn all(&self) -> &[V] {
        &self.items[..self.end]
    }
}

/// A queue that does not grow: it can be kept in registers.
pub(super) struct Room<'a, V> {
    pub items: &'a mut [V],
    pub end: usize,
}

impl<V: Copy> Room<'_, V> {
    /// Puts a value in, if a condition holds.
    #[inline(always)]
    pub fn push_if(&mut self, condition: bool, value: V) {
        self.items[self.end] = value;
        self.end += usize::from(condition);
    }
}
