//! `serve`: the web page.

use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result};
use bogglemax::Lexicon;
use bogglemax_web::{Config, Server};

/// Open a web page: play with boards, browse the best ones, see trees, watch proofs
#[derive(clap::Args)]
#[command(after_long_help = "Examples:
  bogglemax serve                                  then open http://localhost:8080/
  bogglemax serve --port 9000 --wordlist mine.txt  a second word list to choose from
  bogglemax serve --run run-3x3-enable2k-boggle-545-fast

Only this machine can reach the page unless --bind says otherwise. With --bind 0.0.0.0 everyone on the network can; if
they use a name for this machine, give it with --allow-host. Runs are only read: the page changes nothing on disk.")]
pub struct Args {
    /// Port to listen on; 0 picks a free one
    #[arg(long, value_name = "P", default_value_t = 8080)]
    port: u16,

    /// Address to listen on
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1")]
    bind: IpAddr,

    /// A name by which others may call this machine; may be given several times
    #[arg(long, value_name = "NAME")]
    allow_host: Vec<String>,

    /// A run directory to show, also one where a run has not begun yet; may be given several times
    #[arg(long, value_name = "DIR")]
    run: Vec<PathBuf>,

    /// A word list to choose from, besides enable2k: a file with one word a line, plain or .gz; may be
    /// given several times
    #[arg(long, value_name = "FILE")]
    wordlist: Vec<PathBuf>,
}

pub fn run(args: Args) -> Result<ExitCode> {
    let mut wordlists = vec![Lexicon::enable2k()];
    for file in &args.wordlist {
        if file.as_os_str() != "enable2k" {
            wordlists.push(Lexicon::from_file(file)?);
        }
    }
    let address = SocketAddr::new(args.bind, args.port);
    let config = Config { address, wordlists, runs: args.run, hosts: args.allow_host };
    let server = Server::bind(config)
        .with_context(|| format!("cannot listen on {address}: choose another port with --port"))?;
    anstream::eprintln!("bogglemax: http://{}/ shows the page; Ctrl-C ends it", server.address());
    server.run()?;
    Ok(ExitCode::SUCCESS)
}
