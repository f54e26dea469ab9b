//! The `saratoga` program: hands the command line to the library and its answer to the shell.
#![forbid(unsafe_code)]

use std::process::ExitCode;

fn main() -> ExitCode {
    match saratoga::cli::run(std::env::args_os()) {
        Ok(code) => code,
        Err(error) => error.report(),
    }
}
