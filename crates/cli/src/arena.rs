//! The allocator: a bump arena for the half millisecond of a hook, the system's otherwise.
//!
//! musl's allocator asks the kernel for nearly every block a short process needs, and
//! gives it back again at once; together that was a third of a hook's time. Here a hook
//! takes its memory from one piece that is there from the start and gives nothing back.
//! What does not fit goes to the system.
#![expect(unsafe_code, reason = "a global allocator has no safe interface")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::UnsafeCell;
use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// Enough for a payload of ordinary size and everything made of it. Untouched pages cost nothing.
const SIZE: usize = 1024 * 1024;

/// Whether allocations come from the arena.
static IN_HOOK: AtomicBool = AtomicBool::new(false);

/// Where the next block begins, as an offset into the arena.
static NEXT: AtomicUsize = AtomicUsize::new(0);

/// Up to where blocks have ever been handed out. What lies beyond is still zero, and its pages
/// are still to be made by the kernel.
static TOUCHED: AtomicUsize = AtomicUsize::new(0);

#[repr(align(4096))]
struct Memory(UnsafeCell<[u8; SIZE]>);

// SAFETY: every byte is handed out at most once at a time; `NEXT` says which are taken.
unsafe impl Sync for Memory {}

static MEMORY: Memory = Memory(UnsafeCell::new([0; SIZE]));

/// The global allocator.
pub(crate) struct Arena;

impl Arena {
    /// Takes all further memory from the arena; for a process that answers one hook event.
    pub(crate) fn serve_hook() {
        IN_HOOK.store(true, Ordering::Relaxed);
    }

    fn start() -> usize {
        MEMORY.0.get() as usize
    }

    fn owns(block: *mut u8) -> bool {
        (Self::start()..Self::start() + SIZE).contains(&(block as usize))
    }

    /// Takes a block: its offset, and up to where the arena was touched before.
    fn take(layout: Layout) -> Option<(usize, usize)> {
        let mut next = NEXT.load(Ordering::Relaxed);
        loop {
            let begin = next.checked_next_multiple_of(layout.align())?;
            let end = begin.checked_add(layout.size()).filter(|end| *end <= SIZE)?;
            match NEXT.compare_exchange_weak(next, end, Ordering::Relaxed, Ordering::Relaxed) {
                Ok(_) => return Some((begin, TOUCHED.fetch_max(end, Ordering::Relaxed))),
                Err(seen) => next = seen,
            }
        }
    }

    fn block(offset: usize) -> *mut u8 {
        // SAFETY: offsets that are handed out lie within the arena.
        unsafe { MEMORY.0.get().cast::<u8>().add(offset) }
    }

    /// Returns whether the block was the last one taken and now ends at `new_size`.
    fn resize_last(block: *mut u8, old_size: usize, new_size: usize) -> bool {
        let begin = block as usize - Self::start();
        let (old_end, new_end) = (begin + old_size, begin + new_size);
        let is_resized = new_end <= SIZE
            && NEXT.compare_exchange(old_end, new_end, Ordering::Relaxed, Ordering::Relaxed).is_ok();
        if is_resized {
            TOUCHED.fetch_max(new_end, Ordering::Relaxed);
        }
        is_resized
    }
}

// SAFETY: blocks from the arena are aligned, in bounds and never overlap; all others are
// the system allocator's, and each goes back to where it came from.
unsafe impl GlobalAlloc for Arena {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        match IN_HOOK.load(Ordering::Relaxed).then(|| Self::take(layout)).flatten() {
            Some((offset, _)) => Self::block(offset),
            // SAFETY: the caller keeps `GlobalAlloc`'s contract.
            None => unsafe { System.alloc(layout) },
        }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        match IN_HOOK.load(Ordering::Relaxed).then(|| Self::take(layout)).flatten() {
            Some((offset, touched)) => {
                let block = Self::block(offset);
                // SAFETY: at most the whole block, which was just taken.
                unsafe { ptr::write_bytes(block, 0, touched.saturating_sub(offset).min(layout.size())) };
                block
            }
            // SAFETY: as in `alloc`.
            None => unsafe { System.alloc_zeroed(layout) },
        }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        if Self::owns(block) {
            Self::resize_last(block, layout.size(), 0);
        } else {
            // SAFETY: the block is the system's.
            unsafe { System.dealloc(block, layout) }
        }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        if !Self::owns(block) {
            // SAFETY: the block is the system's.
            return unsafe { System.realloc(block, layout, new_size) };
        }
        if Self::resize_last(block, layout.size(), new_size) {
            return block;
        }
        // SAFETY: the size is the caller's and valid with this alignment; the copy stays within both blocks.
        unsafe {
            let new = self.alloc(Layout::from_size_align_unchecked(new_size, layout.align()));
            if !new.is_null() {
                ptr::copy_nonoverlapping(block, new, layout.size().min(new_size));
            }
            new
        }
    }
}
