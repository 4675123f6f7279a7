//! Containers: what their options open of this machine.

use super::{Call, Walker};
use crate::reading::Origin;
use crate::text::Text;

impl Walker<'_> {
    /// Looks at mounts and rights a container is given.
    pub(super) fn container_options(&mut self, call: &Call) {
        let rest = call.rest();
        for (index, arg) in rest.iter().enumerate() {
            let text = arg.text.as_str();
            let next = rest.get(index + 1);
            let mount = match text {
                "-v" | "--volume" => next.map(|next| next.text.as_str()),
                "--mount" => next.and_then(|next| mount_source(next)),
                _ => text
                    .strip_prefix("--volume=")
                    .or_else(|| text.strip_prefix("-v").filter(|rest| rest.starts_with('/'))),
            };
            if let Some((here, there)) = mount.and_then(|mount| mount.split_once(':')) {
                let here = self.resolve(&Text::known(here)).0;
                let there = there.split(':').next().unwrap_or(there);
                self.mounts.push((crate::path::normalise(there), here));
            }
            if let Some(source) = mount.and_then(|mount| mount.split(':').next())
                && matches!(source, "/" | "/etc" | "/root" | "/boot" | "/dev" | "/var/run/docker.sock")
            {
                self.risk(
                    if source == "/" { "container-host-root" } else { "container-host-access" },
                    source,
                    call.span,
                );
            }
            if matches!(text, "--privileged" | "--pid=host" | "--cap-add=ALL" | "--cap-add=SYS_ADMIN") {
                self.risk("container-host-access", text, call.span);
            }
        }
    }

    /// `-o ProxyCommand=…` runs a command here.
    pub(crate) fn ssh_options(&mut self, call: &Call) {
        // A port of this machine that the other one can reach; behind the host stands its command.
        let mut takes = false;
        for word in call.rest() {
            let text = word.text.as_str();
            if std::mem::take(&mut takes) {
                continue;
            }
            if !text.starts_with('-') {
                break;
            }
            takes = text.len() > 1 && text.ends_with(|flag: char| "BbcDEeFIiJLlmOopQRSWw".contains(flag));
            if text.starts_with("-R") || takes && text.ends_with('R') {
                self.risk("tunnel", "ssh -R", call.span);
            }
        }
        for word in call.rest() {
            let option = word.text.trim_start_matches("-o").trim_start();
            let command = ["ProxyCommand", "LocalCommand", "KnownHostsCommand"]
                .iter()
                .find_map(|name| option.strip_prefix(name))
                .map(|rest| rest.trim_start_matches(['=', ' ']).to_owned());
            if let Some(command) = command {
                self.through("ssh", |walker| {
                    walker.text(&command, call.span, Origin::Text("ssh".to_owned()))
                });
            }
        }
    }
}

fn mount_source(mount: &Text) -> Option<&str> {
    mount.text.split(',').find_map(|part| part.strip_prefix("source=").or_else(|| part.strip_prefix("src=")))
}
