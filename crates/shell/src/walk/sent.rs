//! Files and requests that leave the machine.

use super::{Call, Walker};
use crate::guard::RuleId;
use crate::network;
use crate::path::is_within;
use crate::reading::Span;
use crate::secrets;
use crate::text::Text;

impl Walker<'_> {
    /// Judges the files that the current command sends, its standard input included if `sends_input`, and forgets them.
    pub(crate) fn check_sent(&mut self, sends_input: bool, is_local: bool, span: Span) {
        let mut files = std::mem::take(&mut self.sent);
        if is_local || !self.is_local() {
            return;
        }
        if sends_input && let Some(input) = &self.state.stdin {
            // A file that is redirected or printed reads `$(<path)`.
            let file = input.text.trim().strip_prefix("$(<").and_then(|rest| rest.strip_suffix(')'));
            files.extend(file.filter(|file| !file.contains("$(<")).map(str::to_owned));
        }
        for file in files {
            if self.is_of_the_user(&file) && !secrets::is_secret(&file, &self.reading.home) {
                self.risk(RuleId::UploadOutside, file, span);
            }
        }
    }

    /// Adds the files that a word carries, as `x=$(base64 file)` in an address does, to those that the command sends.
    pub(crate) fn send_files_in(&mut self, word: &Text) {
        if word.is_known() {
            return;
        }
        // A file that is printed reads `$(<path)`, also inside of other text.
        for part in word.text.split("$(<").skip(1) {
            self.sent.extend(part.split_once(')').map(|(path, _)| path.to_owned()));
        }
    }

    /// Judges the files behind the first `n_reads` ones, which code has read and may send.
    pub(crate) fn sent_by_code(&mut self, n_reads: usize, span: Span) {
        let read = self.reading.reads.get(n_reads..).unwrap_or(&[]);
        self.sent = read.iter().map(|read| read.path.clone()).collect();
        self.check_sent(false, false, span);
    }

    /// Returns whether a file is neither the workspace's nor a temporary one, and was not made by this line.
    fn is_of_the_user(&self, path: &str) -> bool {
        path.starts_with('/')
            && !path.contains(['$', '`'])
            && !is_within(path, &self.reading.workspace)
            && !["/tmp", "/var/tmp", "/private/tmp", "/dev", "/proc/self", "/var/folders"]
                .iter()
                .any(|base| is_within(path, base))
            && self.state.content(path).is_none()
    }

    /// Records that a program asks the cloud's service of credentials.
    pub(super) fn asks_metadata(&mut self, call: &Call) {
        const ASK: [&str; 18] = [
            "curl", "wget", "http", "https", "xh", "xhs", "nc", "ncat", "netcat", "socat", "aria2c", "fetch",
            "lynx", "w3m", "links", "telnet", "httpie", "wget2",
        ];
        if !ASK.contains(&call.name.as_str()) {
            return;
        }
        if let Some(word) = call.rest().iter().find(|word| network::is_metadata_url(&word.text)) {
            self.risk(RuleId::CloudMetadata, word.text.clone(), call.span);
        }
    }
}
