//! The global allocator: an arena for the half millisecond of a hook, the system's allocator otherwise.
//!
//! The threads of a batch have free lists of their own (`pool.rs`).
//!
//! musl's allocator asks the kernel for nearly every block of a short process and returns it at once;
//! together that took a third of a hook's time. A hook allocates from one static block instead and reuses
//! freed memory: touching a page for the first time costs as much as hundreds of allocations. Requests that
//! do not fit go to the system.
//!
//! INVARIANT: only the thread that answers the hook allocates from the arena or frees its blocks, so nothing
//! here needs to be atomic. Other threads use the system's allocator and leak the arena's blocks instead of
//! freeing them. Signal handlers do not allocate. Until `main` has read the command line it cannot tell
//! whether this process is a hook; until then the only thread uses the arena.
//!
//! WHY a crate: the commands are not optimized in a quick release build, and every allocation of a batch passes here.

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]
#![expect(unsafe_code, reason = "a global allocator has no safe interface")]

mod pool;

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::UnsafeCell;
use std::ptr;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Enough for an ordinary payload and all values made from it. Untouched pages cost nothing.
const SIZE: usize = 1024 * 1024;

/// Alignment and size unit of every block.
const GRAIN: usize = 16;

/// Every hook needs this much, so its pages are mapped at once, which takes two thirds of the time of mapping
/// each on its first touch.
const FIRST: usize = 64 * 1024;

/// Additional memory depends on the event. Hooks that need more than this run scripts, which need much; their
/// pages are mapped in pieces.
const MUCH: usize = 96 * 1024;
const PIECE: usize = 32 * 1024;

/// Up to this size each multiple of the grain has its own free list; above it, each power of two.
const SMALL: usize = 1024;
const N_SMALL: usize = SMALL / GRAIN;
const N_LISTS: usize = N_SMALL + 6;

/// The thread that uses the arena, by the address of its mark.
static OWNER: AtomicUsize = AtomicUsize::new(if cfg!(test) { NO_THREAD } else { INITIAL_THREAD });

/// The only thread so far: `main` has not yet read the command line.
const INITIAL_THREAD: usize = 0;

/// No thread: the process is not a hook.
const NO_THREAD: usize = 1;

thread_local! {
    static MARK: u8 = const { 0 };
}

#[repr(align(4096))]
struct Memory(UnsafeCell<[u8; SIZE]>);

// SAFETY: each byte belongs to at most one live block.
unsafe impl Sync for Memory {}

static MEMORY: Memory = Memory(UnsafeCell::new([0; SIZE]));

/// The allocated part of the arena and its free lists.
struct ArenaState {
    /// The offset in the arena at which the next new block begins.
    next: usize,
    /// The end of all blocks ever allocated. Memory beyond it is still zero.
    touched: usize,
    /// The end of the pages that are mapped, or left to be mapped on first touch.
    paged: usize,
    /// The first free block of each size; each free block holds the address of the next.
    free: [*mut u8; N_LISTS],
}

struct OwnedArenaState(UnsafeCell<ArenaState>);

// SAFETY: only the owning thread accesses them.
unsafe impl Sync for OwnedArenaState {}

static BOOKS: OwnedArenaState = OwnedArenaState(UnsafeCell::new(ArenaState {
    next: 0,
    touched: 0,
    paged: 0,
    free: [ptr::null_mut(); N_LISTS],
}));

/// The global allocator.
pub struct Arena;

/// An allocated block.
struct Taken {
    block: *mut u8,
    /// The number of leading bytes that may be non-zero.
    n_used: usize,
}

impl Arena {
    /// Makes this thread allocate from the arena from now on; for a process that answers one hook event.
    pub fn use_arena() {
        OWNER.store(mark(), Ordering::Relaxed);
    }

    /// Makes every thread use the system's allocator from now on; for all other processes, before they start
    /// a thread.
    pub fn use_system() {
        OWNER.store(NO_THREAD, Ordering::Relaxed);
    }

    /// Makes every thread take small blocks from free lists of its own from now on; for a process that answers a batch
    /// and then ends.
    pub fn use_pools() {
        pool::open();
    }

    fn start() -> usize {
        MEMORY.0.get() as usize
    }

    fn owns(block: *mut u8) -> bool {
        (Self::start()..Self::start() + SIZE).contains(&(block as usize))
    }

    /// Returns the books, or `None` if this thread does not own them.
    fn books() -> Option<*mut ArenaState> {
        let owner = OWNER.load(Ordering::Relaxed);
        (owner == mark() || owner == INITIAL_THREAD).then(|| BOOKS.0.get())
    }

    #[inline]
    fn take(layout: Layout) -> Option<Taken> {
        // SAFETY: no other thread accesses the books, and `take` does not allocate.
        let books = unsafe { &mut *Self::books()? };
        books.take(layout)
    }
}

