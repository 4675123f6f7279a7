//! Finds the anchors of all kinds in one pass.
//!
//! Three bytes at a time are hashed into a table that the compiler has filled,
//! so a process pays nothing to set it up. One bit of a larger table says first whether there is an anchor at
//! all: with one slot in twenty taken, the chains themselves would be asked every twenty bytes for nothing. An Aho-Corasick automaton over the same
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
/// The bits of the first table: 8 kB, which stay in the processor's nearest cache.
const FIRST_BITS: u32 = 16;
const NO_ANCHOR: u16 = u16::MAX;
const N_ANCHORS: usize = count_anchors();

static TABLE: Table = build();
static FIRST: [u64; 1 << (FIRST_BITS - 6)] = build_first();

struct Table {
    heads: [u16; 1 << BITS],
    anchors: [Anchor; N_ANCHORS],
}

/// Returns the first position at or after `from` where an anchor's first three bytes may be.
pub(crate) fn next_candidate(bytes: &[u8], from: usize) -> Option<usize> {
    let mut at = from;
    // Eight bytes hold six triples; one comparison serves them all.
    while let Some(eight) = bytes.get(at..).and_then(|rest| rest.first_chunk::<8>()) {
        let eight = u64::from_le_bytes(*eight);
        let hits = (0..6).fold(0_u64, |hits, offset| hits | may_begin(eight >> (8 * offset)) << offset);
        if hits != 0 {
            return Some(at + hits.trailing_zeros() as usize);
        }
        at += 6;
    }
    let is_candidate =
        |three: &[u8]| may_begin(u64::from(u32::from_le_bytes([three[0], three[1], three[2], 0]))) == 1;
    let offset = bytes.get(at..)?.windows(3).position(is_candidate)?;
    Some(at + offset)
}

/// Returns 1 if the lowest three bytes may begin an anchor, else 0: no branch, as six of them are asked at once.
fn may_begin(three: u64) -> u64 {
    let slot = first_hash(three);
    FIRST[slot >> 6] >> (slot & 63) & 1
}

#[expect(clippy::cast_possible_truncation, reason = "the upper bytes are cut off on purpose")]
const fn first_hash(three: u64) -> usize {
    ((three as u32 & 0x00FF_FFFF).wrapping_mul(0x9E37_79B1) >> (32 - FIRST_BITS)) as usize
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
            let literal = anchor.literal.as_bytes();
            // WHY the third byte first: the chain holds other anchors too, and comparing slices is a call.
            if literal[2] == rest[2] && rest.starts_with(literal) {
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

const fn build_first() -> [u64; 1 << (FIRST_BITS - 6)] {
    let mut first = [0; 1 << (FIRST_BITS - 6)];
    let mut index = 0;
    while index < N_ANCHORS {
        let bytes = TABLE.anchors[index].literal.as_bytes();
        let slot = first_hash(u32::from_le_bytes([bytes[0], bytes[1], bytes[2], 0]) as u64);
        first[slot >> 6] |= 1 << (slot & 63);
        index += 1;
    }
    first
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

#[expect(clippy::large_stack_arrays, reason = "the compiler runs it")]
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
