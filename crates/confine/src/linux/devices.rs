//! A minimal `/dev` for uid 0, which owns the device nodes: a read-only mount does not stop it from writing to a disk.

use std::ffi::CStr;
use std::io;
use std::os::fd::AsFd;
use std::path::Path;

use super::mounts::{add_to_all, attach_at, attach_copy};
use super::system::{
    Handle, NO_DEVICES, NO_SETUID, READ_ONLY, attach_to_system, clone_mount, clone_system_mount,
    new_file_system, place,
};
use super::{Failure, Step};

/// The devices that every program may use.
const HARMLESS: [&CStr; 6] =
    [c"/dev/null", c"/dev/zero", c"/dev/full", c"/dev/random", c"/dev/urandom", c"/dev/tty"];

/// Parts of `/proc` that change the system for uid 0: `core_pattern` names a program that the kernel runs as root.
const OF_THE_SYSTEM: [&str; 5] = ["/proc/sys", "/proc/sysrq-trigger", "/proc/irq", "/proc/bus", "/proc/fs"];

/// Copies of the harmless devices, taken while devices can be opened.
pub(super) struct Devices(Vec<(&'static CStr, Handle)>);

impl Devices {
    /// Copies the harmless devices and forbids all others.
    pub(super) fn reduce() -> Result<Self, Failure> {
        let mut kept = Vec::new();
        for path in HARMLESS {
            match clone_system_mount(path) {
                Ok(copy) => kept.push((path, copy)),
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => return Err(error).step("open_tree"),
            }
        }
        add_to_all(NO_DEVICES)?;
        Ok(Self(kept))
    }

    /// Attaches the harmless devices, and a new set of terminals: the name of an outer one would open it.
    pub(super) fn attach(self) -> Result<(), Failure> {
        for (path, device) in self.0 {
            attach_to_system(device.as_fd(), path).step("move_mount")?;
        }
        let has_terminals = place(Path::new("/dev/pts")).is_ok() && place(Path::new("/dev/ptmx")).is_ok();
        if has_terminals {
            let options = [(c"newinstance", c""), (c"ptmxmode", c"0666"), (c"mode", c"0620")];
            let terminals = new_file_system(c"devpts", &options, NO_SETUID).step("mounting devpts")?;
            attach_at(&terminals, Path::new("/dev/pts"))?;
            let multiplexer = place(Path::new("/dev/pts/ptmx")).step("opening /dev/pts/ptmx")?;
            let multiplexer = clone_mount(multiplexer.as_fd()).step("open_tree")?;
            attach_at(&multiplexer, Path::new("/dev/ptmx"))?;
        }
        Ok(())
    }
}

/// Makes the parts of `/proc` read-only by which uid 0 changes the system.
pub(super) fn protect_system() -> Result<(), Failure> {
    OF_THE_SYSTEM.iter().try_for_each(|path| attach_copy(Path::new(path), READ_ONLY))
}
