//! Rescans next to the replacements until no more secrets are found.
//!
//! WHY: a reader's alphabet may run from one secret into the next (`Basic …=-----BEGIN …`), so that the
//! first fits its shape only once the second is gone. This makes redacting twice the
//! same as redacting once.

use std::ops::Range;

use crate::filter::replace;
use crate::{REPLACEMENT, scan};

/// The bytes to rescan: few tokens are longer, and a longer one hardly touches another by chance.
const REACH: usize = 192;
/// The most rounds; only a text of nothing but touching secrets needs more.
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

/// Returns the ranges to rescan after the replacements: the text before each, and the text
/// after those that contained a line break or the end of a command.
fn spots(bytes: &[u8], from: usize, secrets: &[Range<usize>]) -> Vec<Range<usize>> {
    let mut n_replaced = 0;
    let mut n_removed = from;
    let spot = |secret: &Range<usize>| {
        let spot = secret.start + n_replaced * REPLACEMENT.len() - n_removed;
        n_replaced += 1;
        n_removed += secret.len();
        let held_break = bytes[secret.clone()].iter().any(|byte| b"\n|;&".contains(byte));
        let n_after = REPLACEMENT.len() + if held_break { REACH } else { 1 };
        spot.saturating_sub(REACH)..spot + n_after
    };
    secrets.iter().map(spot).collect()
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
