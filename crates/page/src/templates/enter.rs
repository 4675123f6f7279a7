//! The page that exchanges the one-time token for a cookie, and the page for unknown addresses.

use maud::html;

use super::frame::{self, Frame};

/// Renders the form with the token; the script submits it at once, and without scripts a person does.
pub fn enter(frame: &Frame, token: &str) -> String {
    let content = html! {
        h1 { "Open steersman" }
        p.lead { "This link works once, in this browser." }
        form #enter method="post" action="/enter" {
            input type="hidden" name="once" value=(token);
            button type="submit" { "Open" }
        }
    };
    frame::fixed(frame, None, "Open", &content)
}

/// Renders the page for an address or a record that does not exist, or a request that is refused.
pub fn not_found(frame: &Frame, title: &str, message: &str) -> String {
    let content = html! {
        h1 { (title) }
        p.lead { (message) }
        p { a href="/" { "Back to the start page" } }
    };
    frame::fixed(frame, None, title, &content)
}
