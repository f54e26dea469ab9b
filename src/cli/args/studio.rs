//! The command line of `saratoga studio`.

use std::net::IpAddr;
use std::path::PathBuf;

use clap::Args;

use crate::units::whole;

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
