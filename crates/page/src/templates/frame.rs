//! The frame of all pages: navigation, workspace, state of the live updates.

use maud::{DOCTYPE, Markup, html};

use crate::assets::{ICON, SCRIPT, STYLE};
use crate::view::ServedPage;

/// The content of the frame of a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Frame {
    /// The workspace's folder.
    pub workspace: String,
    /// Whether this browser may change things.
    pub may_change: bool,
    /// How many calls wait for a person.
    pub n_asks: usize,
    /// How many requests for a wider scope wait for a person.
    pub n_requests: usize,
    /// The state that the page shows: the script loads the page again when the server reports another one.
    /// The server must determine it before it reads anything else, so that a page which a change overtakes has the older one.
    pub stamp: String,
    /// The pages of the other workspaces that are served on this machine.
    pub others: Vec<ServedPage>,
}

/// A part of the navigation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Section {
    /// The start page, and the sessions that it leads to.
    Now,
    /// The calls that wait for a person.
    Asks,
    /// The intents.
    Intents,
    /// The files that agents wrote.
    Files,
    /// The automations.
    Automations,
    /// The agents.
    Agents,
    /// The plan.
    Plan,
    /// The health of steersman itself.
    Health,
}

impl Section {
    const ALL: [Self; 8] = [
        Self::Now,
        Self::Asks,
        Self::Intents,
        Self::Files,
        Self::Automations,
        Self::Agents,
        Self::Plan,
        Self::Health,
    ];

    const fn entry(self) -> (&'static str, &'static str, &'static str) {
        match self {
            Self::Now => ("Now", "/", "n"),
            Self::Asks => ("Asks", "/asks", "k"),
            Self::Intents => ("Intents", "/intents", "i"),
            Self::Files => ("Files", "/files", "f"),
            Self::Automations => ("Automations", "/automations", "a"),
            Self::Agents => ("Agents", "/agents", "g"),
            Self::Plan => ("Plan", "/plan", "p"),
            Self::Health => ("Health", "/health", "h"),
        }
    }

    /// Returns how many things of a page wait for a person, and which. Returns `None` if nothing waits.
    fn waiting(self, frame: &Frame) -> Option<(usize, &'static str)> {
        let (n, of) = match self {
            Self::Asks => (frame.n_asks, "calls wait for you"),
            Self::Intents => (frame.n_requests, "requests for a wider scope wait for you"),
            _ => return None,
        };
        (n > 0).then_some((n, of))
    }
}

/// Renders a page whose content changes while it is shown.
pub(super) fn live(frame: &Frame, section: Section, title: &str, content: &Markup) -> String {
    whole(frame, Some(section), title, "live", content)
}

/// Renders a page whose content stays as it is.
pub(super) fn fixed(frame: &Frame, section: Option<Section>, title: &str, content: &Markup) -> String {
    whole(frame, section, title, "content", content)
}

fn whole(frame: &Frame, section: Option<Section>, title: &str, id: &str, content: &Markup) -> String {
    let folder = frame.workspace.rsplit('/').next().unwrap_or_default();
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (title) " · " (folder) " · steersman" }
                link rel="icon" href=(ICON.address());
                link rel="stylesheet" href=(STYLE.address());
                script type="module" src=(SCRIPT.address()) {}
            }
            body {
                a.skip href={ "#" (id) } { "Skip to the content" }
                div.shell {
                    header {
                        a.brand href="/" { img src=(ICON.address()) alt=""; "steersman" }
                        nav #pages aria-label="Pages" {
                            @for it in Section::ALL {
                                @let (name, path, key) = it.entry();
                                a href=(path) data-key=(key) aria-current=[(section == Some(it)).then_some("page")] {
                                    (name)
                                    @if let Some((n, of)) = it.waiting(frame) { span.count title=(of) { (n) } }
                                    kbd aria-hidden="true" { (key) }
                                }
                            }
                        }
                        @if !frame.others.is_empty() {
                            nav.others aria-label="Other workspaces" {
                                p { "Other workspaces" }
                                @for it in &frame.others {
                                    a href=(it.url) title=(it.workspace) { (it.name()) }
                                }
                            }
                        }
                        div.side {
                            p title=(frame.workspace) { (folder) }
                            @if id == "live" { p { span #live-state { "not live" } } }
                            @if !frame.may_change {
                                p.only { "Read-only. To answer and change things, open the link that " code { "steersman serve" } " printed." }
                            }
                        }
                    }
                    main id=(id) tabindex="-1" data-stamp=(frame.stamp) { (content) }
                }
            }
        }
    };
    page.into_string()
}
