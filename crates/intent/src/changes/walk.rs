//! Walks the folders of a workspace in search of entries that changed since a moment.
//!
//! A small workspace is walked by the calling thread alone. A large one is shared between threads: reading 100,000
//! entries takes one core more than a tenth of a second.
//!
//! Folders that are wholly in the intent's scope come last, so that a walk that runs out of time has checked the
//! others. What it did not visit is returned, and the next walk begins there.

mod found;

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread;
use std::time::Instant;

use super::folder_entries::{self, EntryState, FolderEntry};
use super::folder_record::FolderRecord;
use super::new_checkout::NewCheckout;
use super::rules::{self, RULES_FILE, Rules};
use super::{FileSystemTime, OwnFiles, ScanStart, dot_git, ignored_folder};
use crate::scope::is_linked_checkout;
use crate::trace::GitIndex;
use crate::{Intent, Scope};
use found::Found;

/// The facts that a walk compares with.
pub(super) struct Walk<'a> {
    pub(super) scope: &'a Scope,
    /// Folders wholly in its scope are walked last.
    pub(super) intent: Option<&'a Intent>,
    /// The files that steersman writes itself, which the walk skips with everything below them.
    pub(super) own: &'a OwnFiles,
    /// Where folders were before.
    pub(super) record: Option<&'a FolderRecord>,
    /// The ignore rules of the workspace's top from before the call.
    pub(super) top_rules: Rules,
    /// Git's index before the call, if git has replaced it since.
    pub(super) index_before: Option<&'a GitIndex>,
    /// Whether `top_rules` include the file at the top.
    pub(super) knows_top_file: bool,
    pub(super) until: Option<Instant>,
    pub(super) max_entries: usize,
}

/// A folder to visit.
#[derive(Debug)]
struct Job {
    path: String,
    /// Where the folder is, if its path is not UTF-8.
    place: Option<PathBuf>,
    rules: Rules,
    moment: FileSystemTime,
    /// Whether the folder was moved here, so that everything in it counts.
    moved: bool,
    /// Whether the folder itself was touched, so that entries may have been added or removed. Its times of content
    /// do not tell: `touch -d` resets them.
    touched: bool,
    /// The checkout that was made since the moment and contains the folder.
    checkout: Option<Arc<NewCheckout>>,
}

/// The folders to visit, shared by the threads of a walk.
#[derive(Default)]
struct Queue {
    /// Folders that may contain files out of scope.
    first: Vec<Job>,
    /// Folders wholly in scope.
    last: Vec<Job>,
    n_working: usize,
    /// The number of threads that wait for a folder.
    n_waiting: usize,
}

struct Shared<'a, 'w> {
    walk: &'a Walk<'w>,
    queue: Mutex<Queue>,
    changed: Condvar,
    stopped: AtomicBool,
    n_entries: AtomicUsize,
    /// The number of ignored folders that were listed.
    n_ignored: AtomicUsize,
    index: OnceLock<GitIndex>,
}

/// With fewer entries a second thread costs more than it saves: to start one takes as long as to query a hundred.
const ALONE: usize = 1000;

/// More threads than this wait for the same locks of the file system.
const MAX_THREADS: usize = 4;

