//! Reads templates of a file and reports their mistakes at their place.

use config_file::{Code, LocatedString, Report};

use crate::template::available;
use crate::{Template, Trigger};

/// Makes a template and warns about its braces and about variables that its trigger does not have.
pub(super) fn template(
    written: &LocatedString,
    trigger: Option<&Trigger>,
    report: &mut Report<'_>,
) -> Template {
    let template = Template::new(written.text.clone());
    let source = report.source();
    let place = |at: usize, width: usize| written.part(source, at, width);
    for problem in template.problems() {
        let warning = report.warning(place(problem.at, problem.width), problem.code.sentence());
        warning.code = Code::new(problem.code.as_str());
    }
    if let Some(known) = trigger.and_then(available) {
        for name in template.variables() {
            if known.iter().any(|variable| variable.name == name) {
                continue;
            }
            let at = place(template.position(name).unwrap_or(0), name.len() + 2);
            let trigger = trigger.map(ToString::to_string).unwrap_or_default();
            let warning = report.warning(
                at,
                format!("`{{{name}}}` has no value for the trigger `{trigger}`; nothing is inserted"),
            );
            warning.code = Code::new("UNKNOWN_VARIABLE");
            let names = known.iter().map(|variable| variable.name);
            warning.hint = Some(match config_file::nearest(name, names.clone()) {
                Some(meant) => format!("did you mean `{{{meant}}}`?"),
                None => format!("use one of {}", names.collect::<Vec<_>>().join(", ")),
            });
        }
    }
    template
}
