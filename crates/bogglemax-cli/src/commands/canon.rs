//! `canon`.
use std::process::ExitCode;

/// To be written
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    game: crate::options::GameOptions,
    #[command(flatten)]
    dims: crate::options::DimsOption,
    #[command(flatten)]
    output: crate::options::OutputOptions,
}

pub fn run(args: Args) -> anyhow::Result<ExitCode> {
    let _ = args.game.lexicon()?;
    Ok(ExitCode::SUCCESS)
}
