use bogglemax::prove::{Engine, Options, Task};
use bogglemax::{Alphabet, Dims, Lexicon, Scoring};
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let cutoff: u64 = a[1].parse().unwrap();
    let text = std::fs::read_to_string("data/enable2k.txt").unwrap();
    let lex = Lexicon::from_words("x", text.lines().filter(|w| !w.contains('q'))).unwrap();
    let dims: Dims = "3x3".parse().unwrap();
    let all = (1u32 << 26) - 1;
    let e = Alphabet::english();
    let mut cells = vec![all & !(1 << 16); 9];
    cells[4] = 1 << 16;
    for (i, s) in a[2..].iter().enumerate() {
        if s != "*" {
            cells[[5, 3, 1, 7, 0, 2, 6, 8][i]] = s.chars().fold(0, |m, c| m | 1 << e.tile(c).unwrap());
        }
    }
    let mut engine = Engine::new(&lex, &Scoring::boggle(), dims, cutoff, Options::default());
    let t = std::time::Instant::now();
    let o = engine.run(&Task::of_class(&cells));
    let c = &o.counters;
    println!(
        "{:.2} s first {} bound {} built {} nodes {:?} max {} found {:?}",
        t.elapsed().as_secs_f64(),
        c.first_items,
        c.bound_items,
        c.built_items,
        c.nodes.iter().take(9).collect::<Vec<_>>(),
        o.largest_pruned,
        o.boards.iter().map(|b| (b.1, b.0.to_string())).max()
    );
}
