//! The files that put steersman in front of the shells of agent programs, in the user's state folder.

use std::fs;
use std::io;
use std::path::Path;

use event::AbsPath;

use crate::{ShellCallFolder, create_folder, plain_file, remove_file, write_shared};

/// The folder of these files.
#[derive(Debug, Clone)]
pub struct ShellFolder {
    folder: AbsPath,
    calls: AbsPath,
}

impl ShellFolder {
    /// The name of the program in front of a shell: a link to steersman, which knows by this name what it is.
    pub const PROGRAM: &'static str = "steersman-shell";

    /// Returns the folder of a user.
    pub fn of(user_state: &AbsPath) -> Self {
        Self { folder: user_state.child("shell"), calls: ShellCallFolder::all_in(user_state) }
    }

    /// Returns the program in front of a shell.
    pub fn program(&self) -> AbsPath {
        self.folder.child(Self::PROGRAM)
    }

    /// Returns the file that bash reads first.
    pub fn bash_env(&self) -> AbsPath {
        self.folder.child("bash-env")
    }

    /// Creates or updates the files for this program, and records that a settings file names them for an owner: a
    /// project, or a home.
    pub fn install(&self, program: &Path, settings: &AbsPath, owner: &AbsPath) -> io::Result<()> {
        create_folder(self.folder.as_path())?;
        link(program, &self.program())?;
        let text = self.bash_env_text();
        if plain_file::read(self.bash_env().as_path()).ok().as_deref() != Some(text.as_bytes()) {
            write_shared(self.bash_env().as_path(), text.as_bytes()).map_err(io::Error::other)?;
        }
        let mut uses = self.uses();
        let own = line(settings, owner);
        if !uses.contains(&own) {
            uses.push(own);
            self.write_uses(&uses)?;
        }
        Ok(())
    }

    /// Returns whether a settings file names the files for another owner too.
    pub fn serves_others(&self, settings: &AbsPath, owner: &AbsPath) -> bool {
        let own = line(settings, owner);
        let same = format!("{settings}\t");
        self.uses().iter().any(|line| *line != own && line.starts_with(&same))
    }

    /// Records that a settings file does not name the files any more, and removes them if none does.
    pub fn uninstall(&self, settings: &AbsPath, owner: &AbsPath) -> io::Result<()> {
        let mut uses = self.uses();
        let own = line(settings, owner);
        uses.retain(|line| *line != own);
        if !uses.is_empty() {
            return self.write_uses(&uses);
        }
        for file in [self.program(), self.bash_env(), self.uses_file()] {
            remove_file(file.as_path())?;
        }
        #[expect(clippy::disallowed_methods, reason = "this crate removes folders")]
        let _ = fs::remove_dir(self.folder.as_path());
        Ok(())
    }

    /// Links a program under the name of the one in front of a shell, beside it: for all users of a machine.
    pub fn install_beside(program: &Path) -> io::Result<AbsPath> {
        let place = program.with_file_name(Self::PROGRAM);
        let place = AbsPath::new(place).map_err(|_| io::Error::from(io::ErrorKind::InvalidInput))?;
        link(program, &place)?;
        Ok(place)
    }

    /// Removes a link that [`Self::install_beside`] made.
    pub fn uninstall_beside(place: &Path) -> io::Result<()> {
        let is_link = place.file_name().is_some_and(|name| name == Self::PROGRAM) && place.is_symlink();
        if is_link { remove_file(place).map(drop) } else { Ok(()) }
    }

    /// The text that bash reads before a command: becomes the program in front of the shell if any call is recorded.
    ///
    /// WHY it looks for records itself: hooks and the user's own scripts read it too, and pay for one look at a folder.
    /// WHY `/proc`: bash has not set its arguments yet when it reads this.
    fn bash_env_text(&self) -> String {
        let (calls, program) = (quoted(&self.calls), quoted(&self.program()));
        format!(
            "\
# Written by `steersman init`; `steersman uninstall` removes it. Confines the commands of agent programs.
if [[ -n ${{BASH_EXECUTION_STRING+x}} && ${{STEERSMAN_SHELL-}} != \"$$\" && -x {program} ]]; then
  for __steersman in {calls}/*/?-*; do
    if [[ -e $__steersman ]] && mapfile -d '' -t __steersman_words < \"/proc/$$/cmdline\"; then
      exec {program} --bash \"$BASH\" \"$BASH_EXECUTION_STRING\" \"${{__steersman_words[@]:1}}\"
    fi
    break
  done
  unset __steersman __steersman_words
fi
"
        )
    }

    fn uses_file(&self) -> AbsPath {
        self.folder.child("registered-in")
    }

    /// Returns the recorded uses; one whose owner was deleted does not count.
    fn uses(&self) -> Vec<String> {
        let bytes = plain_file::read(self.uses_file().as_path()).unwrap_or_default();
        let text = String::from_utf8_lossy(&bytes);
        let exists = |line: &&str| line.rsplit('\t').next().is_some_and(|owner| Path::new(owner).exists());
        text.lines().filter(exists).map(str::to_owned).collect()
    }

    fn write_uses(&self, uses: &[String]) -> io::Result<()> {
        let text = format!("{}\n", uses.join("\n"));
        write_shared(self.uses_file().as_path(), text.as_bytes()).map_err(io::Error::other)
    }
}

fn line(settings: &AbsPath, owner: &AbsPath) -> String {
    format!("{settings}\t{owner}")
}

/// Makes a link to a program, in the place of an older one.
fn link(program: &Path, place: &AbsPath) -> io::Result<()> {
    if fs::read_link(place.as_path()).is_ok_and(|target| target == program) {
        return Ok(());
    }
    let fresh = place.as_path().with_extension(std::process::id().to_string());
    #[cfg(unix)]
    std::os::unix::fs::symlink(program, &fresh)?;
    #[cfg(not(unix))]
    return Err(io::ErrorKind::Unsupported.into());
    #[cfg(unix)]
    #[expect(clippy::disallowed_methods, reason = "this crate writes files")]
    fs::rename(&fresh, place.as_path())
}

/// Returns a path as one word of a shell.
fn quoted(path: &AbsPath) -> String {
    format!("'{}'", path.to_string().replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_files_stay_until_the_last_owner_is_gone() {
        let dir = tempfile::tempdir().unwrap();
        let root = AbsPath::new(dir.path()).unwrap();
        let folder = ShellFolder::of(&root.child("state"));
        let settings = root.child("config.toml");
        let owners = ["one", "two"].map(|name| root.child(name));
        for owner in &owners {
            fs::create_dir(owner.as_path()).unwrap();
            folder.install(Path::new("/bin/true"), &settings, owner).unwrap();
            folder.install(Path::new("/bin/true"), &settings, owner).unwrap();
        }
        assert_eq!(fs::read_link(folder.program().as_path()).unwrap(), Path::new("/bin/true"));
        folder.install(Path::new("/bin/false"), &settings, &owners[0]).unwrap();
        assert_eq!(fs::read_link(folder.program().as_path()).unwrap(), Path::new("/bin/false"));
        assert!(folder.serves_others(&settings, &owners[0]));
        folder.uninstall(&settings, &owners[0]).unwrap();
        assert!(folder.bash_env().as_path().exists() && !folder.serves_others(&settings, &owners[1]));
        folder.uninstall(&settings, &owners[1]).unwrap();
        assert!(!root.child("state/shell").as_path().exists());
    }
}
