//! Variables that a line sets for the programs it runs.
//!
//! INVARIANT: a variable keeps a command read-only only if it is listed here: programs read settings, paths and whole
//! programs from their environment, under more names than a list can have.

use super::Walker;
use crate::guard::RuleId;
use crate::reading::Doubt;
use crate::reading::Span;

/// Variables that change how a result is printed, or which account is asked; a `*` ends a prefix.
///
/// Pagers and editors are listed because their values are followed as programs.
const HARMLESS: &str = "LANG LANGUAGE LC_* TZ TERM COLORTERM COLUMNS LINES NO_COLOR FORCE_COLOR CLICOLOR CLICOLOR_FORCE \
    LS_COLORS GREP_COLOR GREP_COLORS BLOCK_SIZE QUOTING_STYLE TIME_STYLE POSIXLY_CORRECT IFS CI DEBIAN_FRONTEND \
    GIT_OPTIONAL_LOCKS GIT_TERMINAL_PROMPT GIT_LITERAL_PATHSPECS GIT_GLOB_PATHSPECS GIT_ICASE_PATHSPECS GIT_NO_LAZY_FETCH \
    GIT_PAGER PAGER MANPAGER GH_PAGER AWS_PAGER SYSTEMD_PAGER BAT_PAGER DELTA_PAGER GIT_EDITOR EDITOR VISUAL MANWIDTH \
    GH_TOKEN GH_REPO GH_HOST GH_NO_UPDATE_NOTIFIER GH_PROMPT_DISABLED GITHUB_TOKEN GITLAB_TOKEN SYSTEMD_COLORS \
    AWS_PROFILE AWS_REGION AWS_DEFAULT_REGION AWS_DEFAULT_OUTPUT AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY \
    AWS_SESSION_TOKEN AWS_MAX_ATTEMPTS CLOUDSDK_CORE_PROJECT CLOUDSDK_CORE_DISABLE_PROMPTS \
    PGHOST PGPORT PGUSER PGDATABASE PGPASSWORD PGCONNECT_TIMEOUT PGSSLMODE MYSQL_PWD REDISCLI_AUTH \
    RUST_BACKTRACE RUST_LOG CARGO_TERM_COLOR CARGO_NET_OFFLINE CARGO_TERM_PROGRESS_WHEN NODE_ENV NODE_NO_WARNINGS \
    NPM_CONFIG_LOGLEVEL NPM_CONFIG_COLOR npm_config_loglevel npm_config_color NO_UPDATE_NOTIFIER \
    PYTHONUNBUFFERED PYTHONDONTWRITEBYTECODE PYTHONIOENCODING PYTHONUTF8 PYTHONHASHSEED PYTHONNOUSERSITE \
    PIP_DISABLE_PIP_VERSION_CHECK PIP_NO_COLOR PIP_NO_INPUT UV_NO_PROGRESS UV_OFFLINE UV_NO_CACHE \
    GOOS GOARCH CGO_ENABLED GO111MODULE GOPRIVATE GOTOOLCHAIN TF_IN_AUTOMATION TF_INPUT TF_WORKSPACE TF_VAR_* \
    HOMEBREW_NO_* HOMEBREW_COLOR DOTNET_CLI_TELEMETRY_OPTOUT DOTNET_NOLOGO VAULT_ADDR VAULT_TOKEN VAULT_NAMESPACE \
    CONSUL_HTTP_ADDR CONSUL_HTTP_TOKEN NOMAD_ADDR NOMAD_TOKEN ETCDCTL_API BAT_THEME BAT_STYLE HISTTIMEFORMAT OUTPUT_CHARSET \
    DEBUG VERBOSE LOG_LEVEL S_COLORS XH_COLOR JQ_COLORS WATCH_INTERVAL DOCKER_CLI_HINTS COMPOSE_PROJECT_NAME \
    COMPOSE_PROFILES DOCKER_BUILDKIT HELM_NAMESPACE";

/// Variables that programs and loaders read on their own, however they were set; a `*` at either end stands for anything.
const GOVERNING: &str = "PATH HOME CDPATH LD_* DYLD_* ENV BASH_ENV BASH_FUNC_* BASHOPTS SHELLOPTS HISTFILE PROMPT_COMMAND \
    GIT_* PYTHON* NODE_* npm_config_* NPM_CONFIG_* RUSTC* RUSTDOC* CARGO* RUSTUP* RUBY* GEM_* BUNDLE_* PERL* LUA_* \
    JAVA_* _JAVA_* JDK_* MAVEN_* GRADLE_* GO* CGO_* LESS* MORE XDG_* TMPDIR MALLOC_* GCONV_PATH LOCPATH NLSPATH \
    TERMINFO* INPUTRC *PATH *_OPTIONS *_OPTS *_HOME *_CONFIG *_CONFIG_FILE *_RC *_COMMAND *_WRAPPER *_LAUNCHER KUBECONFIG \
    DOCKER_* AWS_CONFIG_FILE AWS_* TF_CLI_* TF_LOG_PATH TF_PLUGIN* CLASSPATH SSH_* GPG_* GNUPG* BROWSER EDITOR_* \
    RIPGREP_CONFIG_PATH PSQLRC MYSQL_* PGSERVICEFILE PGPASSFILE PIP_* UV_* POETRY_* CONDA_* HELM_* ANSIBLE_* CURL_* WGETRC \
    NETRC OPENSSL_* SSL* CFLAGS CC CXX LDFLAGS MAKEFLAGS MAKEFILES SHELL BASH FPATH fpath PS4";

