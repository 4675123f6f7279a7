//! Output without an end that a file keeps: it grows until the disk is full.

use super::{Walker, base_name};
use crate::guard::RuleId;
use crate::reading::Span;
use crate::text::Text;

/// Files that can be read without ever coming to an end.
pub(crate) const ENDLESS: [&str; 3] = ["/dev/zero", "/dev/urandom", "/dev/random"];

impl Walker<'_> {
    /// Records that a command without an end writes to the file `path`: `yes > file`, `cat /dev/zero > file`.
    pub(super) fn fills_disk(&mut self, argv: &[Text], path: &str, span: Span) {
        let Some((program, words)) = argv.split_first() else { return };
        let is_endless = match base_name(&program.text) {
            "yes" => true,
            "cat" | "tac" | "base64" | "xxd" | "hexdump" | "od" => {
                words.iter().any(|word| ENDLESS.contains(&word.text.as_str()))
                    && !words.iter().any(|word| is_limit(&word.text))
            }
            _ => false,
        };
        if is_endless {
            self.risk(RuleId::ForkBomb, path, span);
        }
    }
}

/// `xxd -l 16`, `od -N16`, `hexdump -n 16` stop by themselves.
fn is_limit(word: &str) -> bool {
    ["-l", "-N", "-n", "--len", "--read-bytes", "--length"].iter().any(|option| word.starts_with(option))
}
