// The variables of templates by trigger, for completion. A unit test compares them with the program's own table; whether
// a template is valid, the program decides.
import { t } from '../l10n';

export type TriggerKind = 'file' | 'rename' | 'schedule' | 'spec' | 'commit' | 'operation' | 'host' | 'custom';

export interface Variable {
  name: string;
  description: string;
  for: TriggerKind[] | 'all';
}

const FILES: TriggerKind[] = ['file', 'rename', 'spec'];
const SPECS: TriggerKind[] = ['spec', 'operation'];

export const VARIABLES: Variable[] = [
  { name: 'timestamp', description: 'when it happened, as ISO 8601', for: 'all' },
  { name: 'triggerType', description: 'the trigger, such as `file-save` or `clarify`', for: 'all' },
  { name: 'user', description: "the user's name, from git's configuration", for: 'all' },
  { name: 'branch', description: 'the current branch', for: 'all' },
  { name: 'feature', description: 'the branch without its leading number', for: 'all' },
  { name: 'filePath', description: 'the file, as an absolute path', for: FILES },
  { name: 'fileName', description: 'its name with its extension', for: FILES },
  { name: 'fileExt', description: 'its extension, without the dot', for: FILES },
  { name: 'fileDir', description: 'the folder it is in, as an absolute path', for: FILES },
  { name: 'files', description: 'all files of a batch, one absolute path per line', for: FILES },
  { name: 'fileCount', description: 'how many files these are', for: FILES },
  { name: 'oldFilePath', description: 'the name before, as an absolute path', for: ['rename'] },
  { name: 'dueTime', description: 'the time of the schedule, as ISO 8601', for: ['schedule'] },
  { name: 'specId', description: 'the specification, by the name of its folder', for: SPECS },
  { name: 'specPath', description: 'its file, as an absolute path', for: SPECS },
  { name: 'oldStatus', description: 'its status before', for: SPECS },
  { name: 'newStatus', description: 'its status now', for: SPECS },
  { name: 'changeAuthor', description: 'who changed it', for: SPECS },
  { name: 'commitHash', description: 'the commit', for: ['commit'] },
  { name: 'commitKind', description: '`commit`, `amend`, `merge` or `rebase`', for: ['commit'] },
  { name: 'repoRoot', description: 'the repository, as an absolute path', for: ['commit'] },
  { name: 'agent', description: '`speckit` or `openspec`', for: ['operation'] },
  { name: 'operation', description: 'one of the fourteen operations', for: ['operation'] },
  { name: 'timing', description: '`before` or `after`', for: ['operation'] },
  { name: 'eventName', description: 'one of the eight events', for: ['host'] },
  { name: 'hostName', description: 'the agent program', for: ['host', 'operation'] },
  { name: 'sessionId', description: 'the session', for: ['host', 'operation'] },
  { name: 'toolName', description: 'the tool, for events about one', for: ['host'] },
];

/** Returns the variables of a trigger. */
export function variablesFor(kind: TriggerKind): Variable[] {
  return VARIABLES.filter((variable) => variable.for === 'all' || variable.for.includes(kind));
}

/** Returns the beginning of a variable before the cursor, or nothing if the cursor is not in one. */
export function openVariable(text: string, cursor: number): string | undefined {
  return /\{([A-Za-z0-9_]*)$/.exec(text.slice(0, cursor))?.[1];
}

/** Inserts a variable at the cursor, in place of its beginning. Returns the text and the new cursor. */
export function insertVariable(text: string, cursor: number, name: string): { text: string; cursor: number } {
  const begun = openVariable(text, cursor);
  const start = begun === undefined ? cursor : cursor - begun.length - 1;
  const rest = text.slice(cursor).replace(/^[A-Za-z0-9_]*\}/, begun === undefined ? '$&' : '');
  const inserted = `{${name}}`;
  return { text: text.slice(0, start) + inserted + rest, cursor: start + inserted.length };
}

/** Warns about variables that a trigger does not provide. An `emit` may provide others to a custom trigger. */
export function unavailable(text: string, kind: TriggerKind): string[] {
  if (kind === 'custom') return [];
  const known = new Set(variablesFor(kind).map((variable) => variable.name));
  const used = [...text.matchAll(/\{([A-Za-z0-9_]+)\}/g)].map((match) => match[1] ?? '');
  return [...new Set(used)].filter((name) => !known.has(name))
    .map((name) => t('{{0}} has no value for this trigger: it becomes an empty text', name));
}