fn mark() -> usize {
    MARK.with(|mark| ptr::from_ref(mark) as usize)
}

/// The size and free list of a block.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Class {
    /// The size of the block.
    room: usize,
    /// Its free list; the largest classes have none.
    list: Option<usize>,
}

impl Class {
    /// WHY inlined: the program calls no function more often.
    #[inline]
    fn of(size: usize) -> Option<Self> {
        if size <= SMALL {
            let n_grains = size.div_ceil(GRAIN).max(1);
            return Some(Self { room: n_grains * GRAIN, list: Some(n_grains - 1) });
        }
        Self::of_large(size)
    }

    #[inline(never)]
    fn of_large(size: usize) -> Option<Self> {
        let room = size.checked_next_power_of_two()?;
        let list = N_SMALL + (room / SMALL).trailing_zeros() as usize - 1;
        if list < N_LISTS {
            return Some(Self { room, list: Some(list) });
        }
        Some(Self { room: size.checked_next_multiple_of(GRAIN)?, list: None })
    }
}

/// Maps the pages of a part of the arena. If the kernel cannot, each is mapped on first touch.
fn page_in(begin: usize, end: usize) {
    #[cfg(target_os = "linux")]
    // SAFETY: the part lies within the arena; the call does not change its content.
    unsafe {
        let part = MEMORY.0.get().cast::<u8>().add(begin);
        libc::madvise(part.cast(), end - begin, libc::MADV_POPULATE_WRITE);
    }
    #[cfg(not(target_os = "linux"))]
    let _ = (begin, end);
}

impl ArenaState {
    #[inline]
    fn take(&mut self, layout: Layout) -> Option<Taken> {
        let class = Class::of(layout.size())?;
        if layout.align() <= GRAIN
            && let Some(list) = class.list
            && !self.free[list].is_null()
        {
            let block = self.free[list];
            // SAFETY: a free block holds the address of the next one.
            self.free[list] = unsafe { block.cast::<*mut u8>().read_unaligned() };
            return Some(Taken { block, n_used: class.room });
        }
        let begin = self.next.checked_next_multiple_of(layout.align().max(GRAIN))?;
        let end = begin.checked_add(class.room).filter(|end| *end <= SIZE)?;
        let n_used = self.touched.saturating_sub(begin);
        self.next = end;
        self.touch_up_to(end);
        // SAFETY: the block lies within the arena.
        Some(Taken { block: unsafe { MEMORY.0.get().cast::<u8>().add(begin) }, n_used })
    }

    #[inline]
    fn give_back(&mut self, block: *mut u8, layout: Layout) {
        let Some(class) = Class::of(layout.size()) else { return };
        if self.is_last(block, class) {
            self.next -= class.room;
        } else if layout.align() <= GRAIN
            && let Some(list) = class.list
        {
            // SAFETY: the block is free and has room for an address.
            unsafe { block.cast::<*mut u8>().write_unaligned(self.free[list]) };
            self.free[list] = block;
        }
    }

    /// Returns whether the block, without moving, now has room for `new_size`.
    fn resize(&mut self, block: *mut u8, old_size: usize, new_size: usize) -> bool {
        let (Some(old), Some(new)) = (Class::of(old_size), Class::of(new_size)) else { return false };
        if old.room == new.room {
            return true;
        }
        if !self.is_last(block, old) || self.next - old.room + new.room > SIZE {
            return false;
        }
        self.next = self.next - old.room + new.room;
        self.touch_up_to(self.next);
        true
    }

    #[inline]
    fn touch_up_to(&mut self, end: usize) {
        self.touched = self.touched.max(end);
        if end > self.paged {
            self.make_pages(end);
        }
    }

    #[inline(never)]
    fn make_pages(&mut self, end: usize) {
        let begin = self.paged;
        self.paged = match begin {
            0 => FIRST.max(end.next_multiple_of(PIECE)),
            FIRST => MUCH.max(end.next_multiple_of(PIECE)),
            _ => end.next_multiple_of(PIECE),
        }
        .min(SIZE);
        // A larger block may be filled only in part.
        if begin != FIRST && self.paged - begin <= FIRST {
            page_in(begin, self.paged);
        }
    }

    fn is_last(&self, block: *mut u8, class: Class) -> bool {
        block as usize - Arena::start() + class.room == self.next
    }
}

