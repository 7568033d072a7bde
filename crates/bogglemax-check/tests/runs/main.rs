//! Whole run directories, made by brute force and tampered with: right ones must pass, and each way
//! to be wrong must be found.

mod fixture;
mod right;
mod wrong;
