//! The process tree of a run, read from `/proc`.

use std::collections::{HashMap, HashSet};
use std::process::Child;
use std::sync::{Mutex, MutexGuard, Once, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{self, Pid, Signal, WaitOptions};

use super::StopSignal;
use super::process_table::{self, Process};
use crate::MARK;

/// How often the process table is read at most, against a program that never stops starting others.
const MOST_READS: usize = 100;

/// The processes of one run.
#[derive(Debug)]
pub(crate) struct ProcessTree {
    /// The program, which also leads its session and group; zero if only the mark is known.
    root: i32,
    /// Start time of the program; zero if only the mark is known.
    began: u64,
    mark: String,
    /// The members seen so far, by pid and start time: the system reuses pids.
    known: HashSet<(i32, u64)>,
}

/// The programs of all running trees of this process, with their start times.
static ROOTS: Mutex<Option<HashMap<i32, u64>>> = Mutex::new(None);

fn roots() -> MutexGuard<'static, Option<HashMap<i32, u64>>> {
    ROOTS.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Drop for ProcessTree {
    fn drop(&mut self) {
        if let Some(roots) = roots().as_mut() {
            roots.remove(&self.root);
        }
    }
}

impl ProcessTree {
    /// Starts a program.
    ///
    /// WHY here: a program that no tree knows yet would look like an orphan of another run that ends at this moment.
    pub(crate) fn start<E>(spawn: impl FnOnce() -> Result<Child, E>) -> Result<Child, E> {
        let mut roots = roots();
        let child = spawn()?;
        let root = i32::try_from(child.id()).unwrap_or(0);
        let began = process_table::of(root).map_or(0, |process| process.began);
        roots.get_or_insert_default().insert(root, began);
        Ok(child)
    }

    /// Returns the tree of a program that [`Self::start`] started as the leader of a session.
    pub(crate) fn of_root(root: u32, mark: &str) -> Self {
        let root = i32::try_from(root).unwrap_or(0);
        let began = roots().as_ref().and_then(|roots| roots.get(&root).copied()).unwrap_or(0);
        Self { root, began, mark: mark.to_owned(), known: HashSet::new() }
    }

    /// Returns the remaining processes of a run whose program has exited.
    pub(crate) fn of_mark(mark: &str) -> Self {
        Self { root: 0, began: 0, mark: mark.to_owned(), known: HashSet::new() }
    }

    /// Makes this process the parent of the orphans of its runs.
    pub(crate) fn adopt_orphans() {
        static ONCE: Once = Once::new();
        // Without it an orphan belongs to init; its mark still identifies it.
        ONCE.call_once(|| {
            let _ = process::set_child_subreaper(Some(process::getpid()));
        });
    }

    /// Sends the signal to every member, including the program.
    ///
    /// WHY they are stopped first: a shell whose `sleep` gets the signal before the shell itself would run its next
    /// command.
    pub(crate) fn signal(&mut self, stop: StopSignal) {
        let members = self.freeze();
        for signal in [signal_of(stop), Signal::CONT] {
            if let Some(group) = Pid::from_raw(self.root).filter(|_| self.root > 0) {
                let _ = process::kill_process_group(group, signal);
            }
            for member in &members {
                send(member.pid, signal);
            }
        }
    }

    /// Stops the members until no new one appears, and returns them.
    fn freeze(&mut self) -> Vec<Process> {
        let mut stopped = HashSet::new();
        for _ in 0..MOST_READS {
            let members = self.living();
            let n_before = stopped.len();
            for member in &members {
                if stopped.insert((member.pid, member.began)) {
                    send(member.pid, Signal::STOP);
                }
            }
            if stopped.len() == n_before {
                return members;
            }
        }
        self.living()
    }

    /// Returns whether a member other than the program is alive.
    pub(crate) fn has_leftovers(&mut self) -> bool {
        let root = self.root;
        self.living().iter().any(|member| member.pid != root)
    }

    /// Kills the members until all are dead, for at most a second. Returns how many there were.
    pub(crate) fn kill_all(&mut self) -> usize {
        let until = Instant::now() + Duration::from_secs(1);
        let mut seen = HashSet::new();
        loop {
            let members = self.living();
            seen.extend(members.iter().map(|member| member.pid));
            if members.is_empty() || Instant::now() >= until {
                return seen.len();
            }
            self.signal(StopSignal::Kill);
            thread::sleep(Duration::from_millis(5));
        }
    }

    /// Reaps dead members that are our children, and returns the living.
    ///
    /// WHY it reads again if one was dead: reading takes a while, and a process that starts another and exits
    /// meanwhile is all that the table shows of the two. No other process reaps it, so it cannot be missed.
    fn living(&mut self) -> Vec<Process> {
        for _ in 0..MOST_READS {
            let (living, n_reaped) = self.read_members();
            if !living.is_empty() || n_reaped == 0 {
                return living;
            }
        }
        Vec::new()
    }

    /// Reads the process table once. Returns the living members and how many dead ones were reaped.
    fn read_members(&mut self) -> (Vec<Process>, usize) {
        let ourselves = process::getpid().as_raw_nonzero().get();
        let table = process_table::read();
        self.recognise(&table, ourselves);
        let members = table.iter().filter(|it| self.known.contains(&(it.pid, it.began)));
        let (dead, living): (Vec<Process>, Vec<Process>) = members.partition(|it| it.is_dead);
        let mut n_reaped = 0;
        for orphan in dead.iter().filter(|it| it.parent == ourselves && it.pid != self.root) {
            let _ = process::waitpid(Pid::from_raw(orphan.pid), WaitOptions::NOHANG);
            n_reaped += 1;
        }
        (living, n_reaped)
    }

    /// Returns whether a process is an orphan that only this tree can have left: it became our child, leads a life
    /// outside of our session, and no other program that the runner started was running when it started.
    ///
    /// WHY: a process that leaves its session, its parents and its environment behind is found by nothing else.
    fn is_own_orphan(&self, process: &Process, ourselves: &Process, roots: &HashMap<i32, u64>) -> bool {
        let is_of_root = |pid: &i32| *pid == process.pid || *pid == process.session;
        self.root > 0
            && process.parent == ourselves.pid
            && process.session != ourselves.session
            && process.began >= self.began
            && !roots.keys().any(is_of_root)
            && !roots.iter().any(|(root, began)| *root != self.root && *began <= process.began)
    }

    /// Adds the processes that belong to a known member by session, group, parent or mark, and our orphans.
    fn recognise(&mut self, table: &[Process], ourselves: i32) {
        let began = self.began;
        if let Some(own) = table.iter().find(|it| it.pid == ourselves) {
            let guard = roots();
            let empty = HashMap::new();
            let roots = guard.as_ref().unwrap_or(&empty);
            let orphans = table.iter().filter(|it| self.is_own_orphan(it, own, roots));
            let orphans: Vec<(i32, u64)> = orphans.map(|it| (it.pid, it.began)).collect();
            self.known.extend(orphans);
        }
        for process in table.iter().filter(|it| it.pid != ourselves) {
            let is_near = self.root > 0 && (process.session == self.root || process.group == self.root);
            let identity = (process.pid, process.began);
            // Only processes younger than the program can be its descendants: this reads few environments.
            let is_marked =
                || process.began >= began && process_table::carries(process.pid, MARK, &self.mark);
            if !self.known.contains(&identity) && (is_near || is_marked()) {
                self.known.insert(identity);
            }
        }
        loop {
            let parents: HashSet<i32> =
                table.iter().filter(|it| self.known.contains(&(it.pid, it.began))).map(|it| it.pid).collect();
            let n_before = self.known.len();
            let children = table.iter().filter(|it| parents.contains(&it.parent) && it.pid != ourselves);
            self.known.extend(children.map(|it| (it.pid, it.began)));
            if self.known.len() == n_before {
                return;
            }
        }
    }
}

fn send(pid: i32, signal: Signal) {
    if let Some(pid) = Pid::from_raw(pid).filter(|_| pid > 1) {
        // A process that has exited meanwhile needs no signal.
        let _ = process::kill_process(pid, signal);
    }
}

const fn signal_of(stop: StopSignal) -> Signal {
    match stop {
        StopSignal::Terminate => Signal::TERM,
        StopSignal::Kill => Signal::KILL,
    }
}
