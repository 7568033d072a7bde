//! The `cluster` commands of Bogglemax as a program of their own: all that a machine full of workers
//! needs.

use std::error::Error;
use std::process::ExitCode;

use bogglemax_cluster::cli;
use clap::Parser;
use clap::error::{ContextKind, ContextValue, ErrorKind};

/// Prove on many machines, over a NATS server: submit a run, start workers, collect the result
#[derive(Parser)]
#[command(name = "bogglemax-cluster", version, max_term_width = 100, arg_required_else_help = true)]
struct Cli {
    #[command(subcommand)]
    command: cli::Command,
}

fn main() -> ExitCode {
    let error = match Cli::try_parse() {
        Ok(cli) => match cli::run(cli.command) {
            Ok(code) => return code,
            Err(error) => format!("{error:#}"),
        },
        Err(error) => match (error.kind(), error.get(ContextKind::InvalidArg), error.source()) {
            (ErrorKind::ValueValidation, Some(ContextValue::String(flag)), Some(source)) => {
                format!("{flag}: {source}")
            }
            _ => {
                let _ = error.print(); // help and version too; a closed pipe is no fault
                return ExitCode::from(error.exit_code() as u8);
            }
        },
    };
    anstream::eprintln!("bogglemax: {error}");
    ExitCode::from(2)
}
