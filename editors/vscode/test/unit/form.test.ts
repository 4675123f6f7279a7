import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { ACTIONS, changedKeys, copyOf, emptyFields, EVENTS, idOf, OPERATIONS, toDefinition, toFields, triggerKind, WORKSPACE_OPERATIONS } from '../../src/form/definition';
import { problemsByField } from '../../src/form/problemsByField';
import { insertVariable, openVariable, unavailable, variablesFor } from '../../src/form/variables';

const REPO = process.env.STEERSMAN_REPO ?? join(process.cwd(), '../..');

test('the choices are those of the schemas', () => {
  const schema = JSON.parse(readFileSync(join(REPO, 'schemas/custom-hooks.schema.json'), 'utf8'));
  assert.deepEqual([...OPERATIONS, ...WORKSPACE_OPERATIONS], schema.$defs.Operation.enum);
  const actions = schema.$defs.Action.oneOf.map((it: { properties: { type: { const: string } } }) => it.properties.type.const);
  assert.deepEqual(ACTIONS.filter((it) => it !== 'prompt').sort(), actions.sort());
});

test('every event of the form has a kind, other names are custom', () => {
  for (const event of EVENTS) assert.notEqual(triggerKind({ ...emptyFields(), event }), 'custom', event);
  assert.equal(triggerKind({ ...emptyFields(), event: 'release' }), 'custom');
  assert.equal(triggerKind({ ...emptyFields(), event: 'speckit.clarify:before' }), 'operation');
});

test('a definition survives the form', () => {
  const definitions = [
    { id: 'a', name: 'A', trigger: 'onDidSaveTextDocument', pattern: ['src/**', '!src/gen/**'], prompt: 'x {filePath}', runner: 'claude' },
    { id: 'b', enabled: false, trigger: 'schedule', cron: '0 9 * * 1-5', prompt: 'x', runner: { type: 'command', command: ['tee', '-a', 'x y'] }, timeoutMs: 5000, retry: { count: 2 } },
    { id: 'c', trigger: 'gitCommit', allowGit: true, repoRoot: '.', prompt: 'x', concurrency: 2, onBusy: 'skip', rateLimit: { runs: 3, perMs: 1000 } },
    { id: 'd', trigger: { agent: 'speckit', operation: 'clarify', timing: 'after' }, action: { type: 'custom', parameters: { agentId: 'local:code-reviewer', prompt: 'Review', arguments: '{specId}' } } },
    { id: 'e', trigger: { agent: 'workspace', operation: 'file-save', timing: 'after' }, action: { type: 'git', parameters: { operation: 'commit', messageTemplate: 'save {fileName}' } } },
    { id: 'f', trigger: { agent: 'openspec', operation: 'plan', timing: 'before' }, action: { type: 'mcp', parameters: { serverId: 's', toolName: 't', arguments: { a: 1 } } } },
    { id: 'g', trigger: { agent: 'speckit', operation: 'tasks', timing: 'after' }, action: { type: 'github', parameters: { operation: 'open-issue', titleTemplate: 't', labels: ['a', 'b'], issueNumber: 4 } } },
    { id: 'h', trigger: { agent: 'speckit', operation: 'tasks', timing: 'after' }, action: { type: 'command', parameters: { command: ['echo', 'a b'], input: 'x' } } },
    { id: 'i', trigger: { agent: 'speckit', operation: 'tasks', timing: 'after' }, action: { type: 'agent', parameters: { command: '/speckit.plan' } } },
  ];
  for (const definition of definitions) {
    const back = toDefinition(toFields(definition));
    if (definition.id === 'i') back.action = { type: 'agent', parameters: { command: (back.action as { parameters: { command: string } }).parameters.command } };
    assert.deepEqual(back, definition);
    assert.deepEqual(changedKeys(definition, back), {});
  }
});

test('an edit sets what changed and removes what was emptied', () => {
  const before = { id: 'a', trigger: 'x', prompt: 'p', timeoutMs: 5000, metadata: { mine: 1 } };
  const fields = { ...toFields(before), timeoutMs: '', name: 'N' };
  assert.deepEqual(changedKeys(before, toDefinition(fields)), { name: 'N', timeoutMs: null });
});

