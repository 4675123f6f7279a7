//! Programs that are made to break into machines: guessers of passwords, scanners of weaknesses, listeners on a network.
//!
//! A user who tests the security of a project may want one, so the user decides.

use super::{Call, Walker, base_name};
use crate::guard::RuleId;
use crate::path::is_within;

/// Names without the ending of a script, in order. Left out are names that ordinary programs share.
#[rustfmt::skip]
const NAMES: [&str; 122] = [
    "aircrack-ng", "aireplay-ng", "airgeddon", "airmon-ng", "airodump-ng", "amass", "arpspoof", "autorecon",
    "beef-xss", "bettercap", "bloodhound-python", "certipy", "certipy-ad", "cewl", "chntpw", "commix",
    "crackmapexec", "dirb", "dirbuster", "dirsearch", "dnschef", "dnsspoof", "driftnet", "dsniff",
    "enum4linux", "enum4linux-ng", "ettercap", "evil-winrm", "evilginx", "evilginx2", "fcrackzip",
    "feroxbuster", "ffuf", "fgdump", "fierce", "fluxion", "getnpusers", "getuserspns", "gobuster",
    "goldeneye", "gophish", "hashcat", "hcxdumptool", "hoaxshell", "hping3", "hydra", "john", "kerbrute",
    "kismet", "koadic", "lazagne", "ldapdomaindump", "linenum", "linpeas", "loic", "lse", "macof",
    "masscan", "mdk3", "mdk4", "mimikatz", "mimipenguin", "mitm6", "msfconsole", "msfdb", "msfvenom",
    "ncrack", "netdiscover", "netexec", "nikto", "ntlmrelayx", "nxc", "ophcrack", "patator", "pdfcrack",
    "powershell-empire", "psexec", "pspy", "pspy32", "pspy64", "pwdump", "pwncat", "pwncat-cs", "pypykatz",
    "rarcrack", "reaver", "recon-ng", "responder", "routersploit", "rsf", "rubeus", "samdump2",
    "secretsdump", "setoolkit", "sharphound", "sherlock", "sliver-client", "sliver-server", "slowloris",
    "smbexec", "smbmap", "sqlmap", "sqlninja", "sslstrip", "starkiller", "theharvester", "torshammer",
    "traitor", "unicornscan", "unshadow", "weevely", "wesng", "wfuzz", "wifite", "winpeas", "wmiexec",
    "wpscan", "xerxes", "xsser", "xsstrike", "yersinia", "zmap",
];

/// Programs that run a script by its name.
const INTERPRETERS: [&str; 10] =
    ["python", "python2", "python3", "perl", "ruby", "bash", "sh", "pwsh", "powershell", "wine"];

impl Walker<'_> {
    /// Records that `call` starts such a program, or a script that is one; its help and version are free.
    pub(super) fn attacks(&mut self, call: &Call) {
        let asks = |word: &str| matches!(word, "--help" | "-h" | "--version" | "-V" | "help" | "version");
        if let [only] = call.rest()
            && asks(&only.text)
        {
            return;
        }
        let Some(first) = call.argv.first() else { return };
        let started = if INTERPRETERS.contains(&call.name.as_str()) {
            call.rest().iter().find(|word| !word.text.starts_with('-'))
        } else {
            Some(first)
        };
        let Some(started) = started.filter(|word| !word.text.contains(char::is_whitespace)) else { return };
        // A program of the project may have such a name.
        let is_own = started.text.contains('/')
            && is_within(&self.resolve(started).0, &self.reading.workspace)
            && self.place.files.exists(&self.resolve(started).0);
        if is_attack_tool(base_name(&started.text)) && !is_own {
            self.risk(RuleId::AttackTool, started.text.clone(), call.span);
        }
    }
}

fn is_attack_tool(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    let name = [".py", ".sh", ".rb", ".pl", ".exe", ".ps1", ".bat"]
        .iter()
        .find_map(|ending| name.strip_suffix(ending))
        .unwrap_or(&name);
    NAMES.binary_search(&name).is_ok() || name.starts_with("impacket-")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_in_order() {
        assert!(NAMES.is_sorted_by(|one, other| one < other));
    }
}
