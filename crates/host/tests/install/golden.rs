//! One text file per case under `tests/golden/install/`: for an existing file, the text before, a
//! line of `=`, the text after. `UPDATE_EXPECT=1` writes them. A carriage return is written as `␍`,
//! so that no tool removes it.

use expect_test::expect_file;
use host::install::{HookPlan, Program, Removed, register, unregister};

use crate::{left, plans};

const DIVIDER: &str = "================ after ================\n";

fn name(plan: &HookPlan) -> String {
    plan.file.trim_start_matches('.').trim_end_matches(".json").replace(['/', '.'], "-")
}

#[test]
fn where_there_is_no_file_one_is_written() {
    for plan in plans() {
        let after = register(plan, None, &Program::on_path()).unwrap();
        expect_file![format!("../golden/install/{}.new.txt", name(plan))].assert_eq(&after);

        let removed = unregister(plan, &after).unwrap();
        assert!(matches!(removed, Removed::OnlyOurs { .. }), "{}: {removed:?}", plan.file);
    }
}

#[test]
fn a_file_with_comments_and_foreign_hooks_keeps_them() {
    for plan in plans() {
        let path = format!("tests/golden/install/{}.existing.txt", name(plan));
        let golden = std::fs::read_to_string(&path).expect(&path);
        let before = golden.split(DIVIDER).next().unwrap_or_default().replace('␍', "\r");
        let after = register(plan, Some(&before), &Program::on_path()).unwrap();
        expect_file![format!("../golden/install/{}.existing.txt", name(plan))]
            .assert_eq(&format!("{before}{DIVIDER}{after}").replace('\r', "␍"));

        assert_eq!(left(unregister(plan, &after).unwrap(), &after), before);
    }
}
