//! The folders a system keeps its programs in.
//!
//! WHY: only who may install programs can write to them, so a path there names the same program as its bare
//! name does. A folder of a project or of a user (`./bin`, `~/bin`, `node_modules/.bin`, `.venv/bin`) can hold
//! anything under any name.

/// Folders whose programs match their names, on Linux, macOS, Nix, Homebrew, `MacPorts`, snap and `Termux`.
pub const FOLDERS: [&str; 13] = [
    "/bin",
    "/sbin",
    "/usr/bin",
    "/usr/sbin",
    "/usr/local/bin",
    "/usr/local/sbin",
    "/opt/homebrew/bin",
    "/opt/homebrew/sbin",
    "/opt/local/bin",
    "/snap/bin",
    "/run/current-system/sw/bin",
    "/nix/var/nix/profiles/default/bin",
    "/data/data/com.termux/files/usr/bin",
];

/// Returns whether the programs of a folder, given without `.` and `..`, are the system's.
pub fn is_of_the_system(folder: &str) -> bool {
    FOLDERS.contains(&folder) || folder.starts_with("/nix/store/") && folder.ends_with("/bin")
}

/// Returns whether a program of Windows lies where only an administrator can put it.
pub(crate) fn is_of_windows(program: &str) -> bool {
    let program = program.to_ascii_lowercase().replace('\\', "/");
    ["c:/windows/", "c:/program files/", "c:/program files (x86)/"]
        .iter()
        .any(|base| program.starts_with(base))
}
