//! `tree`: builds the Sum/Choice tree of a class, tells its figures, draws it.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result};
use bogglemax::tree::{Count, Order, Tree};
use bogglemax::{BoardClass, Trie};

use crate::options::{DimsOption, GameOptions, OutputOptions};
use crate::output::{self, counted, grouped};

/// Build the sum/choice tree of a board class
#[derive(clap::Args)]
#[command(
    after_long_help = "Example:\n  bogglemax tree \"t ae i r\" --order spelling --count multi --svg figure1.svg"
)]
pub struct Args {
    /// Letters of each cell, cells separated by blanks; `.` for all letters
    class: String,

    /// Order in which cells are put into the tree
    #[arg(long, value_enum, default_value_t = OrderName::Orderly)]
    order: OrderName,

    /// Whether every path to a word counts (M), or one per set of cells (D)
    #[arg(long, value_enum, default_value_t = CountName::Multi)]
    count: CountName,

    /// Write the tree for Graphviz
    #[arg(long, value_name = "FILE")]
    dot: Option<PathBuf>,

    /// Draw the tree
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,

    /// Show about this many nodes in pictures
    #[arg(long, value_name = "N", default_value_t = 80)]
    most_nodes: usize,

    #[command(flatten)]
    dims: DimsOption,
    #[command(flatten)]
    game: GameOptions,
    #[command(flatten)]
    output: OutputOptions,
}

#[derive(clap::ValueEnum, Clone, Copy, serde::Serialize)]
#[serde(rename_all = "lowercase")]
enum OrderName {
    Orderly,
    Spelling,
}

#[derive(clap::ValueEnum, Clone, Copy, serde::Serialize)]
#[serde(rename_all = "lowercase")]
enum CountName {
    Multi,
    Dedup,
}

#[derive(serde::Serialize)]
struct Report {
    class: String,
    dims: String,
    order: OrderName,
    count: CountName,
    bound: u32,
    nodes: u64,
    sum_nodes: u64,
    choice_nodes: u64,
}

pub fn run(args: Args) -> Result<ExitCode> {
    args.game.needs_english_tiles("tree")?;
    let class = BoardClass::parse(&args.class, args.dims.dims)?;
    let lexicon = args.game.lexicon()?;
    let trie = Trie::new(&lexicon, args.game.scoring(), class.dims().cells());
    let order = match args.order {
        OrderName::Orderly => Order::Orderly,
        OrderName::Spelling => Order::Spelling,
    };
    let count = match args.count {
        CountName::Multi => Count::Multi,
        CountName::Dedup => Count::Dedup,
    };
    let tree = Tree::build(&class, &trie, order, count)?;
    for (file, picture) in [(&args.dot, Tree::dot as fn(&Tree, usize) -> String), (&args.svg, Tree::svg)] {
        if let Some(file) = file {
            let text = picture(&tree, args.most_nodes);
            std::fs::write(file, text).with_context(|| format!("cannot write '{}'", file.display()))?;
        }
    }
    let nodes = tree.count();
    let report = Report {
        class: class.to_string(),
        dims: class.dims().to_string(),
        order: args.order,
        count: args.count,
        bound: tree.bound(),
        nodes: nodes.nodes(),
        sum_nodes: nodes.sum_nodes,
        choice_nodes: nodes.choice_nodes,
    };
    let mut out = output::stdout();
    if args.output.json {
        output::json(&mut out, &report)?;
    } else {
        writeln!(out, "class  {} ({}, {} boards)", report.class, report.dims, class.size())?;
        writeln!(out, "bound  {}", counted(report.bound.into(), "point"))?;
        let (sum, choice) = (grouped(report.sum_nodes), grouped(report.choice_nodes));
        writeln!(out, "nodes  {} ({sum} sum, {choice} choice)", grouped(report.nodes))?;
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}
