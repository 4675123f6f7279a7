//! Where in the tables a name stands, computed when the crate is compiled.
//!
//! WHY: every hook is a new process, so a map built at the start would cost more
//! than all lookups together.

use super::FAMILIES;

/// Slots of the open hash table; a power of two, about twice the number of programs.
const SLOTS: usize = 1024;

/// An empty slot.
const EMPTY: u16 = u16::MAX;

static SLOTS_OF_NAMES: [u16; SLOTS] = build();

/// Returns the positions (family, row) at which a name may stand, the likely one first.
pub(super) fn positions(name: &str) -> impl Iterator<Item = (usize, usize)> {
    let start = hash(name.as_bytes());
    (0..SLOTS)
        .map(move |step| SLOTS_OF_NAMES[(start + step) % SLOTS])
        .take_while(|slot| *slot != EMPTY)
        .map(|slot| (usize::from(slot >> 8), usize::from(slot & 0xff)))
}

const fn build() -> [u16; SLOTS] {
    let mut slots = [EMPTY; SLOTS];
    let mut family = 0;
    while family < FAMILIES.len() {
        let mut row = 0;
        while row < FAMILIES[family].len() {
            assert!(row < 256, "a family has more rows than a slot can name");
            let mut at = hash(FAMILIES[family][row].name.as_bytes());
            while slots[at] != EMPTY {
                at = (at + 1) % SLOTS;
            }
            #[expect(clippy::cast_possible_truncation, reason = "ten families of at most 256 rows")]
            let position = ((family << 8) | row) as u16;
            slots[at] = position;
            row += 1;
        }
        family += 1;
    }
    slots
}

/// FNV-1a, folded to a slot.
pub(super) const fn hash(name: &[u8]) -> usize {
    let mut value: u32 = 0x811c_9dc5;
    let mut at = 0;
    while at < name.len() {
        value = (value ^ name[at] as u32).wrapping_mul(0x0100_0193);
        at += 1;
    }
    ((value ^ (value >> 16)) as usize) % SLOTS
}