/// Variables that name the server from which packages come.
const REGISTRIES: &str = "GOPROXY PIP_INDEX_URL PIP_EXTRA_INDEX_URL PIP_FIND_LINKS npm_config_registry NPM_CONFIG_REGISTRY \
    YARN_REGISTRY YARN_NPM_REGISTRY_SERVER BUN_CONFIG_REGISTRY UV_INDEX UV_INDEX_URL UV_DEFAULT_INDEX UV_EXTRA_INDEX_URL \
    UV_FIND_LINKS POETRY_REPOSITORIES_* BUNDLE_MIRROR* CARGO_REGISTRIES_* RUSTUP_DIST_SERVER RUSTUP_UPDATE_ROOT \
    HOMEBREW_BOTTLE_DOMAIN HOMEBREW_ARTIFACT_DOMAIN HOMEBREW_API_DOMAIN NVM_NODEJS_ORG_MIRROR";

/// Judged by its value, with the program that it would lead to.
const PATH: &str = "PATH";

impl Walker<'_> {
    /// Records a doubt if a variable in front of a command is not known to leave it what it is.
    pub(super) fn sets_for_command(&mut self, name: &str, span: Span) {
        if name != PATH && !is_listed(HARMLESS, name) {
            self.doubt(Doubt::Effects, name, span);
        }
    }

    /// Records that packages come from an unusual place if a variable with the address of a registry says so.
    pub(super) fn sets_registry(&mut self, name: &str, span: Span) {
        if !is_listed(REGISTRIES, name) {
            return;
        }
        let Some(variable) = self.state.variable(name) else { return };
        let addresses: Vec<String> = variable
            .values
            .iter()
            .flat_map(|value| value.text.split([',', '|', ' ']))
            .filter(|address| address.contains("://") && crate::programs::is_foreign_registry(self, address))
            .map(str::to_owned)
            .collect();
        for address in addresses {
            self.risk(RuleId::ForeignRegistry, address, span);
        }
    }

    /// Records a doubt if a variable of the shell is one that programs and loaders read.
    pub(super) fn sets_for_shell(&mut self, name: &str, span: Span) {
        if name != PATH && is_listed(GOVERNING, name) && !is_listed(HARMLESS, name) {
            self.doubt(Doubt::Effects, name, span);
        }
    }
}

fn is_listed(list: &str, name: &str) -> bool {
    list.split_ascii_whitespace().any(|known| match (known.strip_prefix('*'), known.strip_suffix('*')) {
        (Some(end), _) => name.ends_with(end),
        (None, Some(start)) => name.starts_with(start),
        (None, None) => known == name,
    })
}

#[cfg(test)]
mod tests {
    use super::{GOVERNING, HARMLESS, is_listed};

    #[test]
    fn a_listed_variable_keeps_a_command_what_it_is() {
        for name in ["LC_ALL", "TZ", "NO_COLOR", "GIT_PAGER", "AWS_PROFILE", "HOMEBREW_NO_AUTO_UPDATE"] {
            assert!(is_listed(HARMLESS, name), "{name}");
        }
        for name in [
            "GIT_TRACE",
            "GIT_CONFIG_COUNT",
            "PATH",
            "LD_PRELOAD",
            "ENV",
            "HISTFILE",
            "PYTHONPATH",
            "LESSOPEN",
            "RUSTC_WRAPPER",
            "HOME",
            "FOO",
        ] {
            assert!(!is_listed(HARMLESS, name), "{name}");
        }
    }

    #[test]
    fn a_variable_of_the_shell_governs_programs_by_its_name() {
        for name in ["PATH", "LD_PRELOAD", "GIT_DIR", "HOME", "PYTHONPATH", "JAVA_TOOL_OPTIONS"] {
            assert!(is_listed(GOVERNING, name), "{name}");
        }
        for name in ["x", "FOO", "i", "name", "VERSION", "files"] {
            assert!(!is_listed(GOVERNING, name), "{name}");
        }
    }
}
