//! The mounts of a plan, made in a mount namespace of the process's own.

use std::io;
use std::os::fd::AsFd;
use std::path::{Path, PathBuf};

use super::overlay::new_overlay;
use super::system::{
    Handle, NO_DEVICES, NO_SETUID, READ_ONLY, add_attributes, add_attributes_here, attach, attach_to_system,
    c_path, change_folder, clone_mount, clone_system_mount, detach, is_folder, make_file, make_folder,
    new_file_system, place,
};
use super::{Failure, Step};
use crate::{ConfinementPlan, Mount, MountKind, is_within};

/// Detached copies of what stays writable, taken while it is.
pub(super) struct Clones<'a> {
    /// In the order of the plan.
    writable: Vec<Copied<'a>>,
    /// Files in scope of overlays that could not be made.
    alone: Vec<(PathBuf, Handle)>,
    proc: Option<Handle>,
}

/// A copy and where it goes.
struct Copied<'a> {
    mount: &'a Mount,
    copy: Handle,
    /// The place of its path, unless another mount of the plan comes in between.
    place: Option<Handle>,
}

impl<'a> Clones<'a> {
    /// Copies the writable paths of a plan, and `/proc`.
    ///
    /// WHY `/proc`: without it no nested user namespace can be set up, so browsers and other sandboxes fail.
    pub(super) fn take(plan: &'a ConfinementPlan) -> Result<Self, Failure> {
        let mut writable = Vec::with_capacity(plan.mounts.len());
        let mut alone = Vec::new();
        let is_own = |mount: &Mount| {
            matches!(mount.kind, MountKind::Writable | MountKind::Overlaid | MountKind::Shown)
        };
        // The last mount that is below no other; what is below it follows it.
        let mut top: Option<&Path> = None;
        for mount in &plan.mounts {
            let is_below = top.is_some_and(|top| is_within(&mount.path, top));
            if !is_below {
                top = Some(&mount.path);
            }
            if !is_own(mount) {
                continue;
            }
            if let Some(overlay) = plan.overlays.iter().find(|it| it.folder == mount.path) {
                match new_overlay(overlay) {
                    Ok(copy) => writable.push(Copied { mount, copy, place: None }),
                    Err(_) => {
                        for file in overlay.files() {
                            let Ok(there) = place(&file) else { continue };
                            alone.push((file, clone_mount(there.as_fd()).step("open_tree")?));
                        }
                    }
                }
                continue;
            }
            match place(&mount.path) {
                Ok(place) => {
                    let copy = clone_mount(place.as_fd()).step("open_tree")?;
                    writable.push(Copied { mount, copy, place: (!is_below).then_some(place) });
                }
                // It vanished since the plan was made: nothing to open.
                Err(error) if is_gone(&error) => {}
                Err(error) => return Err(error).step("opening a writable path"),
            }
        }
        let proc = match clone_system_mount(c"/proc") {
            Ok(copy) => Some(copy),
            Err(error) if is_gone(&error) => None,
            Err(error) => return Err(error).step("open_tree"),
        };
        Ok(Self { writable, alone, proc })
    }

