//! A session that starts in a subfolder of a project, with the registration in the user's settings.

use anyhow::Result;

use super::{check_governed, check_recorded, governed_steps};
use crate::clients::lab::{Lab, Session};

const SUBFOLDER: &str = "/home/dev/shop/src";

pub(super) fn play(lab: &mut Lab) -> Result<()> {
    lab.init("--user");
    let steps = governed_steps(lab.client);
    let run = lab.run(&Session::new(steps).in_folder(SUBFOLDER))?;
    check_governed(lab, &run);
    for folder in ["src/.ai", ".ai"] {
        lab.check(&format!("no folder `{folder}` appears"), !lab.exists(folder), folder);
    }
    check_recorded(lab, SUBFOLDER);
    Ok(())
}
