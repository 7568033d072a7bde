//! `completions` and `man`: what a package installs beside the program.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::CommandFactory;

use crate::Cli;

/// Print a completion script for a shell
#[derive(clap::Args)]
#[command(after_long_help = "Examples:
  bogglemax completions bash > ~/.local/share/bash-completion/completions/bogglemax
  bogglemax completions zsh > ~/.zfunc/_bogglemax
  bogglemax completions fish > ~/.config/fish/completions/bogglemax.fish")]
pub struct CompletionsArgs {
    /// The shell
    shell: clap_complete::Shell,
}

/// Print the manual page, or write a page for each command into a directory
#[derive(clap::Args)]
#[command(after_long_help = "Examples:
  bogglemax man | man -l -
  bogglemax man --dir ~/.local/share/man/man1")]
pub struct ManArgs {
    /// Write all pages into this directory
    #[arg(long)]
    dir: Option<PathBuf>,
}

pub fn completions(args: CompletionsArgs) -> Result<ExitCode> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "bogglemax", &mut script);
    std::io::stdout().write_all(&script)?;
    Ok(ExitCode::SUCCESS)
}

pub fn man(args: ManArgs) -> Result<ExitCode> {
    match args.dir {
        Some(dir) => {
            std::fs::create_dir_all(&dir)
                .and_then(|()| clap_mangen::generate_to(Cli::command(), &dir))
                .with_context(|| format!("cannot write manual pages into '{}'", dir.display()))?;
        }
        None => {
            let mut page = Vec::new();
            clap_mangen::Man::new(Cli::command()).render(&mut page)?;
            std::io::stdout().write_all(&page)?;
        }
    }
    Ok(ExitCode::SUCCESS)
}
