// Which field of the form a problem belongs to.
import type { Problem } from '../api';

/** A field that is visible, with the keys of a definition that it stands for. */
export interface KeyedField<Name> {
  name: Name;
  keys: string[];
}

export interface Assigned<Name> {
  /** The texts beside each field. */
  byField: Map<Name, string[]>;
  /** Errors of no visible field: they prevent saving. */
  errors: string[];
  /** Warnings of no visible field: the automation can be saved, but may not run. */
  notes: string[];
}

export function problemsByField<Name>(problems: Problem[], fields: KeyedField<Name>[]): Assigned<Name> {
  const assigned: Assigned<Name> = { byField: new Map(), errors: [], notes: [] };
  for (const problem of problems) {
    const key = problem.key ?? '';
    const text = [problem.message, problem.hint].filter(Boolean).join(' — ');
    const field = fields.find(({ keys }) => keys.includes(key))
      ?? fields.find(({ keys }) => keys.some((own) => key.startsWith(`${own}.`) || key.startsWith(`${own}[`)));
    if (field) assigned.byField.set(field.name, [...(assigned.byField.get(field.name) ?? []), text]);
    else (problem.severity === 'error' ? assigned.errors : assigned.notes).push(text);
  }
  return assigned;
}