impl Walk<'_> {
    /// Walks from each start. Returns the entries, and the index of git if it was read.
    pub(super) fn run(&self, starts: &[ScanStart]) -> (Found, Option<GitIndex>) {
        let shared = Shared {
            walk: self,
            queue: Mutex::default(),
            changed: Condvar::new(),
            stopped: AtomicBool::new(false),
            n_entries: AtomicUsize::new(0),
            n_ignored: AtomicUsize::new(0),
            index: OnceLock::new(),
        };
        let mut found = Found::default();
        for start in starts {
            let rules = self.rules_above(&start.folder);
            let path = self.absolute(&start.folder);
            let state = folder_entries::state(&path).unwrap_or_default();
            let touched = state.newest_ns >= start.since.nanoseconds();
            if start.folder.is_empty() && touched {
                found.folders.insert(String::new());
                found.times.insert(String::new(), state.newest_ns);
            }
            let job = Job {
                path: start.folder.clone(),
                rules,
                moment: start.since,
                moved: start.moved,
                touched,
                place: None,
                checkout: None,
            };
            shared.queue().push(self, job);
        }
        shared.work(&mut found, ALONE);
        let n_threads = thread::available_parallelism().map_or(1, usize::from).min(MAX_THREADS);
        if n_threads > 1 && !shared.is_over() {
            let more = thread::scope(|scope| {
                let helpers: Vec<_> = (1..n_threads)
                    .map(|_| {
                        scope.spawn(|| {
                            let mut found = Found::default();
                            shared.work(&mut found, usize::MAX);
                            found
                        })
                    })
                    .collect();
                shared.work(&mut found, usize::MAX);
                helpers.into_iter().filter_map(|helper| helper.join().ok()).collect::<Vec<_>>()
            });
            for more in more {
                found.merge(more);
            }
        } else {
            shared.work(&mut found, usize::MAX);
        }
        let Queue { first, last, .. } = shared.queue.into_inner().unwrap_or_else(PoisonError::into_inner);
        found.unvisited = first.into_iter().chain(last).map(|job| self.start_of(job)).collect();
        found.n_entries = shared.n_entries.into_inner();
        found.places.sort();
        (found, shared.index.into_inner())
    }

    fn absolute(&self, path: &str) -> PathBuf {
        let root = self.scope.root().as_path();
        if path.is_empty() { root.to_path_buf() } else { root.join(path) }
    }

    /// Returns where the next walk begins for a folder that was not visited.
    fn start_of(&self, job: Job) -> ScanStart {
        let mut folder = job.path;
        // A path that is not UTF-8 cannot be recorded: the nearest folder above that can.
        while job.place.is_some() && !folder.is_empty() && !self.absolute(&folder).is_dir() {
            folder.truncate(folder.rfind('/').unwrap_or(0));
        }
        ScanStart { folder, since: job.moment, moved: job.moved }
    }

    /// Returns the rules of the folders above a folder, for a walk that begins there.
    fn rules_above(&self, folder: &str) -> Rules {
        let mut rules = self.top_rules.clone();
        let ends = folder.match_indices('/').map(|(at, _)| at);
        for above in ends.map(|end| &folder[..end]) {
            let text = rules::text_of(&self.absolute(above).join(RULES_FILE));
            rules = rules.with(above, text.as_deref().unwrap_or_default());
        }
        rules
    }

    /// Returns whether everything below a folder is in scope.
    fn is_wholly_in_scope(&self, folder: &str) -> bool {
        self.intent
            .is_some_and(|intent| intent.owned_scope.iter().any(|pattern| pattern.covers_all_below(folder)))
    }
}

impl Queue {
    fn push(&mut self, walk: &Walk<'_>, job: Job) {
        if walk.is_wholly_in_scope(&job.path) { self.last.push(job) } else { self.first.push(job) }
    }
}

impl Shared<'_, '_> {
    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn is_over(&self) -> bool {
        let queue = self.queue();
        self.stopped.load(Ordering::Relaxed) || (queue.first.is_empty() && queue.last.is_empty())
    }

    /// Visits folders until none is left, the walk is stopped, or this thread has met `most` entries.
    fn work(&self, found: &mut Found, most: usize) {
        let mut entries = Vec::new();
        let mut n_met = 0;
        while n_met < most {
            let Some(job) = self.next_job() else { return };
            entries.clear();
            // A folder that cannot be read was removed, or is not ours to judge.
            let moment = job.moment.nanoseconds();
            let is_wanted = |name: &[u8], state: &EntryState| {
                state.is_folder || job.moved || state.newest_ns >= moment || name == RULES_FILE.as_bytes()
            };
            let n_read = folder_entries::read(&self.place_of(&job), &mut entries, is_wanted).unwrap_or(0);
            n_met += n_read;
            let n_entries = self.n_entries.fetch_add(n_read, Ordering::Relaxed) + n_read;
            let late = self.walk.until.is_some_and(|until| Instant::now() > until);
            if late || n_entries > self.walk.max_entries {
                self.stopped.store(true, Ordering::Relaxed);
            }
            let below = self.visit(&job, &entries, found);
            let mut queue = self.queue();
            for job in below {
                queue.push(self.walk, job);
            }
            queue.n_working -= 1;
            // Waking takes a system call, even if no thread waits.
            let is_awaited = queue.n_waiting > 0;
            drop(queue);
            if is_awaited {
                self.changed.notify_all();
            }
        }
    }

    fn next_job(&self) -> Option<Job> {
        let mut queue = self.queue();
        loop {
            if self.stopped.load(Ordering::Relaxed) {
                return None;
            }
            if let Some(job) = queue.first.pop().or_else(|| queue.last.pop()) {
                queue.n_working += 1;
                return Some(job);
            }
            if queue.n_working == 0 {
                return None;
            }
            queue.n_waiting += 1;
            queue = self.changed.wait(queue).unwrap_or_else(PoisonError::into_inner);
            queue.n_waiting -= 1;
        }
    }

