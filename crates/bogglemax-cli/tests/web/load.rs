//! Two hundred people type at once.

use std::time::{Duration, Instant};

use crate::server::{Server, alone};

const CLIENTS: usize = 200;
const KEYS: usize = 24;
/// Between two keys: a quick typist's four a second.
const PAUSE: Duration = Duration::from_millis(250);

/// Everyone types; how long each answer took, sorted.
fn everyone_types(server: &Server, round: usize) -> Vec<Duration> {
    let type_board = |client: usize| {
        let mut connection = server.connect();
        let mut board: Vec<u8> = b"perslatgsineters".to_vec();
        board.rotate_left(client % 16);
        std::thread::sleep(PAUSE * client as u32 / CLIENTS as u32);
        let mut times = Vec::with_capacity(KEYS);
        for key in 0..KEYS {
            // Mostly frequent letters, in an order of each one's own: boards rich in words.
            let letter = b"etaoinshrdluetaoinsrcmpg"[(client * 7 + key * 11 + round * 5) % 24];
            board[key % 16] = letter;
            let path = format!("/api/solve?board={}&dims=4x4", std::str::from_utf8(&board).unwrap());
            let begin = Instant::now();
            let response = connection.get(&path);
            times.push(begin.elapsed());
            assert_eq!(response.status, 200, "{}", response.text());
            assert!(response.body.starts_with(b"{\"board\":") && response.body.ends_with(b"]}"));
            std::thread::sleep(PAUSE.saturating_sub(begin.elapsed()));
        }
        times
    };
    let mut times: Vec<Duration> = std::thread::scope(|scope| {
        let clients: Vec<_> = (0..CLIENTS).map(|client| scope.spawn(move || type_board(client))).collect();
        clients.into_iter().flat_map(|c| c.join().unwrap()).collect()
    });
    times.sort_unstable();
    times
}

#[test]
fn two_hundred_clients_type_without_an_error_and_memory_stays_flat() {
    let _alone = alone();
    let server = Server::start(&[]);
    let mut memory = Vec::new();
    for round in 0..3 {
        let times = everyone_types(&server, round);
        let at = |share: f64| times[(times.len() as f64 * share) as usize];
        memory.push(server.resident_kb());
        println!(
            "{CLIENTS} clients, {} answers: median {:?}, p99 {:?}, slowest {:?}; {} kB",
            times.len(),
            at(0.5),
            at(0.99),
            times.last().unwrap(),
            memory[round]
        );
    }
    // The first round warms up; the others may not add to it.
    let grown = memory[2].saturating_sub(memory[0]);
    assert!(grown <= memory[0] / 4 + 4_096, "memory grows: {memory:?} kB");
}
