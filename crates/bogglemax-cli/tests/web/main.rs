//! End-to-end tests of `bogglemax serve`: the real binary, asked over real connections.

mod api;
mod chromium;
mod hostile;
mod load;
mod server;
