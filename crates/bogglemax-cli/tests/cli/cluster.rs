//! End to end: the commands under `cluster`, where they are compiled in. What they do is tested where
//! they live, in `bogglemax-cluster`.

use crate::common::{refused, stdout};

#[test]
fn the_cluster_commands_are_there() {
    let help = stdout(&["cluster", "--help"]);
    for command in ["submit", "work", "status", "collect", "remove"] {
        assert!(help.contains(command), "{help}");
    }
    refused(&["cluster", "status", "--nats", "nats://127.0.0.1:1"], b"", "cannot connect to NATS");
    refused(&["cluster", "submit", "3x3", "--cutoff", "5", "--engine", "warp"], b"", "no engine");
}
