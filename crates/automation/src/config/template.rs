//! Templates in a file: what is wrong with them, at their place in it.

use config_file::{Code, Report, Written};

use crate::template::available;
use crate::{Template, Trigger};

/// Takes a template, with warnings about its braces and about variables its trigger has not.
pub(super) fn template(written: &Written, trigger: Option<&Trigger>, report: &mut Report<'_>) -> Template {
    let template = Template::new(written.text.clone());
    let source = report.source();
    let place = |at: usize, width: usize| written.part(source, at, width);
    for problem in template.problems() {
        let told = report.warning(place(problem.at, problem.width), problem.code.sentence());
        told.code = Code::new(problem.code.as_str());
    }
    if let Some(known) = trigger.and_then(available) {
        for name in template.variables() {
            if known.iter().any(|variable| variable.name == name) {
                continue;
            }
            let at = place(template.position(name).unwrap_or(0), name.len() + 2);
            let trigger = trigger.map(ToString::to_string).unwrap_or_default();
            let told = report.warning(
                at,
                format!("`{{{name}}}` has no value when `{trigger}` happens; nothing is inserted"),
            );
            told.code = Code::new("UNKNOWN_VARIABLE");
            let names = known.iter().map(|variable| variable.name);
            told.hint = Some(match config_file::nearest(name, names.clone()) {
                Some(meant) => format!("did you mean `{{{meant}}}`?"),
                None => format!("use one of {}", names.collect::<Vec<_>>().join(", ")),
            });
        }
    }
    template
}
