//! Confinement by a private mount namespace, the exact one.
//!
//! The order: look at the descriptors; enter the namespaces; copy what stays writable; make everything read-only;
//! attach the copies; give up the power to undo it.

use std::path::Path;

use super::descriptors::Inherited;
use super::devices::{Devices, protect_system};
use super::mounts::{Clones, return_to};
use super::system::{
    leave_session_keyring, make_private, raise_loopback, renounce_privileges, unshare, user_and_group,
};
use super::user_namespace::{WholeRange, enter_with_own_id};
use super::{Failure, Step, landlock, pid_namespace, seccomp};
use crate::{ConfinementPlan, Network};

/// Confines the process. `folder` is the current folder, if it still has a path.
pub(super) fn enter(plan: &ConfinementPlan, folder: Option<&Path>) -> Result<(), Failure> {
    let filter = seccomp::filter_for(plan.network);
    let inherited = Inherited::look().step("reading /proc/self/fd")?;
    let mut power = enter_namespaces(plan)?;
    make_private().step("making mounts private")?;
    let devices = if matches!(power, Power::Own) { None } else { Some(Devices::reduce()?) };
    Clones::take(plan)?.attach(plan)?;
    if plan.alone {
        power.settle();
        pid_namespace::enter()?;
    }
    if let Some(devices) = devices {
        devices.attach()?;
        protect_system()?;
    }
    if plan.network == Network::Own {
        raise_loopback().step("bringing up the loopback")?;
    }
    power.give_up()?;
    if let Some(folder) = folder {
        return_to(folder)?;
    }
    inherited.reopen()?;
    leave_session_keyring();
    renounce_privileges().step("prctl(PR_SET_NO_NEW_PRIVS)")?;
    landlock::restrict_scopes(plan)?;
    seccomp::install(filter)
}

/// The remaining right with which the process can undo its mounts.
enum Power {
    /// An ordinary user, whose privileges end with the next program.
    Own,
    /// Uid 0 keeps its privileges in the next program, so they must be those of another namespace.
    Root(Option<WholeRange>),
}

impl Power {
    /// Ends the child that other processes than this one cannot wait for.
    fn settle(&mut self) {
        if let Self::Root(Some(whole)) = self {
            whole.wait();
        }
    }

    fn give_up(self) -> Result<(), Failure> {
        match self {
            Self::Own => Ok(()),
            Self::Root(Some(whole)) => whole.join().step("setns(CLONE_NEWUSER)"),
            Self::Root(None) => enter_with_own_id(0),
        }
    }
}

/// Enters the namespaces. That of System V and POSIX queues holds memory and messages of other programs, which no mount
/// does; it costs 29 µs.
fn enter_namespaces(plan: &ConfinementPlan) -> Result<Power, Failure> {
    let network = if plan.network == Network::Own { libc::CLONE_NEWNET } else { 0 };
    let processes = if plan.alone { libc::CLONE_NEWPID } else { 0 };
    let own = libc::CLONE_NEWNS | libc::CLONE_NEWIPC | network | processes;
    if user_and_group().0 != 0 {
        enter_with_own_id(own)?;
        return Ok(Power::Own);
    }
    // First of all, because it changes nothing here if it fails.
    if let Ok(whole) = WholeRange::create()
        && unshare(own).is_ok()
    {
        return Ok(Power::Root(Some(whole)));
    }
    enter_with_own_id(own)?;
    Ok(Power::Root(None))
}
