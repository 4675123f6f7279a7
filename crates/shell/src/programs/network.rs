//! Network tools.

use super::row::{Operands, Program, prints, writes};
use super::special;
use crate::guard::RuleId;

const CURL: &str = "-X -H -d -F -u -A -e -b -m -w -x -T -K -C -E -r -y -Y -z --request --header --data --data-raw --data-binary --data-urlencode --json --form --form-string --user --user-agent --referer --cookie --max-time --write-out --proxy --upload-file --config --cert --key --cacert --connect-timeout --retry --retry-delay --resolve --url --url-query --range --limit-rate --interface --ciphers --unix-socket --retry-max-time --netrc-file --socks5 --dump-header -D --trace-ascii";

pub(super) static PROGRAMS: &[Program] = &[
    prints("curl", &["curl -s https://x.org/a", "curl -I https://x.org"]).values(CURL).outputs("-o --output -c --cookie-jar -D --dump-header --trace --trace-ascii --stderr --hsts --etag-save --libcurl").online().special(special::curl)
        .not(&["curl -o f https://x.org", "curl -O https://x.org/a", "curl -D f https://x.org", "curl -X POST -d '{}' http://localhost:3000"]),
    writes("wget", Operands::Ignore, &["wget https://x.org/a"]).values("-P -e -U --header --post-data --post-file --user --password -T -t --body-file --method --body-data -i").outputs("-O -o -a --output-document").online().special(special::wget)
        .not(&["wget -qO- https://x.org", "echo wget"]),
    prints("http", &["http GET localhost:3000"]).outputs("-o --output").online().special(special::httpie).not(&["http GET x > f"]),
    prints("https", &["https GET x.org"]).outputs("-o --output").online().special(special::httpie).not(&["https GET x > f"]),
    prints("xh", &["xh get x.org"]).outputs("-o --output").online().special(special::httpie).not(&["xh get x > f"]),
    writes("aria2c", Operands::Ignore, &["aria2c https://x.org/a"]).values("-d -x -s -j -k --dir -P").outputs("-o --out").online().special(special::wget).not(&["echo aria2c"]),
    writes("scp", Operands::Ignore, &["scp a host:b"]).values("-i -P -o -F -c -l -J -S").online().special(special::scp).not(&["echo scp"]),
    writes("sftp", Operands::Ignore, &["sftp host"]).values("-i -P -o -b -S -F -J -l -c -B -D -R -s -X").online().special(special::scp).not(&["echo sftp"]),
    writes("ftp", Operands::Ignore, &["ftp host"]).online().special(special::sender).not(&["echo ftp"]),
    writes("rclone", Operands::Ignore, &["rclone copy a r:b"]).online().special(special::rclone).not(&["rclone ls r:"]),
    writes("croc", Operands::Read, &["croc send a"]).online().special(special::sender).not(&["echo croc"]),
    prints("nc", &["nc -z localhost 80"]).values("-p -w -s -e -c").online().special(special::netcat).not(&["nc x 1 > f"]),
    prints("ncat", &["ncat -z localhost 80"]).values("-p -w -e -c").online().special(special::netcat).not(&["ncat x 1 > f"]),
    prints("netcat", &["netcat -z localhost 80"]).values("-p -w -e -c").online().special(special::netcat).not(&["netcat x 1 > f"]),
    prints("socat", &["socat - TCP:localhost:80"]).online().special(special::socat).not(&["socat - TCP:x:1 > f"]),
    prints("telnet", &["telnet localhost 80"]).online().special(special::netcat).not(&["telnet x > f"]),
    prints("ping", &["ping -c 1 x.org"]).online().special(special::sender_words).not(&["ping x > f"]),
    prints("dig", &["dig x.org"]).online().special(special::sender_words).not(&["dig x > f"]),
    prints("nslookup", &["nslookup x.org"]).online().special(special::sender_words).not(&["nslookup x > f"]),
    prints("host", &["host x.org"]).online().special(special::sender_words).not(&["host x > f"]),
    prints("whois", &["whois x.org"]).online().not(&["whois x > f"]),
    prints("traceroute", &["traceroute x.org"]).online().not(&["traceroute x > f"]),
    prints("mtr", &["mtr x.org"]).online().not(&["mtr x > f"]),
    prints("nmap", &["nmap localhost"]).online().outputs("-oN -oX -oA").not(&["nmap -oN f localhost"]),
    prints("netstat", &["netstat -tlnp"]).not(&["netstat > f"]),
    prints("ss", &["ss -tlnp"]).not(&["ss > f"]),
    prints("ifconfig", &["ifconfig"]).not(&["ifconfig > f"]),
    prints("arp", &["arp -a"]).not(&["arp > f"]),
    prints("route", &["route -n"]).not(&["route > f"]),
    prints("tcpdump", &["tcpdump -i lo"]).outputs("-w").not(&["tcpdump -w f"]),
    prints("ab", &["ab -n 10 http://localhost/"]).online().not(&["ab x > f"]),
    prints("wrk", &["wrk http://localhost/"]).online().not(&["wrk x > f"]),
    prints("hey", &["hey http://localhost/"]).online().not(&["hey x > f"]),
    prints("k6", &["k6 run a.js"]).online().not(&["k6 run a > f"]),
    prints("grpcurl", &["grpcurl localhost:50051 list"]).online().not(&["grpcurl x > f"]),
    prints("websocat", &["websocat ws://localhost:1"]).online().special(special::sender).not(&["websocat x > f"]),
    prints("lynx", &["lynx -dump x.org"]).online().not(&["lynx x > f"]),
    prints("w3m", &["w3m -dump x.org"]).online().not(&["w3m x > f"]),
    writes("mail", Operands::Ignore, &["mail -s x a@b.c"]).online().special(special::sender).not(&["echo mail"]),
    writes("sendmail", Operands::Ignore, &["sendmail a@b.c"]).online().special(special::sender).not(&["echo sendmail"]),
    writes("mutt", Operands::Ignore, &["mutt a@b.c"]).online().special(special::sender).not(&["echo mutt"]),
    writes("ngrok", Operands::Ignore, &["ngrok http 3000"]).online().risk(RuleId::Tunnel).not(&["echo ngrok"]),
    writes("cloudflared", Operands::Ignore, &["cloudflared tunnel --url http://localhost:1"]).online().risk(RuleId::Tunnel).not(&["echo cloudflared"]),
    writes("ssh-keygen", Operands::Ignore, &["ssh-keygen -t ed25519 -f key"]).values("-t -b -C -N -P -m -f").special(special::ssh_keygen).not(&["echo ssh-keygen", "ssh-keygen -l -f key.pub"]),
    writes("ssh-copy-id", Operands::Ignore, &["ssh-copy-id host"]).online().risk(RuleId::RemoteAccess).not(&["echo ssh-copy-id"]),
    writes("ssh-add", Operands::Ignore, &["ssh-add k"]).not(&["echo ssh-add"]),
    prints("ssh-agent", &["ssh-agent -s"]).not(&["ssh-agent > f"]),
    prints("ssh-keyscan", &["ssh-keyscan github.com"]).online().not(&["ssh-keyscan github.com > f"]),
];
