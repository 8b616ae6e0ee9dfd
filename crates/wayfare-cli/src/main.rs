//! The `wayfare` program.

use std::process::ExitCode;

fn main() -> ExitCode {
    wayfare_cli::main()
}