    /// Judges the entries of a folder; returns the folders in it.
    fn visit(&self, job: &Job, entries: &[FolderEntry], found: &mut Found) -> Vec<Job> {
        let rules = self.rules_in(job, entries);
        let mut below = Vec::new();
        for FolderEntry { name, raw_name, state } in entries {
            let is_new = state.newest_ns >= job.moment.nanoseconds();
            // Most entries are old files.
            if !is_new && !job.moved && !state.is_folder {
                continue;
            }
            let path = if job.path.is_empty() { name.clone() } else { format!("{}/{name}", job.path) };
            if name == ".git" {
                self.dot_git(job, &path, state, found);
                continue;
            }
            if self.walk.own.has(&path) {
                continue;
            }
            if state.is_folder {
                let is_plain = raw_name.is_none() && job.place.is_none();
                let raw = || raw_name.clone().unwrap_or_else(|| name.into());
                let place = (!is_plain).then(|| self.place_of(job).join(raw()));
                below.extend(self.folder(job, &rules, path, place, state, found));
            } else if self.is_changed(job, &path, state) && !self.is_ignored(&rules, &path, name) {
                found.times.insert(path.clone(), state.newest_ns);
                found.files.push(path);
            }
        }
        below
    }

    fn place_of(&self, job: &Job) -> PathBuf {
        job.place.clone().unwrap_or_else(|| self.walk.absolute(&job.path))
    }

    fn dot_git(&self, job: &Job, path: &str, state: &EntryState, found: &mut Found) {
        if job.checkout.as_ref().is_some_and(|checkout| checkout.has_in_place(path, state)) {
            return;
        }
        for file in dot_git::changed_files(self.walk.scope, path, state, job.moment.nanoseconds()) {
            let state = folder_entries::state(&self.walk.absolute(&file)).unwrap_or(*state);
            found.times.insert(file.clone(), state.newest_ns);
            found.files.push(file);
        }
    }

    fn is_changed(&self, job: &Job, path: &str, state: &EntryState) -> bool {
        if let Some(checkout) = &job.checkout {
            return !checkout.has_in_place(path, state);
        }
        state.newest_ns >= job.moment.nanoseconds()
            || (job.moved && !self.index().is_in_place(path, state.inode, state.size, state.content_ns))
    }

    fn folder(
        &self,
        job: &Job,
        rules: &Rules,
        path: String,
        place: Option<PathBuf>,
        state: &EntryState,
        found: &mut Found,
    ) -> Option<Job> {
        if job.checkout.is_some() {
            let (rules, checkout) = (rules.clone(), job.checkout.clone());
            return Some(Job { path, place, rules, checkout, ..*job });
        }
        if rules.ignore(&path, true) && !self.walk.scope.governs(&path) {
            self.look_for_tracked(job, &path, found);
            self.look_for_watched(job, path, found);
            return None;
        }
        let moment = job.moment.nanoseconds();
        let is_touched = state.newest_ns >= moment;
        let entries_changed = state.content_ns >= moment;
        let mut moved = job.moved;
        if is_touched {
            found.times.insert(path.clone(), state.newest_ns);
            // The files of a checkout that was made since are the repository's own.
            if self.is_new_checkout(&path, moment) && !self.was_here(&path, state) {
                found.checkouts.insert(path.clone());
                let checkout = Some(Arc::new(NewCheckout::of(self.walk.scope.root(), &path)));
                return Some(Job { path, place, rules: rules.clone(), checkout, ..*job });
            }
            match self.origin(job, &path, state) {
                Origin::InPlace if entries_changed => {
                    found.folders.insert(path.clone());
                }
                Origin::InPlace => {
                    found.changed_folders.insert(path.clone());
                }
                Origin::Made => {
                    found.new_folders.insert(path.clone());
                }
                Origin::Moved => {
                    found.new_folders.insert(path.clone());
                    moved = true;
                }
                Origin::Unknown => {
                    found.folders.insert(path.clone());
                    moved = true;
                }
            }
        }
        // A folder in one that was moved is at a new path too.
        let is_known = moment != ScanStart::everything().since.nanoseconds();
        if job.moved && !is_touched && is_known && !self.was_here(&path, state) {
            found.new_folders.insert(path.clone());
        }
        found.places.add(&path, state.inode);
        let rules = rules.clone();
        Some(Job { path, place, rules, moment: job.moment, moved, touched: is_touched, checkout: None })
    }

    /// Returns how a folder whose times are new came to its path.
    fn origin(&self, job: &Job, path: &str, state: &EntryState) -> Origin {
        if self.was_here(path, state) {
            return Origin::InPlace;
        }
        let file = self.walk.scope.root().join(path);
        match store::creation_time(&file) {
            Some(birth) if birth >= job.moment.nanoseconds() => return Origin::Made,
            _ => {}
        }
        // A rename changes the folder around.
        if !job.touched && !job.moved {
            return Origin::InPlace;
        }
        if self.walk.record.is_some() { Origin::Moved } else { Origin::Unknown }
    }

