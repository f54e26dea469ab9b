//! `saratoga studio`

use crate::units::whole;
use clap::Args;
use std::io::{ErrorKind, Write};
use std::net::IpAddr;
use std::path::PathBuf;
use std::process::ExitCode;

use crate::files::{make_folder, reason};
use crate::signals::stop_on_ctrl_c;
use crate::studio::{Folder, Server, Settings, open_browser};

use super::error::CliError;
use super::terminal::{self, note};

/// Change rules on a page and watch the house edge follow
#[derive(Args, Debug)]
#[command(after_help = "\
Serves a page on this machine and opens the browser. The page shows every key
of a ruleset as a form beside its text. Every change plays at once: the edge,
the win rate and the cards follow, and are those that `saratoga simulate`
reports for the same games and seed. Nothing outside of DIR is read or
written. Ctrl-C ends it.

Only this machine can open the page. With --listen others can too, if they
have the token in the address that is printed.

Examples:
  saratoga studio
  saratoga studio my-variants --no-open
  saratoga studio --listen 192.168.1.7 --port 8052")]
pub(in crate::cli) struct StudioArgs {
    /// The folder with your rulesets, scripts and reports; made if it is missing
    #[arg(value_name = "DIR", default_value = ".")]
    pub folder: PathBuf,
    /// The port of the page; 0 is any free one [default: 5252, or any free one]
    #[arg(long, value_name = "N", value_parser = whole(0, 65_535))]
    pub port: Option<u64>,
    /// Do not open the browser
    #[arg(long)]
    pub no_open: bool,
    /// Let other machines open the page at this address; asks everyone for a token
    #[arg(long, value_name = "ADDR")]
    pub listen: Option<IpAddr>,
}

pub(super) fn run(args: StudioArgs) -> Result<ExitCode, CliError> {
    let StudioArgs { folder: path, port, no_open, listen } = args;
    let new = !path.exists();
    let folder = make_folder(&path)
        .and_then(|()| Folder::open(&path))
        .map_err(|error| CliError::input(format!("{}: {}", terminal::shown(&path), reason(&error))))?;
    let program = std::env::current_exe().map_err(CliError::io("cannot find this program"))?;
    let port = port.and_then(|port| u16::try_from(port).ok());
    let server = Server::bind(Settings { folder, listen, port, program }).map_err(|error| {
        let at = port.map_or(String::new(), |port| format!(" at port {port}"));
        let why = match error.kind() {
            ErrorKind::AddrInUse => "another program has it; try another --port, or none".into(),
            ErrorKind::AddrNotAvailable => "this machine does not have that address".into(),
            _ => reason(&error),
        };
        CliError::input(format!("cannot listen{at}: {why}"))
    })?;
    if new {
        note(&format!("{} is a new folder", terminal::shown(&path)));
    }
    let stop = stop_on_ctrl_c(Vec::new(), Vec::new());
    let url = server.url();
    let mut out = terminal::stdout();
    writeln!(out, "The studio is at {url}\nCtrl-C ends it.")?;
    out.flush()?;
    if !no_open && open_browser(&url).is_err() {
        note("no browser could be opened: open the address yourself");
    }
    server.serve(stop).map_err(CliError::io("cannot serve"))?;
    Ok(ExitCode::SUCCESS)
}
