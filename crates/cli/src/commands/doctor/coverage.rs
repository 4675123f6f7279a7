//! The share of calls that hooks judged, in the latest session of each agent program.

use host::Host;

use super::finding::{Finding, Mark};
use crate::commands::Place;
use crate::commands::session::share_of_latest_sessions;

/// Reports the share per agent program, where its transcript proves it.
pub(super) fn findings(place: &Place) -> Vec<Finding> {
    let shares = share_of_latest_sessions(place);
    shares
        .into_iter()
        .filter(|share| share.calls > 0)
        .map(|share| {
            let title = Host::title(share.host);
            let text = format!(
                "{title}: hooks judged {} of {} calls of session {}, by the program's own transcript",
                share.governed, share.calls, share.session
            );
            if share.governed == share.calls {
                return Finding::new(Mark::Fine, text);
            }
            let hint = format!(
                "run `steersman session coverage {}` for the calls that no hook judged",
                share.session
            );
            Finding::new(Mark::Warning, text).hint(hint)
        })
        .collect()
}
