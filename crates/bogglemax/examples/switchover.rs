//! The paper's Table 17 for any class: what the switch-over from `branch` to `orderly_bound` costs.
//!
//! ```text
//! cargo run --release --example switchover -- CUTOFF "CLASS" SCORE…
//! ```
//!
//! A line per switch-over score: CPU time, steps of `orderly_bound`, nodes written, the most memory that
//! nodes took. `inf` never branches, 0 branches down to four cells.

use bogglemax::paper::{Engine, Options, SwitchOver};
use bogglemax::{BoardClass, Lexicon, Scoring};
use cpu_time::ThreadTime;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [cutoff, class, scores @ ..] = args.as_slice() else {
        return Err("usage: switchover CUTOFF \"CLASS\" SCORE…".into());
    };
    let class = BoardClass::parse(class, None)?;
    let lexicon = Lexicon::enable2k();
    println!(
        "| switch-over score | CPU time (s) | visits | nodes allocated | peak (MB) | candidates | boards |"
    );
    println!("| ---: | ---: | ---: | ---: | ---: | ---: | ---: |");
    for score in scores {
        let switch_over = SwitchOver::Score(if score == "inf" { u32::MAX } else { score.parse()? });
        let options = Options { switch_over, ..Options::default() };
        let mut engine = Engine::new(&lexicon, &Scoring::boggle(), class.dims(), cutoff.parse()?, options)?;
        let start = ThreadTime::now();
        let outcome = engine.run(&class)?;
        println!(
            "| {score} | {:.1} | {} | {} | {} | {} | {} |",
            start.elapsed().as_secs_f64(),
            outcome.visits,
            outcome.nodes,
            outcome.peak_bytes >> 20,
            outcome.candidates,
            outcome.boards.len()
        );
    }
    Ok(())
}
