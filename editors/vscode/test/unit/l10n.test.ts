import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { VARIABLES } from '../../src/form/variable-table.generated';

const REPO = process.env.STEERSMAN_REPO ?? join(process.cwd(), '../..');
const FOLDER = join(REPO, 'editors/vscode');

/** Returns the messages in the sources: the first argument of `t(…)` and `message(…)`, and the descriptions of variables. */
function messages(): string[] {
  const files = readdirSync(join(FOLDER, 'src'), { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
  const found = files.flatMap((name) => [...readFileSync(join(FOLDER, 'src', name), 'utf8').matchAll(/\b(?:t|message)\(\s*'((?:[^'\\]|\\.)*)'/g)]);
  const literals = found.map((match) => (match[1] ?? '').replaceAll("\\'", "'"));
  return [...new Set([...literals, ...VARIABLES.map((it) => it.description)])].sort();
}

test('translators get every message (UPDATE_L10N=1 writes them)', () => {
  const file = join(FOLDER, 'l10n/bundle.l10n.json');
  const wanted = Object.fromEntries(messages().map((message) => [message, message]));
  if (process.env.UPDATE_L10N) writeFileSync(file, `${JSON.stringify(wanted, null, 2)}\n`);
  assert.deepEqual(JSON.parse(readFileSync(file, 'utf8')), wanted);
});

test('every text of the manifest exists', () => {
  const manifest = readFileSync(join(FOLDER, 'package.json'), 'utf8');
  const texts = JSON.parse(readFileSync(join(FOLDER, 'package.nls.json'), 'utf8')) as Record<string, string>;
  const used = [...manifest.matchAll(/"%([a-zA-Z.]+)%"/g)].map((match) => match[1] ?? '');
  assert.deepEqual([...new Set(used)].sort(), Object.keys(texts).sort());
});

test('every command is declared, and every declared command exists', () => {
  const manifest = JSON.parse(readFileSync(join(FOLDER, 'package.json'), 'utf8')) as { contributes: { commands: { command: string }[] } };
  const source = ['commands.ts', 'extension.ts'].map((name) => readFileSync(join(FOLDER, 'src', name), 'utf8')).join('\n');
  const registered = [...source.matchAll(/(?:register|orders|answerRequest|setEnabled)\('(\w+)'|registerCommand\('steersman\.(\w+)'/g)].map((match) => `steersman.${match[1] ?? match[2]}`);
  // Rows open files through it; nobody types it.
  const internal = ['steersman.openFile'];
  assert.deepEqual(manifest.contributes.commands.map((it) => it.command).sort(), registered.filter((it) => !internal.includes(it)).sort());
});
