//! The command line of Bogglemax: a thin layer over the library. Each command has a file in
//! `commands`; flags common to several are in [`options`].
//!
//! Exit codes: 0 done, 1 ran but the answer is "no", 2 usage or input error.

mod commands;
mod options;
mod output;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Find the best Boggle boards, and prove that they are the best.
#[derive(Parser)]
#[command(name = "bogglemax", version, max_term_width = 100, arg_required_else_help = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Solve(commands::solve::Args),
    Score(commands::score::Args),
    Canon(commands::canon::Args),
}

fn main() -> ExitCode {
    let result = match Cli::parse().command {
        Command::Solve(args) => commands::solve::run(args),
        Command::Score(args) => commands::score::run(args),
        Command::Canon(args) => commands::canon::run(args),
    };
    match result {
        Ok(code) => code,
        Err(error) if output::is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("bogglemax: {error:#}");
            ExitCode::from(2)
        }
    }
}