test('an edit keeps what the form does not show', () => {
  const custom = {
    id: 'a', trigger: { agent: 'workspace', operation: 'file-save' }, confine: { network: false }, createdAt: 1, executionCount: 5,
    action: { type: 'custom', parameters: { agentName: 'code-reviewer', prompt: 'p', selectedTools: [{ serverId: 's', toolName: 't' }] } },
    runner: { type: 'claude', args: ['--verbose'] }, retry: { count: 2, backoffMs: 500 },
  };
  const edited = (change: Partial<ReturnType<typeof toFields>>): Record<string, unknown> => changedKeys(custom, toDefinition({ ...toFields(custom), ...change }));
  assert.deepEqual(edited({}), {});
  assert.deepEqual(edited({ retries: '3' }), { retry: { count: 3, backoffMs: 500 } });
  assert.deepEqual(edited({ retries: '' }), { retry: null });
  assert.deepEqual(edited({ runnerDetail: 'opus' }), { runner: { type: 'claude', args: ['--verbose'], model: 'opus' } });
  assert.deepEqual(edited({ runner: 'codex' }), { runner: 'codex' });
  assert.deepEqual(edited({ arguments: '{fileName}', agentId: 'local:code-reviewer', agentType: 'local' }), {
    action: { type: 'custom', parameters: { ...custom.action.parameters, agentId: 'local:code-reviewer', agentType: 'local', arguments: '{fileName}' } },
  });
  assert.deepEqual(edited({ action: 'git', message: 'm' }).action, { type: 'git', parameters: { operation: 'commit', messageTemplate: 'm' } });
  assert.deepEqual(edited({ operation: 'git-commit' }).trigger, { agent: 'workspace', operation: 'git-commit' });
});

test('a copy has all keys but the counts of runs', () => {
  const before = { id: 'a', trigger: 'x', prompt: 'p', timeoutMs: 5000, metadata: { mine: 1 }, confine: {}, executionCount: 5, createdAt: 1 };
  const after = toDefinition({ ...toFields(before), id: 'a-copy', timeoutMs: '' });
  assert.deepEqual(copyOf(before, after), { id: 'a-copy', trigger: 'x', prompt: 'p', metadata: { mine: 1 }, confine: {} });
});

test('a problem is shown beside its field, else below the form', () => {
  const problem = (severity: 'error' | 'warning', message: string, key?: string) => ({ severity, message, code: 'X', file: '', ...(key ? { key } : {}) });
  const fields = [
    { name: 'agentId', keys: ['action.parameters.agentId', 'action.parameters'] }, { name: 'prompt', keys: ['prompt', 'action.parameters.prompt'] },
    { name: 'pattern', keys: ['pattern'] }, { name: 'runner', keys: ['runner'] },
  ];
  const { byField, errors, notes } = problemsByField([
    problem('error', 'no agent', 'action.parameters'), problem('warning', 'variable', 'action.parameters.prompt'), problem('error', 'glob', 'pattern[1]'),
    problem('error', 'type', 'runner.command'), problem('error', 'other', 'confine.write'), problem('warning', 'cannot run'),
  ], fields);
  assert.deepEqual([...byField], [['agentId', ['no agent']], ['prompt', ['variable']], ['pattern', ['glob']], ['runner', ['type']]]);
  assert.deepEqual([errors, notes], [['other'], ['cannot run']]);
});

test('ids follow names', () => {
  assert.equal(idOf('Note Saves!'), 'note-saves');
  assert.equal(idOf('  ÄÖ  '), '');
});

test('a variable is completed at the cursor', () => {
  assert.equal(openVariable('a {fi', 5), 'fi');
  assert.equal(openVariable('a {fi} b', 8), undefined);
  assert.deepEqual(insertVariable('a {fi b', 5, 'fileName'), { text: 'a {fileName} b', cursor: 12 });
  assert.deepEqual(insertVariable('a {fi} b', 5, 'fileName'), { text: 'a {fileName} b', cursor: 12 });
  assert.deepEqual(insertVariable('ab', 1, 'user'), { text: 'a{user}b', cursor: 7 });
});

test('variables that a trigger lacks are reported', () => {
  assert.deepEqual(unavailable('{filePath} {user}', 'file'), []);
  assert.equal(unavailable('{commitHash} {commitHash}', 'file').length, 1);
  assert.match(unavailable('{commitHash}', 'file')[0] ?? '', /\{commitHash\}/);
  assert.deepEqual(unavailable('{anything}', 'custom'), []);
  assert.ok(variablesFor('operation').some((it) => it.name === 'specId'));
});
