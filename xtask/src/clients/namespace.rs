//! Starts one laboratory: a process in namespaces of its own that cannot leave the loopback, cannot write outside
//! its scratch folder, and takes everything it started with it when it ends.
//!
//! WHY: the scripted model asks for `rm -rf ~` with every safety of the program switched off. If steersman fails to
//! deny it, only the scratch folder is lost.

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use anyhow::{Context, Result, bail};

use super::lab;
use crate::prerequisite;

/// The programs that set a laboratory up.
const NEEDED: &[&str] = &["unshare", "ip", "mount", "sh", "git"];

/// Prepares the namespaces, then becomes the process inside.
///
/// The arguments are the folder of installed programs, the folder of our binaries and the scratch folder.
/// `/mnt` is where they stay reachable: the checkout may lie below `/home` or `/tmp`, which are replaced. `/etc` is
/// an empty folder of links to the real one, without settings of agent programs: scenarios write managed settings there.
const SETUP: &str = r#"set -eu
programs=$1 bin=$2 scratch=$3
shift 3
ip link set lo up
mount --make-rprivate /
mount -t tmpfs tmpfs /mnt
mkdir /mnt/programs /mnt/bin /mnt/scratch
mount --bind "$programs" /mnt/programs
mount -o remount,bind,ro /mnt/programs
mount --bind "$bin" /mnt/bin
mount -o remount,bind,ro /mnt/bin
mount --bind "$scratch" /mnt/scratch
mount -t tmpfs tmpfs /home
mkdir /home/dev
mount --bind /mnt/scratch/home /home/dev
mount --bind /mnt/bin/steersman /home/dev/.local/bin/steersman
mount --bind /mnt/scratch/tmp /tmp
mkdir /mnt/etc
mount --rbind /etc /mnt/etc
mount -o remount,bind,ro /mnt/etc
mount -t tmpfs -o mode=755 tmpfs /etc
for entry in /mnt/etc/*; do
    case ${entry##*/} in
        claude-code | codex | cursor | gemini-cli | github-copilot | qwen-code | steersman) continue ;;
    esac
    if [ -L "$entry" ]; then cp -P "$entry" /etc/; else ln -s "$entry" /etc/; fi
done
mount -o remount,bind,ro /
cd /home/dev
exec "$@"
"#;

/// The folders that a laboratory sees.
pub(crate) struct Folders<'a> {
    /// The installed programs.
    pub(crate) programs: &'a Path,
    /// `steersman` and this chore.
    pub(crate) bin: &'a Path,
    /// The scratch folder; its content is replaced.
    pub(crate) scratch: &'a Path,
}

/// Fails if the machine cannot run laboratories.
pub(crate) fn ensure_supported() -> Result<()> {
    if !cfg!(target_os = "linux") {
        bail!("laboratories need the namespaces of Linux");
    }
    for name in NEEDED {
        // `ip` and `mount` are often outside a user's PATH.
        let is_installed = prerequisite::program(name).is_some()
            || lab::SYSTEM_PATH.split(':').any(|folder| Path::new(folder).join(name).is_file());
        if !is_installed {
            bail!("`{name}` is missing\nhint: install util-linux, iproute2 and git");
        }
    }
    Ok(())
}

/// Runs this chore with `arguments` inside a new laboratory and waits for its end.
pub(crate) fn run(folders: &Folders, arguments: &[&str]) -> Result<Output> {
    prepare(folders.scratch)?;
    let mut command = Command::new("unshare");
    command.args(["--net", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc"]);
    if !prerequisite::is_root() {
        command.arg("--map-root-user");
    }
    command.args(["sh", "-c", SETUP, "laboratory"]);
    command.arg(folders.programs).arg(folders.bin).arg(folders.scratch);
    command.arg("/mnt/bin/xtask").args(arguments);
    command.env_clear().env("PATH", lab::SYSTEM_PATH).env("LANG", "C.UTF-8").env("TERM", "xterm-256color");
    command.stdin(Stdio::null()).output().context("cannot start `unshare`")
}

/// Empties the scratch folder and creates the mount points in it.
fn prepare(scratch: &Path) -> Result<()> {
    let context = || format!("cannot prepare `{}`", scratch.display());
    if scratch.exists() {
        fs::remove_dir_all(scratch).with_context(context)?;
    }
    for folder in ["home/.local/bin", "tmp"] {
        fs::create_dir_all(scratch.join(folder)).with_context(context)?;
    }
    fs::write(scratch.join("home/.local/bin/steersman"), "").with_context(context)
}
