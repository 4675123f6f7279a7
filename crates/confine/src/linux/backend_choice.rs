//! Chooses the mechanism: namespaces, Landlock, or none.
//!
//! A failed attempt to set up namespaces leaves the process in a state that programs notice. So where something hints
//! at trouble, a child tries first.
#![expect(unsafe_code, reason = "a child that only tries has no safe interface")]

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::system::{is_filtered, landlock_version};
use super::{Failure, landlock, namespace};
use crate::{Backend, Confined, ConfinementPlan, EnterError, Obstacle, Support};

/// Confines the calling process, which must have one thread. The folders of the plan must exist.
pub fn enter(plan: &ConfinementPlan) -> Result<Confined, EnterError> {
    let folder = current_folder();
    let mut obstacles = Vec::new();
    let trial = if hints_at_trouble() { trial(plan, folder.as_deref()) } else { Ok(()) };
    match trial.and_then(|()| namespace::enter(plan, folder.as_deref())) {
        Ok(()) => return Ok(Confined { backend: Backend::Namespace, obstacles, temporary: None }),
        Err(failure) => obstacles.push(obstacle(Backend::Namespace, failure)),
    }
    if plan.alone {
        let error = io::Error::from_raw_os_error(libc::EOPNOTSUPP);
        obstacles.push(Obstacle { backend: Backend::Landlock, step: "hiding files and processes", error });
        return Err(EnterError::NoBackend(obstacles));
    }
    if landlock_version() == 0 {
        obstacles.push(no_landlock());
        return Err(EnterError::NoBackend(obstacles));
    }
    match landlock::enter(plan) {
        Ok(temporary) => Ok(Confined { backend: Backend::Landlock, obstacles, temporary }),
        Err(Failure { step, error }) => Err(EnterError::Step { step, source: error }),
    }
}

/// Tries in a child what this machine supports.
pub fn support() -> Support {
    let version = landlock_version();
    let mut obstacles = Vec::new();
    let backend = match trial(&ConfinementPlan::default(), current_folder().as_deref()) {
        Ok(()) => Some(Backend::Namespace),
        Err(failure) => {
            obstacles.push(obstacle(Backend::Namespace, failure));
            if version == 0 {
                obstacles.push(no_landlock());
                None
            } else {
                Some(Backend::Landlock)
            }
        }
    };
    Support { backend, obstacles, landlock: version }
}

fn obstacle(backend: Backend, Failure { step, error }: Failure) -> Obstacle {
    Obstacle { backend, step, error }
}

fn no_landlock() -> Obstacle {
    let error = io::Error::from_raw_os_error(libc::EOPNOTSUPP);
    Obstacle { backend: Backend::Landlock, step: "landlock_create_ruleset", error }
}

#[expect(
    clippy::disallowed_methods,
    reason = "confinement must return to the folder that the process stands in"
)]
fn current_folder() -> Option<PathBuf> {
    std::env::current_dir().ok()
}

/// Returns whether a filter, a profile or an outer namespace may refuse a step.
fn hints_at_trouble() -> bool {
    let first_namespace =
        fs::read_link("/proc/self/ns/user").is_ok_and(|it| it.as_os_str() == "user:[4026531837]");
    if !first_namespace {
        return true;
    }
    let restricted = fs::read("/proc/sys/kernel/apparmor_restrict_unprivileged_userns");
    if restricted.is_ok_and(|value| value.first() == Some(&b'1')) {
        return true;
    }
    is_filtered()
}

/// Carries the plan out in a child. Returns what failed there; a child that a filter killed is `EPERM`.
fn trial(plan: &ConfinementPlan, folder: Option<&Path>) -> Result<(), Failure> {
    let failure = |step, error| Failure { step, error };
    let mut pipe = [0; 2];
    // SAFETY: the array has room for both ends. The process has one thread, so the child may call anything; it leaves
    // by `_exit`, without the parent's cleanup.
    unsafe {
        if libc::pipe2(pipe.as_mut_ptr(), libc::O_CLOEXEC) < 0 {
            return Err(failure("pipe", io::Error::last_os_error()));
        }
        let child = libc::fork();
        if child < 0 {
            let error = io::Error::last_os_error();
            libc::close(pipe[0]);
            libc::close(pipe[1]);
            return Err(failure("fork", error));
        }
        if child == 0 {
            if let Err(Failure { step, error }) = namespace::enter(plan, folder) {
                let errno = error.raw_os_error().unwrap_or(0).to_ne_bytes();
                libc::write(pipe[1], errno.as_ptr().cast(), errno.len());
                libc::write(pipe[1], step.as_ptr().cast(), step.len());
                libc::_exit(1);
            }
            libc::_exit(0);
        }
        libc::close(pipe[1]);
        let mut report = [0_u8; 260];
        let mut filled = 0;
        loop {
            let got = libc::read(pipe[0], report[filled..].as_mut_ptr().cast(), report.len() - filled);
            match usize::try_from(got) {
                Ok(0) => break,
                Ok(got) => filled += got,
                Err(_) if io::Error::last_os_error().raw_os_error() == Some(libc::EINTR) => {}
                Err(_) => break,
            }
        }
        libc::close(pipe[0]);
        let mut status = 0;
        while libc::waitpid(child, &raw mut status, 0) < 0
            && io::Error::last_os_error().raw_os_error() == Some(libc::EINTR)
        {}
        if libc::WIFEXITED(status) && libc::WEXITSTATUS(status) == 0 {
            return Ok(());
        }
        if filled < 4 {
            return Err(failure(
                "a trial in a child, which a filter ended",
                io::Error::from_raw_os_error(libc::EPERM),
            ));
        }
        let errno = i32::from_ne_bytes([report[0], report[1], report[2], report[3]]);
        let step = String::from_utf8_lossy(&report[4..filled]).into_owned();
        // A process reports once, and then ends or becomes another program.
        Err(failure(step.leak(), io::Error::from_raw_os_error(errno)))
    }
}
