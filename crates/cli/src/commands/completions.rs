//! `steersman completions SHELL`

use clap_complete::Shell;

use crate::exit::Exit;
use crate::output::print;

/// Print a shell completion script
#[derive(Debug, clap::Args)]
#[command(after_help = "\
bash:  steersman completions bash > ~/.local/share/bash-completion/completions/steersman
zsh:   steersman completions zsh > \"${fpath[1]}/_steersman\"
fish:  steersman completions fish > ~/.config/fish/completions/steersman.fish")]
pub(crate) struct Args {
    /// The shell
    shell: Shell,
}

pub(crate) fn run(args: &Args, command: &mut clap::Command) -> Exit {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, command, "steersman", &mut script);
    print(format_args!("{}", String::from_utf8_lossy(&script).trim_end()));
    Exit::Fine
}
