import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { Snapshot } from '../../src/api';
import { commandOf } from '../../src/api';
import { declarations } from '../../src/declarations';
import { fixOf } from '../../src/fix';
import { adviceFor, agentRows, askRows, automationRows, escape, inline, intentRows, sessionRows, span, summary } from '../../src/nodes';

const empty = (): Snapshot => ({
  asks: [], now: { workspace: '/w', sessions: [], runs: [], failed: [] }, intents: { governed: true, intents: [], requests: [] },
  automations: { automations: [], runs: [], history: [] }, agents: [],
});

test('an ask shows its call, its program and its time limit', () => {
  const snapshot = { ...empty(), asks: [{ id: '4f', session: 's', host: 'codex', agent: 'u00', tool: 'Bash', call: 'git push -f', reason: 'why', opened: 0, until: 90_000 }] };
  const [row] = askRows(snapshot);
  assert.equal(row?.label, 'git push -f');
  assert.match(row?.description ?? '', /^codex · denied at \d.*/);
  assert.equal(row?.kind, 'ask');
});

test('a held session can be released, another held', () => {
  const card = { sid: 'ab', host: 'Codex', doing: 'x', turn: 1, phase: 'EXECUTING', toolCalls: 1, denies: 0, asks: 0 };
  const snapshot = empty();
  snapshot.now.sessions = [{ ...card, status: 'held' }, { ...card, sid: 'cd', status: 'working' }];
  assert.deepEqual(sessionRows(snapshot).map((row) => row.kind), ['session.held', 'session']);
});

test('an intent has its requests, its scope and its files', () => {
  const snapshot = empty();
  snapshot.intents.intents = [{ id: 'INT-001', name: 'Cart', description: '', status: 'IN_PROGRESS', scope: ['src/**'], selected: true, files: [{ path: 'src/a', n: 2, last: '' }], nWrites: 2 }];
  snapshot.intents.requests = [{ request: 'k', intent: 'INT-001', pattern: 'docs/**', reason: 'r', timestamp: '', diff: [] }];
  const [row] = intentRows(snapshot);
  assert.deepEqual(row?.children?.map((it) => it.kind), ['request', 'group', 'group']);
  assert.equal(row?.description, 'selected · IN_PROGRESS · one request');
  assert.equal(row?.kind, 'intent.selectable');
});

test('automations are grouped by trigger, with their state', () => {
  const row = { label: 'A', trigger: 'file-save', action: 'prompt', nRuns: 0, latest: [] };
  const snapshot = empty();
  snapshot.automations.automations = [
    { ...row, id: 'a', enabled: true }, { ...row, id: 'b', enabled: false }, { ...row, id: 'c', enabled: true, trigger: 'commit', impediment: 'NO_RUNNER' },
    { ...row, id: 'd', enabled: true, trigger: 'commit', latest: ['success', 'failed'] },
  ];
  const groups = automationRows(snapshot);
  assert.match(automationRows({ ...snapshot, automations: { ...snapshot.automations, automations: [{ ...row, id: 'e', enabled: true, pattern: 'src/**' }] } })[0]?.children?.[0]?.tooltip ?? '', /file\\-save src\/\\\*\\\* → prompt/);
  assert.deepEqual(groups.map((it) => [it.label, it.children?.map((child) => child.description)]), [
    ['file-save', ['never ran', 'off']], ['commit', ['cannot run', 'failed']],
  ]);
  snapshot.automations.automations = [
    { ...row, id: 'f', enabled: true, latest: ['failed'], lastRun: '2026-01-02T03:04:05Z' },
    { ...row, id: 'g', enabled: true, latest: ['failed'], lastRun: '2026-01-02T03:04:05Z', impediment: 'NO_RUNNER' },
  ];
  const [failed, stopped] = automationRows(snapshot)[0]?.children ?? [];
  assert.match(failed?.description ?? '', /^failed · .*2026/);
  assert.match(stopped?.description ?? '', /^cannot run · failed .*2026/);
});

test('agents are grouped by source, unavailable ones say what to do', () => {
  const agent = { name: 'a', displayName: 'A', type: 'local' as const, state: 'AVAILABLE', available: true };
  const snapshot = { ...empty(), agents: [{ ...agent, id: 'local:a', source: 'file' as const, sourcePath: '/a' }, { ...agent, id: 'extension:b', source: 'extension' as const, available: false, unavailableReason: 'EXTENSION_UNINSTALLED' }] };
  const rows = agentRows(snapshot);
  assert.deepEqual(rows.map((it) => it.label), ['Local agents', 'Agents of extensions']);
  assert.equal(rows[1]?.children?.[0]?.description, adviceFor('EXTENSION_UNINSTALLED'));
  for (const reason of ['FILE_DELETED', 'EXTENSION_UNINSTALLED', 'CLI_NOT_INSTALLED', 'INVALID_SCHEMA', 'UNKNOWN']) assert.ok(adviceFor(reason).includes(':'));
});

test('the status bar shows only what there is', () => {
  assert.equal(summary([empty()]).text, '$(compass)');
  const snapshot = empty();
  snapshot.asks = [{ id: '1', session: '', host: '', agent: '', tool: '', call: '', opened: 0, until: 0 }];
  snapshot.intents.intents = [{ id: 'INT-001', name: 'C', description: '', status: 'PENDING', scope: [], selected: true, files: [], nWrites: 0 }];
  assert.equal(summary([snapshot]).text, '$(compass) INT-001 $(question) 1');
  assert.equal(summary([snapshot]).isUrgent, true);
});

test('texts of others cannot make links or images', () => {
  assert.equal(escape('[x](command:y) <img>'), '\\[x\\]\\(command:y\\) \\<img\\>');
});

test('quoted texts of the program are code, and nothing else is Markdown', () => {
  assert.equal(inline('run `a [b](c)` *now*'), 'run `a [b](c)` \\*now\\*');
  assert.equal(inline('one ` alone <b>'), 'one \\` alone \\<b\\>');
});

test('spans have one unit', () => {
  assert.deepEqual([0, 59_000, 61_000, 7_200_000, 400_000_000].map(span), ['0 s', '59 s', '1 min', '2 h', '5 d']);
});

test('hints become fixes, in the quotes of the text', () => {
  assert.equal(fixOf('did you mean `trigger`?', '"triger"'), '"trigger"');
  assert.equal(fixOf('write `broken`', '[broken'), 'broken');
  assert.equal(fixOf('describe the agent’s purpose', 'x'), undefined);
});

test('declarations are found in YAML and JSON, not in comments', () => {
  assert.deepEqual(declarations('intents:\n  - id: INT-001\n    name: x\n# - id: INT-002\n  - id: "INT-003"\n'), [{ id: 'INT-001', line: 1 }, { id: 'INT-003', line: 4 }]);
  assert.deepEqual(declarations('{"hooks": [\n  {\n    "id": "a",\n // "id": "b"\n  { "id": "c" }\n]}'), [{ id: 'a', line: 2 }, { id: 'c', line: 4 }]);
});

test('orders have the commands that do the same', () => {
  assert.deepEqual(commandOf({ do: 'deny', ask: '4f', reason: 'no' }), ['ask', 'deny', '4f', '--reason', 'no']);
  assert.deepEqual(commandOf({ do: 'release', session: null }), ['release', '--all']);
  assert.equal(commandOf({ do: 'trust', fingerprint: '' }), undefined);
});
