//! The command `appdecl`.

mod cli;

fn main() -> std::process::ExitCode {
    cli::main()
}
