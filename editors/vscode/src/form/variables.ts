// The variables of templates by trigger, for completion. The program decides whether a template is valid.
import { t } from '../l10n';
import { VARIABLES } from './variable-table.generated';

export type TriggerKind = 'file' | 'rename' | 'schedule' | 'spec' | 'commit' | 'operation' | 'host' | 'custom';

export interface Variable {
  name: string;
  description: string;
  for: TriggerKind[] | 'all';
}

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