    /// Returns whether a folder was at its path when the folders were last recorded.
    fn was_here(&self, path: &str, state: &EntryState) -> bool {
        let recorded = self.walk.record.and_then(|record| record.inode_at(path));
        state.inode != 0 && recorded == Some(state.inode)
    }

    /// Finds changed files that git tracks although they are in an ignored folder.
    fn look_for_tracked(&self, job: &Job, folder: &str, found: &mut Found) {
        let before = self.walk.index_before.into_iter().flat_map(|index| index.below(folder));
        let before = before.filter(|file| !self.index().has(file));
        for file in self.index().below(folder).chain(before) {
            match folder_entries::state(&self.walk.absolute(file)) {
                Ok(state) if self.is_changed(job, file, &state) => found.files.push(file.to_owned()),
                Ok(_) => {}
                Err(_) => found.ignored_folders.extend(self.changed_folder_above(file, job.moment)),
            }
        }
    }

    /// Finds changed files in an ignored folder that count all the same: `.env`, and those that govern agents.
    fn look_for_watched(&self, job: &Job, folder: String, found: &mut Found) {
        let moment = job.moment.nanoseconds();
        let may_list = || {
            let n_before = self.n_ignored.fetch_add(1, Ordering::Relaxed);
            n_before < ignored_folder::MAX_FOLDERS && !self.stopped.load(Ordering::Relaxed)
        };
        for (file, state) in ignored_folder::watched_files(self.walk.scope, folder, may_list) {
            if state.newest_ns >= moment {
                found.times.insert(file.clone(), state.newest_ns);
                found.files.push(file);
            }
        }
    }

    /// Returns the nearest existing folder of a missing file, if that folder was touched.
    fn changed_folder_above(&self, file: &str, moment: FileSystemTime) -> Option<String> {
        let mut path = file;
        loop {
            path = path.rsplit_once('/').map_or("", |(above, _)| above);
            match folder_entries::state(&self.walk.absolute(path)) {
                Ok(state) => return (state.newest_ns >= moment.nanoseconds()).then(|| path.to_owned()),
                Err(_) if path.is_empty() => return None,
                Err(_) => {}
            }
        }
    }

    /// Adds the rules of a folder to those above. Rules that changed since the moment do not count.
    fn rules_in(&self, job: &Job, entries: &[FolderEntry]) -> Rules {
        if job.path.is_empty() && self.walk.knows_top_file {
            return job.rules.clone();
        }
        let own = entries.iter().find(|entry| entry.name == RULES_FILE);
        let is_in_place = |state: &EntryState| {
            let file = if job.path.is_empty() {
                RULES_FILE.to_owned()
            } else {
                format!("{}/{RULES_FILE}", job.path)
            };
            self.index().is_in_place(&file, state.inode, state.size, state.content_ns)
        };
        let is_old = |state: &EntryState| {
            state.newest_ns < job.moment.nanoseconds() && (!job.moved || is_in_place(state))
        };
        match own.filter(|own| !own.state.is_folder && is_old(&own.state)) {
            Some(_) => {
                let text = rules::text_of(&self.place_of(job).join(RULES_FILE));
                job.rules.with(&job.path, text.as_deref().unwrap_or_default())
            }
            None => job.rules.clone(),
        }
    }

    /// Returns whether git ignores a changed file. Tracked and governing files and `.env` are never ignored.
    fn is_ignored(&self, rules: &Rules, path: &str, name: &str) -> bool {
        rules.ignore(path, false)
            && !name.starts_with(".env")
            && !self.walk.scope.governs(path)
            && !self.index().has(path)
            && !self.walk.index_before.is_some_and(|index| index.has(path))
    }

    fn is_new_checkout(&self, path: &str, moment: u128) -> bool {
        let dot_git = self.walk.absolute(path).join(".git");
        folder_entries::state(&dot_git).is_ok_and(|state| state.newest_ns >= moment)
            && is_linked_checkout(self.walk.scope.root(), path)
    }

    fn index(&self) -> &GitIndex {
        self.index.get_or_init(|| GitIndex::of(self.walk.scope.root()))
    }
}

/// How a folder whose times are new came to its path.
enum Origin {
    /// It was there before.
    InPlace,
    /// It was made since the moment.
    Made,
    /// It was moved to its path.
    Moved,
    /// It may have been moved: there is no record of the folders before.
    Unknown,
}