    /// Makes everything read-only and attaches the copies and the other mounts of the plan.
    pub(super) fn attach(self, plan: &ConfinementPlan) -> Result<(), Failure> {
        let mut sources = Sources::make(plan)?;
        add_attributes(place(Path::new("/")).step("opening /")?.as_fd(), READ_ONLY).step("mount_setattr")?;
        if let Some(proc) = &self.proc {
            attach_to_system(proc.as_fd(), c"/proc").step("move_mount")?;
        }
        if let Some((memory, place)) = &sources.shared_memory {
            attach(memory.as_fd(), place.as_fd()).step("move_mount")?;
        }
        let mut writable = self.writable.into_iter().peekable();
        let mut hiding: Vec<(&Mount, Handle)> = Vec::new();
        for mount in &plan.mounts {
            match mount.kind {
                MountKind::Writable | MountKind::Overlaid | MountKind::Shown => {
                    let Some(Copied { copy, place, .. }) =
                        writable.next_if(|copied| std::ptr::eq(copied.mount, mount))
                    else {
                        continue;
                    };
                    if mount.kind == MountKind::Shown {
                        add_attributes(copy.as_fd(), READ_ONLY).step("mount_setattr")?;
                    }
                    if let Some(place) = place {
                        attach(copy.as_fd(), place.as_fd()).step("move_mount")?;
                        continue;
                    }
                    if hiding.iter().any(|(above, _)| is_within(&mount.path, &above.path)) {
                        make_mount_point(&mount.path, &copy)?;
                    }
                    attach_at(&copy, &mount.path)?;
                }
                MountKind::Hidden | MountKind::Private => {
                    hiding.extend(attach_empty(mount)?.map(|empty| (mount, empty)));
                }
                MountKind::Pinned => attach_copy(&mount.path, 0)?,
                MountKind::ReadOnly | MountKind::Protected => attach_copy(&mount.path, READ_ONLY)?,
                MountKind::CoveredFolder => {
                    if let Some(empty) = sources.folders.pop() {
                        attach_at(&empty, &mount.path)?;
                    }
                }
                MountKind::CoveredFile => cover(&mount.path, sources.file.as_ref())?,
            }
        }
        self.alone.iter().try_for_each(|(path, copy)| attach_at(copy, path))?;
        // Last, because the mounts in them need mount points. Without what is mounted there: that has its own attributes.
        let hidden = hiding.iter().filter(|(mount, _)| mount.kind == MountKind::Hidden);
        hidden
            .map(|(_, empty)| empty)
            .try_for_each(|empty| add_attributes_here(empty.as_fd(), READ_ONLY).step("mount_setattr"))
    }
}

/// Attaches an empty folder in the place of another. Returns `None` if that does not exist.
fn attach_empty(mount: &Mount) -> Result<Option<Handle>, Failure> {
    let there = match place(&mount.path) {
        Ok(there) => there,
        Err(error) if is_gone(&error) => return Ok(None),
        Err(error) => return Err(error).step("opening a hidden path"),
    };
    let mode = if mount.kind == MountKind::Private { c"1777" } else { c"0755" };
    let empty =
        new_file_system(c"tmpfs", &[(c"mode", mode)], NO_SETUID | NO_DEVICES).step("mounting a tmpfs")?;
    attach(empty.as_fd(), there.as_fd()).step("move_mount")?;
    Ok(Some(empty))
}

/// Makes the place of a copy in an empty folder, with the folders above it. Does nothing if it exists.
fn make_mount_point(path: &Path, copy: &Handle) -> Result<(), Failure> {
    const STEP: &str = "making a mount point";
    let above: Vec<&Path> = path.ancestors().skip(1).collect();
    for folder in above.into_iter().rev() {
        make_missing(make_folder(&c_path(folder).step(STEP)?, 0o755)).step(STEP)?;
    }
    let path = c_path(path).step(STEP)?;
    let is_folder = is_folder(copy.as_fd()).step(STEP)?;
    make_missing(if is_folder { make_folder(&path, 0o755) } else { make_file(&path) }).step(STEP)
}

/// Accepts that something exists, also on a read-only file system, where the kernel checks that first.
fn make_missing(made: io::Result<()>) -> io::Result<()> {
    match made {
        Err(error) if !matches!(error.raw_os_error(), Some(libc::EEXIST | libc::EROFS)) => Err(error),
        _ => Ok(()),
    }
}

/// Adds attributes to all mounts of the namespace.
pub(super) fn add_to_all(attributes: u64) -> Result<(), Failure> {
    add_attributes(place(Path::new("/")).step("opening /")?.as_fd(), attributes).step("mount_setattr")
}

/// Attaches a copy of a path on itself with more attributes. Does nothing if it does not exist.
pub(super) fn attach_copy(path: &Path, attributes: u64) -> Result<(), Failure> {
    let there = match place(path) {
        Ok(there) => there,
        Err(error) if is_gone(&error) => return Ok(()),
        Err(error) => return Err(error).step("opening a protected path"),
    };
    let copy = clone_mount(there.as_fd()).step("open_tree")?;
    if attributes != 0 {
        add_attributes(copy.as_fd(), attributes).step("mount_setattr")?;
    }
    attach(copy.as_fd(), there.as_fd()).step("move_mount")
}

/// Attaches a detached mount at a path.
pub(super) fn attach_at(mount: &Handle, path: &Path) -> Result<(), Failure> {
    match place(path) {
        Ok(there) => attach(mount.as_fd(), there.as_fd()).step("move_mount"),
        Err(error) if is_gone(&error) => Ok(()),
        Err(error) => Err(error).step("opening a mount point"),
    }
}

