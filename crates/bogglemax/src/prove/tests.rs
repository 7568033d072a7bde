//! The engine against brute force.
