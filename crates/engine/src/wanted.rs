//! Whether a run that waits is still wanted.

use automation::Occurrence;
use automation::queue::{Entry, Run};
use store::Timestamp;

use crate::ending::Ending;
use crate::roster::Roster;
use crate::verdict;

/// Returns how a waiting run ends that nobody wants any more.
pub(crate) fn unwanted(run: &Run, roster: &Roster, now: Timestamp) -> Option<Entry> {
    let ending = why_not(run, roster)?;
    Some(verdict::entry_for(run, None, ending, now))
}

fn why_not(run: &Run, roster: &Roster) -> Option<Ending> {
    if run.cancel_asked {
        return Some(Ending::Stopped { logs: String::new() });
    }
    let Some(member) = roster.get(&run.queued.hook) else {
        return Some(Ending::failure("NO_SUCH_HOOK", "the automation is not in the configuration any more"));
    };
    let is_by_hand = || run.queued.occurrence.what.to_string() == Occurrence::BY_HAND;
    if !member.automation.enabled && !is_by_hand() {
        return Some(Ending::failure("HOOK_DISABLED", "the automation was turned off while the run waited"));
    }
    // What others put into the queue was not matched here.
    let refusal = run.queued.occurrence.chain.check(&run.queued.hook).err().filter(|_| run.attempts == 0)?;
    Some(Ending::failure("CHAIN_REFUSED", refusal.to_string()))
}
