//! Whole runs over a real `nats-server`, with real worker processes, and everything that can go wrong
//! with them. Without `nats-server` they are skipped; with BOGGLEMAX_REQUIRE_ALL=1 they fail instead.

mod common;
mod failures;
mod permissions;
mod processes;
mod results;
