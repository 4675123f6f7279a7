//! The ids of the guard's rules: the one table of their names.
//!
//! INVARIANT: everything that names a rule names a variant, so a misspelled id does not compile. Only a
//! user's configuration spells ids as text, and [`RuleId::parse`] returns `None` for an unknown one.

macro_rules! rule_ids {
    ($($variant:ident = $name:literal,)*) => {
        /// The id of one rule, in the order of the rule table.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[expect(missing_docs, reason = "each variant is described by its row of the rule table")]
        pub enum RuleId {
            $($variant,)*
        }

        impl RuleId {
            /// Every id, in order.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// Returns the name used in configurations, reasons and JSON.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)*
                }
            }

            /// Returns the id of this name; `None` if no rule has it.
            pub fn parse(name: &str) -> Option<Self> {
                Some(match name {
                    $($name => Self::$variant,)*
                    _ => return None,
                })
            }
        }
    };
}

rule_ids! {
    DeleteRoot = "delete-root",
    DeleteHome = "delete-home",
    DeleteSystem = "delete-system",
    DeleteWorkspace = "delete-workspace",
    DeleteRepository = "delete-repository",
    DeleteNestedRepository = "delete-nested-repository",
    DeleteOutside = "delete-outside",
    DeleteOutsideFile = "delete-outside-file",
    DeleteAllFiles = "delete-all-files",
    DeleteCache = "delete-cache",
    DeleteUnknownRoot = "delete-unknown-root",
    DeleteUnknown = "delete-unknown",
    DeleteRemote = "delete-remote",
    DeleteUserSettings = "delete-user-settings",
    Shred = "shred",
    SyncDelete = "sync-delete",
    WriteDevice = "write-device",
    WriteSystem = "write-system",
    WriteStartup = "write-startup",
    WriteKeys = "write-keys",
    WriteOutside = "write-outside",
    AgentSettings = "agent-settings",
    AgentSettingsUnpacked = "agent-settings-unpacked",
    AgentSettingsPassed = "agent-settings-passed",
    SharedSettings = "shared-settings",
    RepositorySettings = "repository-settings",
    PermissionsOutside = "permissions-outside",
    WorldWritable = "world-writable",
    OwnerTree = "owner-tree",
    SetUserId = "set-user-id",
    FileAttributes = "file-attributes",
    FetchedCode = "fetched-code",
    DecodedCode = "decoded-code",
    OpaqueCode = "opaque-code",
    InteractiveProgram = "interactive-program",
    HiddenCommand = "hidden-command",
    ReverseShell = "reverse-shell",
    RawSocket = "raw-socket",
    SecretExfiltration = "secret-exfiltration",
    SecretRead = "secret-read",
    SecretShown = "secret-shown",
    SecretCommit = "secret-commit",
    UploadOutside = "upload-outside",
    UploadWorkspace = "upload-workspace",
    UserRecording = "user-recording",
    UserInput = "user-input",
    CloudMetadata = "cloud-metadata",
    LibraryHijack = "library-hijack",
    EnvironmentHook = "environment-hook",
    ForkBomb = "fork-bomb",
    CoinMiner = "coin-miner",
    GuardOff = "guard-off",
    AgentUnguarded = "agent-unguarded",
    Unreadable = "unreadable",
    Privilege = "privilege",
    ContainerHostRoot = "container-host-root",
    ContainerHostAccess = "container-host-access",
    ForeignRegistry = "foreign-registry",
    EncryptionOff = "encryption-off",
    GitForcePushProtected = "git-force-push-protected",
    GitForcePush = "git-force-push",
    GitDeleteProtected = "git-delete-protected",
    GitDeleteRef = "git-delete-ref",
    GitResetHard = "git-reset-hard",
    GitClean = "git-clean",
    GitDiscard = "git-discard",
    GitDiscardFile = "git-discard-file",
    GitAgentSettings = "git-agent-settings",
    GitAgentState = "git-agent-state",
    GitStashDrop = "git-stash-drop",
    GitHistoryRewrite = "git-history-rewrite",
    GitRemoveAll = "git-remove-all",
    GitWorktreeRemove = "git-worktree-remove",
    GitRemoteChange = "git-remote-change",
    GitConfigRun = "git-config-run",
    GitConfigGlobal = "git-config-global",
    RemoteRepository = "remote-repository",
    RemoteSettings = "remote-settings",
    Merge = "merge",
    DatabaseDrop = "database-drop",
    DatabaseDelete = "database-delete",
    DatabaseAlter = "database-alter",
    DatabaseFile = "database-file",
    DatabaseReset = "database-reset",
    DatabaseAccess = "database-access",
    InfrastructureDestroy = "infrastructure-destroy",
    InfrastructureAutoApply = "infrastructure-auto-apply",
    InfrastructureApply = "infrastructure-apply",
    InfrastructureState = "infrastructure-state",
    InfrastructureStateEdit = "infrastructure-state-edit",
    CloudDelete = "cloud-delete",
    CloudChange = "cloud-change",
    CloudAccess = "cloud-access",
    ClusterDelete = "cluster-delete",
    ClusterChange = "cluster-change",
    ContainerPruneAll = "container-prune-all",
    ContainerPrune = "container-prune",
    ContainerVolume = "container-volume",
    Publish = "publish",
    Unpublish = "unpublish",
    RemoteDelete = "remote-delete",
    RemoteAccess = "remote-access",
    Tunnel = "tunnel",
    EnvironmentRemove = "environment-remove",
    Disk = "disk",
    Power = "power",
    Mount = "mount",
    Kernel = "kernel",
    ServiceOff = "service-off",
    ServiceChange = "service-change",
    Accounts = "accounts",
    Firewall = "firewall",
    Schedule = "schedule",
    ScheduleLater = "schedule-later",
    ProcessKillAll = "process-kill-all",
    ProcessKill = "process-kill",
    SystemPackages = "system-packages",
    SystemInstall = "system-install",
    SystemSettings = "system-settings",
    Registry = "registry",
    LogTampering = "log-tampering",
    BackupDelete = "backup-delete",
}

impl std::fmt::Display for RuleId {
    /// Writes the name, padded as the format asks.
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.pad(self.name())
    }
}
