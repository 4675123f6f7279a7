//! Maps the pages that every hook touches before it touches them.
//!
//! WHY: the kernel maps at most sixteen pages of the binary per page fault, and one page of the stack. One call for each
//! of the three areas replaces about thirty faults, which took 30 of 511 µs.
//!
//! The linker script of the static binary (`hooks.ld`) defines the ends of the code and of the constants; other builds
//! do not contain this file.
#![expect(unsafe_code, reason = "the kernel takes addresses")]

use std::ptr;

use rustix::mm::{Advice, madvise};

/// A page of the smallest size that the kernel uses.
const PAGE: usize = 4096;

/// The depth of the stack of a hook with the default modules.
const STACK: usize = 12 * PAGE;

unsafe extern "C" {
    #[link_name = "hook_code_begin"]
    static CODE_BEGIN: u8;
    #[link_name = "hook_code_end"]
    static CODE_END: u8;
    #[link_name = "hook_constants_begin"]
    static CONSTANTS_BEGIN: u8;
    #[link_name = "hook_constants_end"]
    static CONSTANTS_END: u8;
}

/// Maps the code, the constants and the stack of a hook. If the kernel cannot, it maps each page on first touch.
pub(super) fn map() {
    let on_stack = 0_u8;
    let stack = ptr::from_ref(&on_stack).addr();
    map_pages(stack.saturating_sub(STACK), stack, Advice::LinuxPopulateWrite);
    let code = (&raw const CODE_BEGIN, &raw const CODE_END);
    let constants = (&raw const CONSTANTS_BEGIN, &raw const CONSTANTS_END);
    for (begin, end) in [code, constants] {
        map_pages(begin.addr(), end.addr(), Advice::LinuxPopulateRead);
    }
}

fn map_pages(begin: usize, end: usize, advice: Advice) {
    let begin = begin - begin % PAGE;
    let area = ptr::with_exposed_provenance_mut(begin);
    // SAFETY: mapping a page changes no content; the kernel refuses addresses outside of the process.
    let _ = unsafe { madvise(area, end.saturating_sub(begin), advice) };
}
