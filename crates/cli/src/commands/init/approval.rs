//! Records the user's approval of the MCP server where an agent program asks for one, and takes it back.

use std::path::PathBuf;

use host::Host;
use host::install::{Approval, Program, Root, ServerApproval, SettingsFile};
use store::Workspace;

use super::registration::Parts;
use crate::change::{Change, ChangeError, Writer};
use crate::commands::Place;
use crate::commands::level::in_folder_of_user;
use crate::output;

/// Approves the server for each of these hosts. Without [`Parts::HooksAndServer`] only an approval of an earlier
/// form of the entry is renewed.
pub(super) fn approve_all(
    hosts: &[Host],
    parts: Parts,
    program: &Program,
    place: &Place,
    writer: &mut Writer<'_>,
) {
    for approval in ServerApproval::ALL.iter().filter(|approval| hosts.contains(&approval.host)) {
        // The registration has reported an error in these settings.
        let Ok(Some(settings)) = settings_with_server(approval, parts, program, &place.workspace) else {
            continue;
        };
        let project = real_root(&place.workspace);
        in_folder_of(approval, place, writer, |writer, file| {
            let mut found = Approval::Missing;
            let planned = Change::plan(writer.workspace, file, |before| {
                let text = before.unwrap_or_default();
                let failed = |error| ChangeError::edit(file, text, error);
                found = approval.found_in(text, &project, &settings).map_err(failed)?;
                if parts == Parts::Hooks && found == Approval::Missing {
                    return Ok(before.map(str::to_owned));
                }
                approval.approve(before, &project, &settings).map(Some).map_err(failed)
            });
            match planned {
                Err(error) => writer.fail(&error),
                Ok(change) => {
                    let is_news = !change.is_nothing();
                    if writer.apply(&change) {
                        report(approval, found, is_news, file, writer);
                    }
                }
            }
        });
    }
}

/// Takes the approvals of these hosts back.
pub(crate) fn withdraw_all(hosts: &[Host], place: &Place, writer: &mut Writer<'_>) {
    for approval in ServerApproval::ALL.iter().filter(|approval| hosts.contains(&approval.host)) {
        let project = real_root(&place.workspace);
        in_folder_of(approval, place, writer, |writer, file| {
            let planned = Change::plan_removal(writer.workspace, file, |text| {
                let failed = |error| ChangeError::edit(file, text, error);
                approval.withdraw(text, &project).map_err(failed)
            });
            match planned {
                Err(error) => writer.fail(&error),
                Ok(change) if change.is_nothing() => {}
                Ok(change) => {
                    if writer.apply(&change) {
                        let did = if writer.writes() { "withdrew" } else { "would withdraw" };
                        output::note(&format!(
                            "✓ {}: {did} the approval of the MCP server in {}{file}",
                            approval.host.title(),
                            writer.prefix,
                        ));
                    }
                }
            }
        });
    }
}

/// Returns the settings with the server as they are after this command. Returns `None` without a server in them.
fn settings_with_server(
    approval: &ServerApproval,
    parts: Parts,
    program: &Program,
    workspace: &Workspace,
) -> Result<Option<String>, ChangeError> {
    let files = SettingsFile::of(&[approval.host]);
    let Some(settings) = files.into_iter().find(|settings| settings.server.is_some()) else {
        return Ok(None);
    };
    let mut text = None;
    Change::plan(workspace, settings.file, |before| {
        let now = before.unwrap_or_default();
        let failed = |error| ChangeError::edit(settings.file, now, error);
        let is_registered = settings.found_in(now).map_err(failed)?.server.is_some();
        if parts == Parts::HooksAndServer || is_registered {
            text = Some(settings.register(before, program).map_err(failed)?);
        }
        Ok(before.map(str::to_owned))
    })?;
    Ok(text)
}

/// Calls `edit` with the writer of the folder that contains the file of an approval.
fn in_folder_of(
    approval: &ServerApproval,
    place: &Place,
    writer: &mut Writer<'_>,
    edit: impl FnOnce(&mut Writer<'_>, &'static str),
) {
    if approval.root == Root::Home {
        in_folder_of_user(approval.file, place, writer, edit);
    } else {
        edit(writer, approval.file);
    }
}

/// Returns the project as agent programs see it.
fn real_root(workspace: &Workspace) -> PathBuf {
    let root = workspace.root().as_path();
    root.canonicalize().unwrap_or_else(|_| root.to_path_buf())
}

fn report(approval: &ServerApproval, found: Approval, is_news: bool, file: &str, writer: &Writer<'_>) {
    let title = approval.host.title();
    let file = format!("{}{file}", writer.prefix);
    match found {
        Approval::Refused => output::note(&format!(
            "  note: {title}: you refused the MCP server ({file}), so it stays off; remove the refusal there to use intents"
        )),
        _ if is_news => {
            let did = if writer.writes() { "approved" } else { "would be approved" };
            output::note(&format!("✓ {title}: MCP server {did} in {file}"));
        }
        _ => {}
    }
}
