//! Pages and files that are fetched to be shown, of whatever size they are.

use crate::network::is_local_url;
use crate::reading::{Reading, Simple};

use super::look::{Words, describes_itself};
use super::printed::{self, Printed};

/// Returns the addresses, with the commands that print their content.
pub fn downloads(reading: &Reading, max_lines: u64) -> Vec<(&Simple, &str)> {
    let mut found = Vec::new();
    for (index, command) in reading.commands.iter().enumerate() {
        let prints = match command.program.as_str() {
            "curl" => curl_prints(command),
            "wget" => wget_prints(command),
            _ => false,
        };
        if !prints || printed::of(reading, index, max_lines) != Printed::AsItIs {
            continue;
        }
        let addresses = command.argv.iter().skip(1).map(|word| word.text.as_str());
        found.extend(addresses.filter(|text| is_remote(text)).map(|address| (command, address)));
    }
    found
}

fn is_remote(text: &str) -> bool {
    (text.starts_with("http://") || text.starts_with("https://")) && !is_local_url(text)
}

/// Only a plain request for a page counts: uploads, partial requests, files and shortened output are bounded.
fn curl_prints(command: &Simple) -> bool {
    const BOUNDED: &str = "-o|--output|-O|--remote-name|--remote-name-all|-I|--head|--max-filesize|-r|--range\
        |-T|--upload-file|-d|--data|--data-raw|--data-binary|--data-urlencode|--json|-F|--form|-X|--request";
    let words = Words::of(command);
    let args =
        words.args("-o --output -H --header -u --user -A --user-agent -X --request -d --data -m --max-time");
    !args.has(BOUNDED) && !describes_itself(&args, "-h|-V|-M|--manual")
}

/// `wget -O -`; anything else goes to a file.
fn wget_prints(command: &Simple) -> bool {
    let words = Words::of(command);
    let args = words.args("-O --output-document");
    let prints = args.values("-O|--output-document").iter().any(|file| file.text == "-")
        || command.argv.iter().any(|word| word.text.starts_with('-') && word.text.ends_with("O-"));
    prints && !describes_itself(&args, "-h|-V")
}
