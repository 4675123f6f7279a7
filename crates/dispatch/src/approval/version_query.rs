//! Commands that only print the version of their program.
//!
//! INVARIANT: the program is the one that the user installed. Some start the one that a file of the project names, which
//! may be any program, or fetch it first.

use event::AbsPath;
use modules::Context;
use shell::Simple;

/// Programs that only print their own version, with the words that make them.
const VERSIONS: [(&str, &[&str]); 6] = [
    ("-v", &["node", "npm", "perl", "php", "ruby", "lua", "bun", "tsc", "make"]),
    ("-V", &["cargo", "rustc", "rustup", "python", "python3", "pip", "pip3", "uv", "deno", "tmux", "ssh"]),
    ("version", &["go", "git"]),
    ("-version", &["java", "javac"]),
    ("--version", LOCAL),
    ("-vV", &["rustc", "cargo"]),
];

/// Programs whose `--version` contacts no server. WHY a list: some look for a newer one, fetch the one that a project
/// names, or run code of the project first, as `yarn` and `pytest` do.
const LOCAL: &[&str] = &[
    "aws",
    "awk",
    "bash",
    "bat",
    "black",
    "bun",
    "cargo",
    "cargo-clippy",
    "clang",
    "clang-format",
    "clippy-driver",
    "cmake",
    "ctest",
    "curl",
    "dart",
    "deno",
    "docker",
    "dotnet",
    "emacs",
    "eslint",
    "fd",
    "ffmpeg",
    "g++",
    "gawk",
    "gcc",
    "git",
    "gofmt",
    "grep",
    "helm",
    "java",
    "javac",
    "jq",
    "julia",
    "just",
    "kotlin",
    "less",
    "ls",
    "lua",
    "make",
    "meson",
    "mypy",
    "mysql",
    "ninja",
    "node",
    "npm",
    "npx",
    "perl",
    "php",
    "pip",
    "pip3",
    "podman",
    "poetry",
    "prettier",
    "psql",
    "python",
    "python3",
    "rg",
    "ruby",
    "ruff",
    "rustc",
    "rustfmt",
    "rustup",
    "scala",
    "sed",
    "sqlite3",
    "swift",
    "tar",
    "tmux",
    "tree",
    "tsc",
    "uv",
    "vim",
    "wget",
    "yq",
    "zsh",
];

/// Programs in whose place another runs where one of these files is in the folder or above it.
const CHOSEN_BY: [(&[&str], &[&str]); 2] = [
    (
        &["cargo", "cargo-clippy", "clippy-driver", "rustc", "rustfmt", "rustup"],
        &["rust-toolchain", "rust-toolchain.toml"],
    ),
    (&["go", "gofmt"], &["go.mod", "go.work"]),
];

/// Returns whether a command only prints the version of its program.
pub(super) fn is_in(context: &Context<'_>, command: &Simple, folder: &AbsPath) -> bool {
    let [_, word] = command.argv.as_slice() else { return false };
    let mut versions = VERSIONS.iter();
    let is_query = versions
        .any(|(option, programs)| *option == word.text && programs.contains(&command.program.as_str()));
    is_query && !is_chosen_by_project(context, &command.program, folder)
}

/// Returns whether a file of the workspace chooses which program of this name runs in a folder.
fn is_chosen_by_project(context: &Context<'_>, program: &str, folder: &AbsPath) -> bool {
    let root = context.workspace.root().as_path();
    let files =
        CHOSEN_BY.iter().filter(|(programs, _)| programs.contains(&program)).flat_map(|(_, files)| *files);
    let mut folders = folder.as_path().ancestors().take_while(|folder| folder.starts_with(root));
    let files: Vec<&str> = files.copied().collect();
    folders.any(|folder| files.iter().any(|file| folder.join(file).symlink_metadata().is_ok()))
}
