//! Small blocks for the threads of a batch, each from free lists of its own thread.
//!
//! WHY: musl's allocator has one lock for all threads and takes several times as long as these lists; it made two
//! threads slower than one of glibc.
//!
//! A thread takes new blocks from its chunk of one reserved region, and a freed block stays with the thread that frees
//! it. Nothing returns to the system before the process ends, so only a process that ends with its input uses this.
//!
//! INVARIANT: a block lies in the region if and only if it comes from here, with the room of its class.

use std::alloc::Layout;
use std::cell::UnsafeCell;
use std::ptr;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::GRAIN;

/// The largest pooled block.
const LARGEST: usize = 1024;
const N_LISTS: usize = LARGEST / GRAIN;

/// The addresses that are reserved; pages are mapped on first touch.
const REGION: usize = 1 << 30;

/// The part of the region that a thread takes at once.
const CHUNK: usize = 64 * 1024;

/// The first address of the region; 0 without one.
static START: AtomicUsize = AtomicUsize::new(0);

/// The offset of the next chunk in the region.
static NEXT: AtomicUsize = AtomicUsize::new(0);

/// The blocks of one thread.
struct Pool {
    /// The rest of the thread's chunk.
    next: usize,
    end: usize,
    /// The first free block of each size; each free block holds the address of the next.
    free: [*mut u8; N_LISTS],
}

thread_local! {
    static POOL: UnsafeCell<Pool> =
        const { UnsafeCell::new(Pool { next: 0, end: 0, free: [ptr::null_mut(); N_LISTS] }) };
}

/// Reserves the region. Without one every block comes from the system.
pub(super) fn open() {
    #[cfg(target_os = "linux")]
    if START.load(Ordering::Relaxed) == 0 {
        // SAFETY: a new private mapping, which no other code knows.
        let region = unsafe {
            libc::mmap(
                ptr::null_mut(),
                REGION,
                libc::PROT_READ | libc::PROT_WRITE,
                libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE,
                -1,
                0,
            )
        };
        if region != libc::MAP_FAILED {
            START.store(region as usize, Ordering::Relaxed);
        }
    }
}

/// Returns whether a block comes from a pool.
#[inline]
pub(super) fn owns(block: *mut u8) -> bool {
    let start = START.load(Ordering::Relaxed);
    start != 0 && (block as usize).wrapping_sub(start) < REGION
}

/// Returns whether a block of this size may hold `new_size` bytes without moving.
#[inline]
pub(super) const fn has_room(size: usize, new_size: usize) -> bool {
    new_size <= LARGEST && list_of(size) == list_of(new_size)
}

/// Takes a block. Returns `None` if the process has no pools, for a large block, and once the region is used up.
#[inline]
pub(super) fn take(layout: Layout) -> Option<*mut u8> {
    if START.load(Ordering::Relaxed) == 0 || layout.size() > LARGEST || layout.align() > GRAIN {
        return None;
    }
    let list = list_of(layout.size());
    POOL.with(|pool| {
        // SAFETY: only this thread has it, and nothing below allocates.
        let pool = unsafe { &mut *pool.get() };
        let block = pool.free[list];
        if block.is_null() {
            return pool.cut((list + 1) * GRAIN);
        }
        // SAFETY: a free block holds the address of the next one.
        pool.free[list] = unsafe { block.cast::<*mut u8>().read_unaligned() };
        Some(block)
    })
}

/// Keeps a freed block for this thread.
#[inline]
pub(super) fn give_back(block: *mut u8, layout: Layout) {
    let list = list_of(layout.size());
    POOL.with(|pool| {
        // SAFETY: as in `take`; the block is free, aligned, and has room for an address.
        unsafe {
            let pool = &mut *pool.get();
            block.cast::<*mut u8>().write_unaligned(pool.free[list]);
            pool.free[list] = block;
        }
    });
}

const fn list_of(size: usize) -> usize {
    size.saturating_sub(1) / GRAIN
}

impl Pool {
    /// Cuts a new block from the thread's chunk.
    fn cut(&mut self, room: usize) -> Option<*mut u8> {
        if self.end - self.next < room {
            let chunk = NEXT.fetch_add(CHUNK, Ordering::Relaxed);
            if chunk > REGION - CHUNK {
                return None;
            }
            self.next = START.load(Ordering::Relaxed) + chunk;
            self.end = self.next + CHUNK;
        }
        let block = self.next;
        self.next += room;
        Some(ptr::with_exposed_provenance_mut(block))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_of_several_threads_do_not_overlap_and_may_be_freed_by_another() {
        open();
        let layout = |size: usize| Layout::from_size_align(size, 8).unwrap();
        let fill = |seed: u8| {
            let blocks: Vec<(usize, usize, u8)> = (1..400_usize)
                .map(|n| {
                    let size = n * 7 % 600 + 1;
                    let block = take(layout(size)).unwrap();
                    assert!(owns(block));
                    // SAFETY: the block was just taken with this size.
                    unsafe { ptr::write_bytes(block, seed, size) };
                    (block as usize, size, seed)
                })
                .collect();
            blocks
        };
        let mut all: Vec<(usize, usize, u8)> = std::thread::scope(|scope| {
            let threads: Vec<_> = (1..4).map(|seed| scope.spawn(move || fill(seed))).collect();
            threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
        });
        all.extend(fill(9));
        for &(block, size, seed) in &all {
            // SAFETY: the block is live and was filled by its thread, which has ended.
            let bytes =
                unsafe { std::slice::from_raw_parts(ptr::with_exposed_provenance::<u8>(block), size) };
            assert!(bytes.iter().all(|byte| *byte == seed));
        }
        for &(block, size, _) in &all {
            give_back(ptr::with_exposed_provenance_mut(block), layout(size));
        }
        let again = take(layout(600)).unwrap() as usize;
        assert!(all.iter().any(|(block, ..)| *block == again), "freed blocks are used again");
        assert_eq!(take(layout(LARGEST + 1)), None);
        assert!(has_room(17, 32) && !has_room(17, 33) && !has_room(1024, 1025));
    }
}
