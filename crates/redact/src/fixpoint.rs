//! Rescans next to the replacements until no more secrets are found.
//!
//! WHY: a reader's alphabet may run from one secret into the next (`Basic …=-----BEGIN …`), so that the
//! first fits its shape only once the second is gone. This makes redacting twice the
//! same as redacting once.

use std::ops::Range;

use crate::class::Class;
use crate::filter::replace;
use crate::{REPLACEMENT, contains, scan};

/// The bytes to rescan: few tokens are longer, and a longer one hardly touches another by chance.
const REACH: usize = 192;
/// The most rounds; only a string of nothing but touching secrets needs more.
const MAX_ROUNDS: usize = 8;

/// Replaces `secrets` in `bytes[from..until]` and the secrets next to them, and appends to `out`.
pub(crate) fn redact_to_fixpoint(
    bytes: &[u8],
    from: usize,
    until: usize,
    secrets: &[Range<usize>],
    out: &mut Vec<u8>,
) {
    let mut redacted = Vec::with_capacity(until.saturating_sub(from) + secrets.len() * REPLACEMENT.len());
    replace(bytes, from, until, secrets, &mut redacted);
    let mut spots = spots(bytes, from, secrets);
    for _ in 0..MAX_ROUNDS {
        let hidden = beside(&redacted, &spots);
        if hidden.is_empty() {
            break;
        }
        let mut next = Vec::with_capacity(redacted.len());
        replace(&redacted, 0, redacted.len(), &hidden, &mut next);
        spots = self::spots(&redacted, 0, &hidden);
        redacted = next;
    }
    out.append(&mut redacted);
}

/// Returns the ranges to rescan after the replacements: the text before those that a possible secret touches, and the
/// text around those that contained a line break, the end of a command or a line of an armoured key.
fn spots(bytes: &[u8], from: usize, secrets: &[Range<usize>]) -> Vec<Range<usize>> {
    let mut n_replaced = 0;
    let mut n_removed = from;
    let spot = |secret: &Range<usize>| {
        let spot = secret.start + n_replaced * REPLACEMENT.len() - n_removed;
        n_replaced += 1;
        n_removed += secret.len();
        let held_break = bytes[secret.clone()].iter().any(|byte| BREAKS.has(*byte))
            || contains(&bytes[secret.clone()], b"----");
        let n_after = REPLACEMENT.len() + if held_break { REACH } else { 1 };
        let is_spot = held_break || is_touched(&bytes[..secret.start]);
        is_spot.then(|| spot.saturating_sub(REACH)..spot + n_after)
    };
    secrets.iter().filter_map(spot).collect()
}

const BREAKS: Class = Class::of("\n|;&");
/// The characters that may end a secret of any kind. A value in whose alphabet the replacement itself is does not end
/// before it.
const RUN: Class = Class::of("!#-%*+.-:=?-Z\\^_a-z{}~@");
/// A feature of a short secret that no name has.
const TELLING: Class = Class::of("0-9!@#$%^*+~?{}\\");
/// A run of letters that is shorter is no secret of any kind.
const LEAST_LETTERS: usize = 20;

/// Returns whether `before` ends in what may be a secret once the text after it is gone. Mostly it is the name of the
/// secret or a quote.
fn is_touched(before: &[u8]) -> bool {
    let n_run = RUN.run_back(before, 64);
    let run = &before[before.len() - n_run..];
    n_run >= LEAST_LETTERS
        || n_run >= 4 && run.iter().any(|byte| TELLING.has(*byte))
        || before.last().is_some_and(|byte| !byte.is_ascii())
}

fn beside(bytes: &[u8], spots: &[Range<usize>]) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    let mut done = 0;
    for spot in spots {
        let from = spot.start.max(done);
        let until = bytes.len().min(spot.end);
        if from < until {
            found.extend(scan::secrets(bytes, from, until));
            done = until.max(found.last().map_or(0, |last| last.end));
        }
    }
    found
}
