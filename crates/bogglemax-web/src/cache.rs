//! A few things that are dear to make, kept for the next request.

use std::sync::{Arc, Mutex, PoisonError};

/// The most recently used values, by key; never more than its capacity.
#[derive(Debug)]
pub(crate) struct Cache<K, V> {
    /// The most recently used last.
    entries: Mutex<Vec<(K, Arc<V>)>>,
    capacity: usize,
}

impl<K: PartialEq, V> Cache<K, V> {
    pub(crate) fn new(capacity: usize) -> Cache<K, V> {
        Cache { entries: Mutex::new(Vec::new()), capacity }
    }

    /// The value of a key. Others wait while one is made, so that none is made twice.
    pub(crate) fn get<E>(&self, key: K, make: impl FnOnce() -> Result<V, E>) -> Result<Arc<V>, E> {
        let mut entries = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        let entry = match entries.iter().position(|(k, _)| *k == key) {
            Some(at) => entries.remove(at),
            None => (key, Arc::new(make()?)),
        };
        let value = Arc::clone(&entry.1);
        if entries.len() == self.capacity {
            entries.remove(0);
        }
        entries.push(entry);
        Ok(value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_recently_used_goes_first() {
        let cache = Cache::new(2);
        let made = |key: u8| {
            let mut made = false;
            let value = cache.get(key, || -> Result<u8, ()> {
                made = true;
                Ok(key)
            });
            assert_eq!(*value.unwrap(), key);
            made
        };
        assert_eq!([1, 2, 1, 3, 1, 2, 3].map(made), [true, true, false, true, false, true, true]);
        assert!(cache.get(9, || Err(())).is_err());
    }
}
