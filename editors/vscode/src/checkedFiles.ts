// Which of steersman's files the program checks, and with which command. Without the editor's API, so that unit tests can
// read it.

/** A command that reports the problems of some files. */
export interface Check {
  files: RegExp;
  command: string[];
}

const CHECKS: Check[] = [
  { files: /^(\.akira\/hooks\.json|\.vscode\/gatomia\/hooks\.json)$/, command: ['automation', 'validate', '--json'] },
  { files: /^(\.github\/agents\/.*\.md|\.claude\/agents\/.*\.md|\.rawko\/.*)$/, command: ['agent', 'validate', '--json'] },
  { files: /^(\.ai\/hooks\/.*\.json|\.orchestration\/active_intents\.yaml)$/, command: ['doctor', '--json'] },
];

/** The same files as a pattern of the editor. */
export const CHECKED_FILES =
  '**/{.akira/hooks.json,.vscode/gatomia/hooks.json,.github/agents/**/*.md,.claude/agents/**/*.md,.rawko/**,.ai/hooks/*.json,.orchestration/active_intents.yaml}';

/** Returns the check of a file of a folder, or nothing for a file of others. */
export function checkOf(file: string): Check | undefined {
  return CHECKS.find(({ files }) => files.test(file));
}