// SAFETY: blocks of the arena and of the pools are aligned, in bounds and never overlap; all others belong to the
// system's allocator. Each block returns to the allocator it came from.
unsafe impl GlobalAlloc for Arena {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        match Self::take(layout) {
            Some(taken) => taken.block,
            None => match pool::take(layout) {
                Some(block) => block,
                // SAFETY: the caller upholds the contract of `GlobalAlloc`.
                None => unsafe { System.alloc(layout) },
            },
        }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        match Self::take(layout) {
            Some(Taken { block, n_used }) => {
                // SAFETY: at most the whole block, which was just allocated.
                unsafe { ptr::write_bytes(block, 0, n_used.min(layout.size())) };
                block
            }
            None => match pool::take(layout) {
                Some(block) => {
                    // SAFETY: the whole block, which was just allocated.
                    unsafe { ptr::write_bytes(block, 0, layout.size()) };
                    block
                }
                // SAFETY: as in `alloc`.
                None => unsafe { System.alloc_zeroed(layout) },
            },
        }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        if Self::owns(block) {
            if let Some(books) = Self::books() {
                // SAFETY: as in `take`.
                unsafe { &mut *books }.give_back(block, layout);
            }
        } else if pool::owns(block) {
            pool::give_back(block, layout);
        } else {
            // SAFETY: the block belongs to the system's allocator.
            unsafe { System.dealloc(block, layout) }
        }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        let may_stay = if Self::owns(block) {
            // SAFETY: as in `take`.
            Self::books().is_some_and(|books| unsafe { &mut *books }.resize(block, layout.size(), new_size))
        } else if pool::owns(block) {
            pool::has_room(layout.size(), new_size)
        } else {
            // SAFETY: the block belongs to the system's allocator.
            return unsafe { System.realloc(block, layout, new_size) };
        };
        if may_stay {
            return block;
        }
        // SAFETY: the caller guarantees that the size is valid with this alignment; the copy stays within
        // both blocks, and the old block is freed with its own layout.
        unsafe {
            let new = self.alloc(Layout::from_size_align_unchecked(new_size, layout.align()));
            if !new.is_null() {
                ptr::copy_nonoverlapping(block, new, layout.size().min(new_size));
                self.dealloc(block, layout);
            }
            new
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A single test uses the arena, because its books are global.
    #[test]
    fn blocks_do_not_overlap_are_zero_when_asked_and_are_used_again() {
        Arena::use_arena();
        let mut live: Vec<(*mut u8, Layout, u8)> = Vec::with_capacity(4096);
        let mut random: u64 = 0x9e37_79b9_7f4a_7c15;
        let mut next = |below: usize| {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            usize::try_from(random >> 33).unwrap() % below
        };
        let holds = |&(block, layout, byte): &(*mut u8, Layout, u8)| {
            // SAFETY: the block is live, and was filled when it was allocated.
            unsafe { std::slice::from_raw_parts(block, layout.size()) }.iter().all(|it| *it == byte)
        };
        for step in 0..20_000 {
            let byte = u8::try_from(step % 251).unwrap();
            match next(4) {
                0 | 1 if live.len() < 300 => {
                    let most = [40, 300, 3000, 40_000][next(4)];
                    let layout = Layout::from_size_align(1 + next(most), 1 << next(8)).unwrap();
                    // SAFETY: no size is zero.
                    let block = unsafe { Arena.alloc_zeroed(layout) };
                    assert!(!block.is_null() && (block as usize).is_multiple_of(layout.align()));
                    assert!(holds(&(block, layout, 0)), "{layout:?}");
                    // SAFETY: the block is as large as its layout.
                    unsafe { ptr::write_bytes(block, byte, layout.size()) };
                    live.push((block, layout, byte));
                }
                2 if !live.is_empty() => {
                    let (block, layout, byte) = live.swap_remove(next(live.len()));
                    let size = 1 + next(5000);
                    // SAFETY: the block is live, with this layout.
                    let block = unsafe { Arena.realloc(block, layout, size) };
                    let kept = Layout::from_size_align(layout.size().min(size), layout.align()).unwrap();
                    assert!(holds(&(block, kept, byte)), "{layout:?} to {size}");
                    // SAFETY: the block has this size now.
                    unsafe { ptr::write_bytes(block, byte, size) };
                    live.push((block, Layout::from_size_align(size, layout.align()).unwrap(), byte));
                }
                _ if !live.is_empty() => {
                    let last = live.swap_remove(next(live.len()));
                    assert!(holds(&last), "{:?}", last.1);
                    // SAFETY: the block is live, with this layout.
                    unsafe { Arena.dealloc(last.0, last.1) };
                }
                _ => {}
            }
        }
        assert!(live.iter().all(holds));
        let layout = Layout::from_size_align(2000, 8).unwrap();
        // SAFETY: allocated, freed and allocated again with the same layout.
        unsafe {
            let first = Arena.alloc(layout);
            let after = Arena.alloc(layout);
            Arena.dealloc(first, layout);
            assert_eq!(Arena.alloc(layout), first);
            Arena.dealloc(after, layout);
        }
    }
}
