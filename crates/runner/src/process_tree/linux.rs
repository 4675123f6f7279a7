//! The process tree of a run, read from `/proc`.

use std::collections::HashSet;
use std::sync::Once;
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{self, Pid, Signal, WaitOptions};

use super::StopSignal;
use super::process_table::{self, Process};
use crate::MARK;

/// The processes of one run.
#[derive(Debug)]
pub(crate) struct ProcessTree {
    /// The program, which also leads its session and group; zero if only the mark is known.
    root: i32,
    mark: String,
    /// The members seen so far, by pid and start time: the system reuses pids.
    known: HashSet<(i32, u64)>,
}

impl ProcessTree {
    /// Returns the tree of a program that was just started as the leader of a session.
    pub(crate) fn of_root(root: u32, mark: &str) -> Self {
        Self { root: i32::try_from(root).unwrap_or(0), mark: mark.to_owned(), known: HashSet::new() }
    }

    /// Returns the remaining processes of a run whose program has exited.
    pub(crate) fn of_mark(mark: &str) -> Self {
        Self { root: 0, mark: mark.to_owned(), known: HashSet::new() }
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
    pub(crate) fn signal(&mut self, stop: StopSignal) {
        let signal = signal_of(stop);
        let members = self.living();
        if let Some(group) = Pid::from_raw(self.root).filter(|_| self.root > 0) {
            let _ = process::kill_process_group(group, signal);
        }
        for member in members {
            send(member.pid, signal);
        }
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

    /// Reads the process table, reaps dead members that are our children, and returns the living.
    fn living(&mut self) -> Vec<Process> {
        let ourselves = process::getpid().as_raw_nonzero().get();
        let table = process_table::read();
        self.recognise(&table, ourselves);
        let members = table.iter().filter(|it| self.known.contains(&(it.pid, it.began)));
        let (dead, living): (Vec<Process>, Vec<Process>) = members.partition(|it| it.is_dead);
        for orphan in dead.iter().filter(|it| it.parent == ourselves && it.pid != self.root) {
            let _ = process::waitpid(Pid::from_raw(orphan.pid), WaitOptions::NOHANG);
        }
        living
    }

    /// Adds the processes that belong to a known member by session, group, parent or mark.
    fn recognise(&mut self, table: &[Process], ourselves: i32) {
        let began = table.iter().find(|it| it.pid == self.root).map_or(0, |it| it.began);
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
