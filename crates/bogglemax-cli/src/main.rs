//! The command line of Bogglemax: a thin layer over the library. Each command has a file in
//! `commands`; flags common to several are in [`options`].
//!
//! Exit codes: 0 done, 1 ran but the answer is "no", 2 usage or input error.

mod boards;
mod commands;
mod options;
mod output;
mod progress;

use std::error::Error;
use std::process::ExitCode;

use clap::error::{ContextKind, ContextValue, ErrorKind};
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
    Prove(commands::prove::Args),
    Estimate(commands::estimate::Args),
    #[command(subcommand)]
    Run(commands::run::Command),
    Verify(commands::verify::Args),
    #[cfg(feature = "cluster")]
    #[command(subcommand)]
    Cluster(bogglemax_cluster::cli::Command),
    Tree(commands::tree::Args),
    Buckets(commands::buckets::Args),
    Climb(commands::climb::Args),
    Anneal(commands::anneal::Args),
    Longest(commands::longest::Args),
    #[command(subcommand)]
    Dice(commands::dice::Command),
    Stats(commands::stats::Args),
    Serve(commands::serve::Args),
    Completions(commands::generate::CompletionsArgs),
    Man(commands::generate::ManArgs),
}

fn main() -> ExitCode {
    let result = match Cli::try_parse() {
        Ok(cli) => run(cli.command),
        Err(error) => return usage_error(&error),
    };
    match result {
        Ok(code) => code,
        Err(error) if output::is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            anstream::eprintln!("bogglemax: {error:#}");
            ExitCode::from(2)
        }
    }
}

fn run(command: Command) -> anyhow::Result<ExitCode> {
    match command {
        Command::Solve(args) => commands::solve::run(args),
        Command::Score(args) => commands::score::run(args),
        Command::Canon(args) => commands::canon::run(args),
        Command::Prove(args) => commands::prove::run(args),
        Command::Estimate(args) => commands::estimate::run(args),
        Command::Run(command) => commands::run::run(command),
        #[cfg(feature = "cluster")]
        Command::Cluster(command) => bogglemax_cluster::cli::run(command),
        Command::Tree(args) => commands::tree::run(args),
        Command::Buckets(args) => commands::buckets::run(args),
        Command::Climb(args) => commands::climb::run(args),
        Command::Anneal(args) => commands::anneal::run(args),
        Command::Longest(args) => commands::longest::run(args),
        Command::Dice(command) => commands::dice::run(command),
        Command::Stats(args) => commands::stats::run(args),
        Command::Serve(args) => commands::serve::run(args),
        Command::Verify(args) => commands::verify::run(args),
        Command::Completions(args) => commands::generate::completions(args),
        Command::Man(args) => commands::generate::man(args),
    }
}

/// A value of ours that cannot be used gets one line, like any other bad input; the rest is clap's.
fn usage_error(error: &clap::Error) -> ExitCode {
    if error.kind() == ErrorKind::ValueValidation
        && let (Some(ContextValue::String(flag)), Some(source)) =
            (error.get(ContextKind::InvalidArg), error.source())
    {
        anstream::eprintln!("bogglemax: {flag}: {source}");
        return ExitCode::from(2);
    }
    // Help and version are "errors" too, with exit code 0; a closed pipe is no fault.
    let _ = error.print();
    ExitCode::from(error.exit_code() as u8)
}
