//! The family of a run where `/proc` tells who is whose child.

use std::collections::HashSet;
use std::sync::Once;
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{self, Pid, Signal, WaitOptions};

use super::Urgency;
use super::process_table::{self, Process};
use crate::MARK;

/// The processes of one run.
#[derive(Debug)]
pub(crate) struct Family {
    /// The program itself, which is also its session and group; zero if only the mark is known.
    root: i32,
    mark: String,
    /// Members seen so far, by pid and beginning: a number alone may have been given anew.
    known: HashSet<(i32, u64)>,
}

impl Family {
    /// The family of a program that was just started as the leader of a session.
    pub(crate) fn of_root(root: u32, mark: &str) -> Self {
        Self { root: i32::try_from(root).unwrap_or(0), mark: mark.to_owned(), known: HashSet::new() }
    }

    /// What is left of a run whose program is gone.
    pub(crate) fn of_mark(mark: &str) -> Self {
        Self { root: 0, mark: mark.to_owned(), known: HashSet::new() }
    }

    /// Makes orphans of our runs our children from now on.
    pub(crate) fn adopt_orphans() {
        static ONCE: Once = Once::new();
        // Without it an orphan belongs to init, and is still found by its mark.
        ONCE.call_once(|| {
            let _ = process::set_child_subreaper(Some(process::getpid()));
        });
    }

    /// Sends everybody the signal, the program included.
    pub(crate) fn signal(&mut self, urgency: Urgency) {
        let signal = signal_of(urgency);
        let members = self.living();
        if let Some(group) = Pid::from_raw(self.root).filter(|_| self.root > 0) {
            let _ = process::kill_process_group(group, signal);
        }
        for member in members {
            send(member.pid, signal);
        }
    }

    /// Returns whether anybody but the program itself is still alive.
    pub(crate) fn has_leftovers(&mut self) -> bool {
        let root = self.root;
        self.living().iter().any(|member| member.pid != root)
    }

    /// Kills until nobody is left, for at most a second; returns how many there were.
    pub(crate) fn end_now(&mut self) -> usize {
        let until = Instant::now() + Duration::from_secs(1);
        let mut seen = HashSet::new();
        loop {
            let members = self.living();
            seen.extend(members.iter().map(|member| member.pid));
            if members.is_empty() || Instant::now() >= until {
                return seen.len();
            }
            self.signal(Urgency::Forced);
            thread::sleep(Duration::from_millis(5));
        }
    }

    /// Reads the table, buries members that are dead and ours to bury, and returns the living.
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

    /// Adds to the known members whoever belongs to one: by session, group, parent or mark.
    fn recognise(&mut self, table: &[Process], ourselves: i32) {
        let began = table.iter().find(|it| it.pid == self.root).map_or(0, |it| it.began);
        for process in table.iter().filter(|it| it.pid != ourselves) {
            let is_near = self.root > 0 && (process.session == self.root || process.group == self.root);
            let identity = (process.pid, process.began);
            // Only processes younger than the program can be its descendants: few environments are read.
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
        // Who has ended in between needs no signal.
        let _ = process::kill_process(pid, signal);
    }
}

const fn signal_of(urgency: Urgency) -> Signal {
    match urgency {
        Urgency::Asked => Signal::TERM,
        Urgency::Forced => Signal::KILL,
    }
}
