//! Containers: what their options open of this machine.

use super::{Call, Walker};
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
}

fn mount_source(mount: &Text) -> Option<&str> {
    mount.text.split(',').find_map(|part| part.strip_prefix("source=").or_else(|| part.strip_prefix("src=")))
}
