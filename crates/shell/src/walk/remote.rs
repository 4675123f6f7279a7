//! Containers: the parts of this machine that their options open.

use super::{Call, Walker};
use crate::guard::RuleId;
use crate::programs;
use crate::programs::options::{Item, Options};
use crate::programs::wrappers::{self, Wrapper};
use crate::reading::{Class, Doubt, Origin};
use crate::text::Text;

impl Walker<'_> {
    /// Checks the mounts and rights of a container.
    pub(super) fn container_options(&mut self, wrapper: &Wrapper, rest: &[Text], call: &Call) {
        for item in Options::new(rest, wrapper.spec()) {
            let option = match item {
                Item::Option(option) => option,
                // Behind the image stand words for the container.
                Item::Operand(at) => {
                    self.image(&rest[at].text, call);
                    break;
                }
            };
            if option.is("--privileged") {
                self.risk(RuleId::ContainerHostAccess, "--privileged", call.span);
            }
            let is_right = option.is("--pid|--cap-add|--ipc|--userns|--device");
            let (is_volume, is_mount) = (option.is("-v|--volume"), option.is("--mount"));
            let Some(value) = option.value else { continue };
            let text = value.text.trim_start_matches('=');
            if is_right
                && matches!(
                    text.to_ascii_uppercase().as_str(),
                    "HOST" | "ALL" | "SYS_ADMIN" | "CAP_SYS_ADMIN"
                )
            {
                self.risk(RuleId::ContainerHostAccess, text, call.span);
            }
            let mount = if is_volume { volume(text) } else { is_mount.then(|| mount(text)).flatten() };
            if let Some(mount) = mount {
                self.mount(&mount, call);
            }
        }
    }

    /// An image named like a program that a rule judges runs that program: `cloudflare/cloudflared`, `ngrok/ngrok:3`.
    fn image(&mut self, image: &str, call: &Call) {
        let name = image.split('@').next().unwrap_or(image).rsplit('/').next().unwrap_or(image);
        let name = name.split(':').next().unwrap_or(name);
        let rule = programs::find(name).and_then(|program| program.risk);
        if let Some(rule) = rule.filter(|rule| matches!(rule, RuleId::Tunnel | RuleId::CoinMiner)) {
            self.risk(rule, image, call.span);
        }
    }

    fn mount(&mut self, mount: &Mount<'_>, call: &Call) {
        let source = mount.here;
        if matches!(source, "/" | "/etc" | "/root" | "/boot" | "/dev" | "/var/run/docker.sock") {
            let rule = if source == "/" { RuleId::ContainerHostRoot } else { RuleId::ContainerHostAccess };
            self.risk(rule, source, call.span);
        }
        // A name without a slash is a volume, which lies elsewhere.
        if !source.starts_with(['/', '.', '~']) {
            return;
        }
        let here = self.resolve(&Text::known(source)).0;
        self.mounts.push((crate::path::normalise(mount.there), here));
        // The image may do anything before it runs its command.
        if mount.is_writable {
            self.classify(call.command, Class::Unknown);
            self.doubt(Doubt::Effects, call.name.clone(), call.span);
        }
    }

    fn ssh_setting(&mut self, setting: &Text, call: &Call) {
        let name = setting.text.trim_start().split(['=', ' ', '\t']).next().unwrap_or("");
        if ["RemoteForward", "DynamicForward", "Tunnel"].iter().any(|known| name.eq_ignore_ascii_case(known))
            && !setting.text.ends_with("no")
        {
            self.risk(RuleId::Tunnel, format!("ssh -o {name}"), call.span);
        }
        if let Some(command) = command_of_setting(setting.text.trim_start()) {
            // ssh puts `exec` in front, so that a separator may begin the text.
            let command = command.trim_start_matches([';', '&', '|', ' ']).to_owned();
            self.through("ssh", |walker| walker.text(&command, call.span, Origin::Text("ssh".to_owned())));
        }
    }

    /// `-o ProxyCommand=…` runs a command here.
    pub(crate) fn ssh_options(&mut self, call: &Call) {
        let Some(spec) = wrappers::find(&call.name).or_else(|| wrappers::find("ssh")).map(Wrapper::spec)
        else {
            return;
        };
        let mut n_operands = 0;
        for item in Options::new(call.rest(), spec) {
            let option = match item {
                // ssh reads options on both sides of the host; the later words are for the other machine.
                Item::Operand(_) if n_operands == 1 => break,
                Item::Operand(_) => {
                    n_operands += 1;
                    continue;
                }
                Item::Option(option) => option,
            };
            // A port of this machine that the other one can reach, or a way around the network's own checks.
            if let Some(tunnel) = ["-R", "-D", "-w"].iter().find(|tunnel| option.is(tunnel)) {
                self.risk(RuleId::Tunnel, format!("ssh {tunnel}"), call.span);
            }
            let is_setting = option.is("-o");
            if let Some(value) = option.value.filter(|_| is_setting) {
                self.ssh_setting(&value, call);
            }
        }
    }
}

/// The command in `ProxyCommand=…`; the name is written in any case.
fn command_of_setting(setting: &str) -> Option<&str> {
    let at = setting.find(['=', ' ', '\t'])?;
    let (name, value) = setting.split_at(at);
    let runs = ["ProxyCommand", "LocalCommand", "KnownHostsCommand"];
    let value = value.trim_start_matches(['=', ' ', '\t']);
    // `Match exec "…"` runs the text to decide whether the block applies.
    if name.eq_ignore_ascii_case("Match") {
        return value.strip_prefix("exec ").map(|command| command.trim_matches(['"', ' ']));
    }
    runs.iter().any(|known| name.eq_ignore_ascii_case(known)).then_some(value)
}

/// A folder of this machine that a container sees.
struct Mount<'a> {
    here: &'a str,
    there: &'a str,
    is_writable: bool,
}

/// `--mount type=bind,source=HERE,target=THERE[,readonly]`
fn mount(parts: &str) -> Option<Mount<'_>> {
    let value = |names: &[&str]| {
        parts.split(',').find_map(|part| {
            part.split_once('=').filter(|(name, _)| names.contains(name)).map(|(_, value)| value)
        })
    };
    let is_writable = !parts.split(',').any(|part| matches!(part, "ro" | "readonly"))
        && !matches!(value(&["readonly", "ro"]), Some("true" | "1"));
    let there = value(&["target", "destination", "dst"]).unwrap_or("");
    Some(Mount { here: value(&["source", "src"])?, there, is_writable })
}

/// `-v HERE:THERE[:ro]`
fn volume(text: &str) -> Option<Mount<'_>> {
    let (here, rest) = text.split_once(':')?;
    let (there, flags) = rest.split_once(':').unwrap_or((rest, ""));
    Some(Mount { here, there, is_writable: !flags.split(',').any(|flag| flag == "ro") })
}
