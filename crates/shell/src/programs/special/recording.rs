//! Programs that can record the user's screen, camera, microphone, keys or password, or type in the user's place.

use crate::guard::RuleId;
use crate::programs::Args;
use crate::reading::Class;
use crate::walk::{Call, Walker};

/// Inputs of ffmpeg that are devices of this machine.
const DEVICES: [&str; 11] = [
    "x11grab",
    "kmsgrab",
    "gdigrab",
    "dshow",
    "avfoundation",
    "v4l2",
    "video4linux2",
    "pulse",
    "alsa",
    "jack",
    "fbdev",
];

/// `ffmpeg -f x11grab -i :0`: a device behind `-f`.
pub(crate) fn ffmpeg(walker: &mut Walker<'_>, call: &Call, _: &Args<'_>) -> Option<Class> {
    let words = call.rest();
    let device =
        words.windows(2).find(|pair| pair[0].text == "-f" && DEVICES.contains(&pair[1].text.as_str()));
    if let Some(pair) = device.filter(|_| !words.iter().any(|word| word.text == "-list_devices")) {
        walker.risk(RuleId::UserRecording, pair[1].text.clone(), call.span);
    }
    None
}

/// `import -window root`: `ImageMagick` takes a picture of the screen.
pub(crate) fn import(walker: &mut Walker<'_>, call: &Call, args: &Args<'_>) -> Option<Class> {
    let is_picture = |name: &str| {
        [".png", ".jpg", ".jpeg", ".gif", ".ps", ".miff", ".bmp"].iter().any(|end| name.ends_with(end))
    };
    if args.has("-window") || args.words().last().is_some_and(is_picture) {
        walker.risk(RuleId::UserRecording, call.name.clone(), call.span);
        for file in args.operands.iter().filter(|file| is_picture(&file.text)) {
            walker.write_path(file, call.span);
        }
    }
    None
}

/// `zenity --password`: a window that asks for a password.
pub(crate) fn asks_password(walker: &mut Walker<'_>, call: &Call, args: &Args<'_>) -> Option<Class> {
    if args.has("--password|--newpassword") {
        walker.risk(RuleId::UserRecording, call.name.clone(), call.span);
    }
    None
}

/// `xinput test`: prints every key that the user presses.
pub(crate) fn xinput(walker: &mut Walker<'_>, call: &Call, args: &Args<'_>) -> Option<Class> {
    if args.has("--test|--test-xi2|test|test-xi2") || args.words().any(|word| word.starts_with("test")) {
        walker.risk(RuleId::UserRecording, call.name.clone(), call.span);
    }
    None
}

/// `xdotool type`, `xdotool key`: a window cannot tell this from the user. Other subcommands find and describe windows.
pub(crate) fn xdotool(walker: &mut Walker<'_>, call: &Call, _: &Args<'_>) -> Option<Class> {
    const ACTS: [&str; 9] =
        ["type", "key", "keydown", "keyup", "click", "mousedown", "mouseup", "mousemove", "exec"];
    let acts = call.rest().iter().any(|word| ACTS.contains(&word.text.as_str()));
    if acts {
        walker.risk(RuleId::UserInput, call.name.clone(), call.span);
    }
    None
}
