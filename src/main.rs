//! The `saratoga` program: passes the command line to the library and its exit code to the shell.
#![forbid(unsafe_code)]

use std::process::ExitCode;

fn main() -> ExitCode {
    saratoga::cli::program(std::env::args_os())
}
