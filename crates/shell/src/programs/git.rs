//! git, code hosts, and other version control.

use super::row::{Operands, Program, careful, change, look, prints, risky, unsure, writes};
use super::special;
use crate::guard::RuleId;

pub(super) static PROGRAMS: &[Program] = &[
    writes("git", Operands::Ignore, &["git commit -m 'rm -rf /'", "git add -A", "git push", "git push -u origin feature"])
        .values("-C -c --git-dir --work-tree --namespace --exec-path --config-env -m --message -F")
        .special(special::git)
        .subs(&[
            look("status|log|diff|show|blame|shortlog|describe|rev-parse|rev-list|ls-files|ls-tree|ls-remote|cat-file|grep|reflog|merge-base|name-rev|whatchanged|for-each-ref|show-ref|var|version|help|check-ignore|count-objects|fsck|cherry|range-diff|diff-tree|diff-index|diff-files|verify-commit|show-branch|check-attr|get-tar-commit-id"),
            unsure("bisect run"),
            careful("filter-branch|filter-repo", "", RuleId::GitHistoryRewrite),
            change("*"),
        ])
        .not(&["git status", "git log --oneline", "echo git commit", "git diff HEAD~1"]),
    writes("gh", Operands::Ignore, &["gh pr create --title x --body 'rm -rf /'", "gh issue comment 1 -b x"])
        .values("-R --repo -b --body -t --title -F --body-file -B --base -H --head -l --label -a --assignee -m --milestone -f --field --raw-field -X --method -q --jq -L --limit -s --state --json -r --reviewer -c --comment -n --notes --input --template -d --description")
        .online()
        .special(special::gh)
        .subs(&[
            risky("repo|project delete", "", RuleId::RemoteRepository),
            risky("repo archive", "", RuleId::RemoteRepository),
            careful("repo edit", "", RuleId::RemoteSettings),
            careful("release delete|delete-asset", "", RuleId::RemoteSettings),
            careful("secret set|delete|remove", "", RuleId::RemoteSettings),
            careful("variable delete|set", "", RuleId::RemoteSettings),
            careful("ssh-key add|delete", "", RuleId::RemoteSettings),
            careful("pr merge", "", RuleId::Merge),
            careful("auth logout|refresh|login", "", RuleId::RemoteSettings),
            careful("workflow disable|run", "", RuleId::RemoteSettings),
            careful("release create|upload|edit", "", RuleId::Publish),
            look("pr|issue|repo|release|run|workflow|gist|label|ruleset|cache|project|variable|secret list|view|diff|status|checks|watch|ls|download"),
            look("auth status|token"),
            look("search *"),
            look("status"),
            look("browse"),
        ])
        .not(&["gh pr view 3", "gh run list", "gh issue list -l bug", "echo gh pr create"]),
    writes("glab", Operands::Ignore, &["glab mr create"]).online().subs(&[
            risky("repo|project delete", "", RuleId::RemoteRepository),
            careful("variable|ssh-key|deploy-key|token|securefile set|add|delete|update|create|revoke|rotate", "", RuleId::RemoteSettings),
            careful("mr merge", "", RuleId::Merge),
            look("mr|issue|ci|repo list|view|status|diff|trace"),
        ]).not(&["glab mr list"]),
    writes("hub", Operands::Ignore, &["hub pull-request"]).online().subs(&[risky("delete", "", RuleId::RemoteRepository)]).not(&["echo hub"]),
    writes("git-lfs", Operands::Ignore, &["git-lfs pull"]).not(&["echo git-lfs"]),
    writes("jj", Operands::Ignore, &["jj commit -m x"]).values("-m -r -R").subs(&[
            look("log|status|st|diff|show"),
            careful("git push", "--deleted|--all|--tracked|-a", RuleId::GitDeleteRef),
            careful("bookmark|branch|b delete|d|forget|f", "", RuleId::GitDeleteRef),
            careful("abandon|restore|undo; op|operation restore|undo|abandon; workspace forget", "", RuleId::GitDiscard),
            change("*"),
        ]).not(&["jj log"]),
    writes("hg", Operands::Ignore, &["hg commit -m x"]).values("-m -R").subs(&[
            look("status|log|diff|annotate|summary"),
            risky("strip|rollback", "", RuleId::GitHistoryRewrite),
            risky("update", "-C|--clean", RuleId::GitDiscard),
            risky("purge|clean", "", RuleId::GitClean),
            careful("revert", "-a|--all", RuleId::GitDiscard),
            change("*"),
        ]).special(special::hg).not(&["hg log"]),
    writes("svn", Operands::Ignore, &["svn commit -m x"]).values("-m").special(special::svn).subs(&[look("status|log|diff|info|ls|cat"), change("*")]).not(&["svn log"]),
    prints("tig", &["tig"]).not(&["tig > f"]),
    prints("gitleaks", &["gitleaks detect"]).outputs("-r --report-path").not(&["gitleaks detect -r out.json"]),
    prints("commitlint", &["commitlint --from HEAD~1"]).not(&["commitlint > f"]),
    writes("pre-commit", Operands::Ignore, &["pre-commit install"]).subs(&[unsure("run")]).not(&["echo pre-commit"]),
    writes("lefthook", Operands::Ignore, &["lefthook install"]).subs(&[unsure("run")]).not(&["echo lefthook"]),
    writes("husky", Operands::Ignore, &["husky install"]).special(special::husky).not(&["echo husky"]),
    writes("bfg", Operands::Ignore, &["bfg --delete-files x"]).risk(RuleId::GitHistoryRewrite).not(&["echo bfg"]),
    writes("git-filter-repo", Operands::Ignore, &["git-filter-repo --path x"]).risk(RuleId::GitHistoryRewrite).not(&["echo git-filter-repo"]),
];
