//! The files that a recursive copy writes below its target.

use super::{Act, Walker};
use crate::reading::Span;
use crate::text::Text;

/// The most entries of a copied folder that are listed; of a larger one everything below the target counts as written.
const MAX_ENTRIES: usize = 256;

impl Walker<'_> {
    /// Records a write of each file below `target` that lies below `source` on the disk.
    ///
    /// WHY one by one: a file may be out of scope, ignored or governing although the folder of the copy is not.
    pub(crate) fn copy_tree(&mut self, source: &Text, target: &Text, follows_links: bool, span: Span) {
        let Some(from) = self.exact(source).filter(|_| self.is_local() && target.is_known() && !target.glob)
        else {
            return;
        };
        let mut folders = vec![String::new()];
        let (mut files, mut n_seen) = (Vec::new(), 0);
        while let Some(folder) = folders.pop() {
            for name in self.place.files.list(&format!("{from}/{folder}"), MAX_ENTRIES + 1) {
                n_seen += 1;
                let path = format!("{folder}{name}");
                if path.ends_with('/') { folders.push(path) } else { files.push(path) }
            }
            // What is behind a link is copied with `-L`, and not listed here.
            if n_seen > MAX_ENTRIES || n_seen > 0 && follows_links {
                self.touch(Act::WriteTree, target, span);
                return;
            }
        }
        for file in files {
            let mut copy = target.clone();
            copy.push_str("/");
            copy.push_str(&file);
            self.touch(Act::Write, &copy, span);
        }
    }
}
