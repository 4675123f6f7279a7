//! Finds the anchors of all kinds in one pass.
//!
//! Three bytes at a time are hashed into a table that the compiler has filled,
//! so a process pays nothing to set it up. An Aho-Corasick automaton over the same
//! anchors costs about 70 µs to build, which is more than most texts take to scan.

use crate::kind::Kind;
use crate::kinds::FAMILIES;

/// An anchor, its kind, and the next anchor whose first three bytes hash alike.
pub(crate) struct Anchor {
    pub(crate) literal: &'static str,
    pub(crate) kind: &'static Kind,
    next: u16,
}

const BITS: u32 = 13;
const NO_ANCHOR: u16 = u16::MAX;
const N_ANCHORS: usize = count_anchors();

static TABLE: Table = build();

struct Table {
    heads: [u16; 1 << BITS],
    anchors: [Anchor; N_ANCHORS],
}

/// Returns the first position at or after `from` where an anchor's first three bytes may be.
pub(crate) fn next_candidate(bytes: &[u8], from: usize) -> Option<usize> {
    let mut at = from;
    // Eight bytes hold six triples; as a missing head is all ones, one comparison serves them all.
    while let Some(eight) = bytes.get(at..).and_then(|rest| rest.first_chunk::<8>()) {
        let heads: [u16; 6] =
            std::array::from_fn(|offset| head(eight[offset], eight[offset + 1], eight[offset + 2]));
        if heads.iter().fold(NO_ANCHOR, |all, head| all & head) != NO_ANCHOR {
            return heads.iter().position(|head| *head != NO_ANCHOR).map(|offset| at + offset);
        }
        at += 6;
    }
    let offset =
        bytes.get(at..)?.windows(3).position(|three| head(three[0], three[1], three[2]) != NO_ANCHOR)?;
    Some(at + offset)
}

/// Returns the anchors at `at`, the longest literals first.
pub(crate) fn anchors_at(bytes: &[u8], at: usize) -> impl Iterator<Item = &'static Anchor> {
    let rest = bytes.get(at..).unwrap_or_default();
    let mut next = match rest {
        [first, second, third, ..] => head(*first, *second, *third),
        _ => NO_ANCHOR,
    };
    std::iter::from_fn(move || {
        while let Some(anchor) = TABLE.anchors.get(usize::from(next)) {
            next = anchor.next;
            if rest.starts_with(anchor.literal.as_bytes()) {
                return Some(anchor);
            }
        }
        None
    })
}

fn head(first: u8, second: u8, third: u8) -> u16 {
    TABLE.heads[hash(first, second, third)]
}

const fn hash(first: u8, second: u8, third: u8) -> usize {
    let three = u32::from_le_bytes([first, second, third, 0]);
    (three.wrapping_mul(0x9E37_79B1) >> (32 - BITS)) as usize
}

const fn count_anchors() -> usize {
    let mut n_anchors = 0;
    let mut family = 0;
    while family < FAMILIES.len() {
        let mut kind = 0;
        while kind < FAMILIES[family].len() {
            n_anchors += FAMILIES[family][kind].anchors.len();
            kind += 1;
        }
        family += 1;
    }
    n_anchors
}

const fn build() -> Table {
    const NONE: Anchor = Anchor { literal: "", kind: &FAMILIES[0][0], next: NO_ANCHOR };
    let mut table = Table { heads: [NO_ANCHOR; 1 << BITS], anchors: [NONE; N_ANCHORS] };
    let mut n_anchors = 0;
    let mut family = 0;
    while family < FAMILIES.len() {
        let mut kind = 0;
        while kind < FAMILIES[family].len() {
            let entry = &FAMILIES[family][kind];
            let mut index = 0;
            while index < entry.anchors.len() {
                insert(&mut table, n_anchors, entry, entry.anchors[index]);
                n_anchors += 1;
                index += 1;
            }
            kind += 1;
        }
        family += 1;
    }
    table
}

/// Puts an anchor into its chain, behind those that are longer: `sk-ant-` is asked before `sk-`.
#[expect(clippy::cast_possible_truncation, reason = "there are a few hundred anchors")]
const fn insert(table: &mut Table, index: usize, kind: &'static Kind, literal: &'static str) {
    let bytes = literal.as_bytes();
    let slot = hash(bytes[0], bytes[1], bytes[2]);
    let mut previous = NO_ANCHOR;
    let mut next = table.heads[slot];
    while next != NO_ANCHOR && table.anchors[next as usize].literal.len() >= literal.len() {
        previous = next;
        next = table.anchors[next as usize].next;
    }
    table.anchors[index] = Anchor { literal, kind, next };
    if previous == NO_ANCHOR {
        table.heads[slot] = index as u16;
    } else {
        table.anchors[previous as usize].next = index as u16;
    }
}
