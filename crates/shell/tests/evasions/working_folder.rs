//! `cd` changes what a relative path means.

use crate::{denied, passes};

#[test]
fn is_seen_through() {
    denied(&[
        "cd / && rm -rf *",
        "cd /; rm -rf .",
        "cd ~; rm -rf *",
        "cd; rm -rf *",
        "cd .. && rm -rf *",
        "cd ../.. ; rm -rf work",
        "pushd /etc; rm -rf *",
        "cd /tmp/../etc && rm -rf *",
        "cd / ; cd usr ; rm -rf lib",
        "D=/; cd $D && rm -rf *",
        "(cd /; rm -rf etc)",
        "cd src && cd ../.. && rm -rf *",
        "git -C / clean -fdx",
        "env -C / rm -rf etc",
        "make -C / x; cd /etc && rm -f *",
        "find / -maxdepth 1 | xargs rm -rf",
    ]);
}

#[test]
fn is_not_suspected_where_nothing_happens() {
    passes(&["cd build && rm -rf *", "cd /tmp/x && rm -rf *", "(cd / && ls); rm -rf dist"]);
}
