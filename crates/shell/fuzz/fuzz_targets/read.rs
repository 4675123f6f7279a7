//! Any text is read and judged without panic, in every dialect.

#![no_main]

use libfuzzer_sys::fuzz_target;
use shell::guard::{self, Policy};
use shell::{Dialect, Place};

fuzz_target!(|command: &str| {
    for dialect in [Dialect::Posix, Dialect::PowerShell, Dialect::Cmd] {
        let place = Place { home: Some("/home/me"), dialect, ..Place::at("/home/me/work/project") };
        let reading = shell::read(command, &place);
        for simple in &reading.commands {
            assert!(simple.span.start <= simple.span.end && simple.span.end <= command.len());
        }
        guard::judge(&reading, &Policy::default());
    }
});