fn cover(path: &Path, source: Option<&Handle>) -> Result<(), Failure> {
    let (Some(source), Ok(there)) = (source, place(path)) else { return Ok(()) };
    // Its mount is read-only by now, and so is the copy.
    let copy = clone_mount(source.as_fd()).step("open_tree")?;
    attach(copy.as_fd(), there.as_fd()).step("move_mount")
}

fn is_gone(error: &io::Error) -> bool {
    matches!(error.raw_os_error(), Some(libc::ENOENT | libc::ENOTDIR))
}

const SHARED_MEMORY: &str = "/dev/shm";

/// Where a new file system is attached for the moment in which it is filled.
const WORKPLACES: [&std::ffi::CStr; 3] = [c"/dev/shm", c"/tmp", c"/mnt"];

/// An empty folder and an empty file to cover others with, and an empty `/dev/shm`.
struct Sources {
    /// With the place of `/dev/shm`, if the system has it.
    shared_memory: Option<(Handle, Handle)>,
    /// One for each folder to cover.
    folders: Vec<Handle>,
    file: Option<Handle>,
}

impl Sources {
    fn make(plan: &ConfinementPlan) -> Result<Self, Failure> {
        let covers = |kind| plan.mounts.iter().filter(|mount| mount.kind == kind).count();
        let file = match place(Path::new("/dev/null")) {
            Ok(null) if covers(MountKind::CoveredFile) > 0 => Some(null),
            _ => None,
        };
        let shared_memory = place(Path::new(SHARED_MEMORY)).ok();
        let n_folders = covers(MountKind::CoveredFolder);
        if n_folders == 0 {
            let shared_memory = shared_memory.map(|place| {
                let options = [(c"mode", c"1777")];
                let memory =
                    new_file_system(c"tmpfs", &options, NO_SETUID | NO_DEVICES).step("mounting a tmpfs")?;
                Ok((memory, place))
            });
            return Ok(Self { shared_memory: shared_memory.transpose()?, folders: Vec::new(), file });
        }
        let has_shared_memory = shared_memory.is_some();
        let is_there =
            |path: &&&std::ffi::CStr| path.to_str().is_ok_and(|path| place(Path::new(path)).is_ok());
        let Some(at) = WORKPLACES.iter().find(is_there) else {
            return Err(io::Error::from_raw_os_error(libc::ENOENT))
                .step("finding a place for an empty folder");
        };
        let at = Path::new(at.to_str().unwrap_or("/dev/shm"));
        let memory = new_file_system(c"tmpfs", &[(c"mode", c"0755")], NO_SETUID | NO_DEVICES)
            .step("mounting a tmpfs")?;
        attach_at(&memory, at)?;
        let part = |name: &str, mode| -> io::Result<Handle> {
            let path = at.join(name);
            make_folder(&c_path(&path)?, mode)?;
            clone_mount(place(&path)?.as_fd())
        };
        // The new mount covers the one that is filled here.
        let on_top = |memory| Ok((memory, place(Path::new(SHARED_MEMORY))?));
        let shared_memory = has_shared_memory
            .then(|| part("memory", 0o1777).and_then(on_top))
            .transpose()
            .step("filling a tmpfs")?;
        let mut folders = Vec::with_capacity(n_folders);
        if n_folders > 0 {
            let path = at.join("empty");
            make_folder(&c_path(&path).step("filling a tmpfs")?, 0o555).step("filling a tmpfs")?;
            let empty = place(&path).step("filling a tmpfs")?;
            for _ in 0..n_folders {
                // WHY not copies of one copy: that needs Linux 6.15.
                let copy = clone_mount(empty.as_fd()).step("open_tree")?;
                add_attributes(copy.as_fd(), READ_ONLY).step("mount_setattr")?;
                folders.push(copy);
            }
        }
        // A tmpfs at `/dev/shm` stays below the one that is attached there next.
        if !has_shared_memory {
            detach(&c_path(at).step("umount")?).step("umount")?;
        }
        Ok(Self { shared_memory, folders, file })
    }
}

/// Returns to the current folder by its path: the process still stands in the folder below the new mounts.
pub(super) fn return_to(folder: &Path) -> Result<(), Failure> {
    change_folder(&c_path(folder).step("chdir")?).step("chdir")
}
