//! `saratoga studio`

use std::io::{ErrorKind, Write};
use std::process::ExitCode;

use crate::files::{make_folder, reason};
use crate::signals::stop_on_ctrl_c;
use crate::studio::{Folder, Server, Settings, open_browser};

use super::args::StudioArgs;
use super::error::CliError;
use super::terminal::{self, note};

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
