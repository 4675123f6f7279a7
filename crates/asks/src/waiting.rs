//! The hook's side: waits until a person answers, the time is over, or the agent program has ended.
//!
//! The process sleeps in one system call until something happens.

use std::io;
use std::os::fd::OwnedFd;
use std::time::Instant;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, PidfdFlags, getppid, pidfd_open};
use session::person::{self, HostRecord, NotAPerson};

use crate::connection::{Connection, Received};
use crate::listener::AskListener;
use crate::message::{ClientLine, HookLine, Outcome};
use crate::{Answer, Ask, WaitingPlace};

/// How many clients may be connected; a new one replaces the oldest.
const MAX_CLIENTS: usize = 64;

/// Waits for the answer to an ask until `until`. Calls `opened` once clients can connect. `record` stores an answer before the client reads that it counts, and
/// returns why it cannot.
pub fn wait(
    ask: &Ask,
    place: WaitingPlace<'_>,
    until: Instant,
    opened: impl FnOnce(),
    record: impl FnMut(&Answer, u32) -> Result<(), String>,
) -> io::Result<Outcome> {
    let listener = AskListener::open(&store::asks_folder(place.user_state), &ask.id)?;
    let host = person::host_record();
    opened();
    let mut wait = Wait { ask, place, clients: Vec::new(), host, record };
    let outcome = wait.run(&listener, until)?;
    let closed = HookLine::Closed { outcome: outcome.clone() };
    for client in &mut wait.clients {
        if client.send(&closed) {
            let _ = client.close();
        }
    }
    Ok(outcome)
}

struct Wait<'a, R> {
    ask: &'a Ask,
    place: WaitingPlace<'a>,
    clients: Vec<Connection>,
    /// The agent program, which this process knows even if a command removes the record of it.
    host: Option<HostRecord>,
    record: R,
}

impl<R: FnMut(&Answer, u32) -> Result<(), String>> Wait<'_, R> {
    fn run(&mut self, listener: &AskListener, until: Instant) -> io::Result<Outcome> {
        let parents = Parents::watch();
        let stdout = io::stdout();
        loop {
            if parents.have_ended() {
                return Ok(Outcome::Withdrawn);
            }
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Ok(Outcome::TimedOut);
            }
            let timeout = Timespec {
                tv_sec: i64::try_from(left.as_secs()).unwrap_or(i64::MAX),
                tv_nsec: left.subsec_nanos().into(),
            };
            let mut polled = vec![
                // Its reader has closed it: the agent program does not wait any more.
                PollFd::new(&stdout, PollFlags::empty()),
                PollFd::new(&listener.socket, PollFlags::IN),
            ];
            polled.extend(self.clients.iter().map(|client| PollFd::new(&client.stream, PollFlags::IN)));
            polled.extend(parents.descriptors.iter().map(|parent| PollFd::new(parent, PollFlags::IN)));
            match poll(&mut polled, Some(&timeout)) {
                Ok(_) => {}
                Err(rustix::io::Errno::INTR) => continue,
                Err(error) => return Err(error.into()),
            }
            let ready: Vec<bool> = polled.iter().map(|polled| !polled.revents().is_empty()).collect();
            drop(polled);
            if ready[0] {
                return Ok(Outcome::Withdrawn);
            }
            let n_clients = self.clients.len();
            if let Some(outcome) = self.read_clients(&ready[2..2 + n_clients]) {
                return Ok(outcome);
            }
            if ready[1] {
                self.accept(listener);
            }
        }
    }

    fn accept(&mut self, listener: &AskListener) {
        while let Ok((stream, _)) = listener.socket.accept() {
            let Some(mut client) = Connection::accept(stream) else { continue };
            let token = client.token().to_owned();
            if !client.send(&HookLine::Ask { ask: Box::new(self.ask.clone()), token }) {
                continue;
            }
            if self.clients.len() == MAX_CLIENTS {
                self.clients.remove(0);
            }
            self.clients.push(client);
        }
    }

    /// Reads the clients that have sent something. Returns the outcome if one of them decides.
    fn read_clients(&mut self, ready: &[bool]) -> Option<Outcome> {
        let mut outcome = None;
        let mut index = 0;
        let mut clients = std::mem::take(&mut self.clients);
        clients.retain_mut(|client| {
            let is_ready = ready.get(index).copied().unwrap_or(false);
            index += 1;
            if !is_ready || outcome.is_some() {
                return true;
            }
            match client.receive() {
                Received::Nothing => true,
                Received::End => false,
                Received::Line(ClientLine::Withdraw) => {
                    if is_of_same_program(client) {
                        outcome = Some(Outcome::Withdrawn);
                    }
                    true
                }
                Received::Line(ClientLine::Answer { token, answer }) => {
                    match self.accept_answer(client, &token, &answer) {
                        Ok(()) => {
                            client.send(&HookLine::Accepted);
                            outcome = Some(Outcome::Answered(answer));
                            true
                        }
                        Err(why) => client.send(&HookLine::Refused { why }),
                    }
                }
            }
        });
        self.clients = clients;
        outcome
    }

    /// Checks that a person answers, and records the answer.
    fn accept_answer(&mut self, client: &Connection, token: &str, answer: &Answer) -> Result<(), String> {
        let WaitingPlace { workspace, user_state } = self.place;
        let sender = client.process().filter(|_| token == client.token()).ok_or(NotAPerson::Hidden);
        let checked = sender.and_then(|pid| {
            person::check_process(workspace, Some(user_state), pid, self.host.as_ref()).map(|()| pid)
        });
        let pid = checked.map_err(|refusal| {
            person::record_refusal(workspace, "ask", &refusal);
            format!("{refusal}\nhint: {}", refusal.hint())
        })?;
        (self.record)(answer, pid)
    }
}

/// Returns whether a client is a hook of the agent program that waits for this one.
fn is_of_same_program(client: &Connection) -> bool {
    let own = person::host_process();
    let above = client.process().map(person::ancestors_of).unwrap_or_default();
    own.is_some_and(|own| above.contains(&own))
}

/// The processes that read the hook's answer: its parent and the agent program.
struct Parents {
    pid: Option<Pid>,
    descriptors: Vec<OwnedFd>,
}

impl Parents {
    fn watch() -> Self {
        let host = person::host_process().and_then(|(pid, _)| Pid::from_raw(i32::try_from(pid).ok()?));
        let pid = getppid();
        let watched = pid.into_iter().chain(host.filter(|host| Some(*host) != pid));
        // Without a descriptor, as under an old kernel, the time limit ends the wait.
        let descriptors = watched.filter_map(|pid| pidfd_open(pid, PidfdFlags::empty()).ok()).collect();
        Self { pid, descriptors }
    }

    /// Returns whether one of them has ended.
    fn have_ended(&self) -> bool {
        if getppid() != self.pid {
            return true;
        }
        let mut polled: Vec<PollFd<'_>> =
            self.descriptors.iter().map(|parent| PollFd::new(parent, PollFlags::IN)).collect();
        let now = Timespec { tv_sec: 0, tv_nsec: 0 };
        poll(&mut polled, Some(&now)).is_ok_and(|n_ended| n_ended > 0)
    }
}
