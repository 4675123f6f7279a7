// What people do with the extension, from the first click to the effect on disk.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import { join } from 'node:path';

import { AGENT, agentWorks, command, hooks, INTENTS, opened, read, trusted } from './folders.mjs';
import { OUTPUT_WORKFLOWS } from './outputWorkflows.mjs';
import { REGISTRY_WORKFLOWS } from './registryWorkflows.mjs';
import { until, write } from './workbench.mjs';

async function firstRun(bench) {
  const root = bench.workspace('first-run', { 'src/a.js': '1\n', '.claude/settings.json': '{\n  // mine\n  "model": "opus"\n}\n' });
  execFileSync('git', ['init', '-q', root]);
  await opened(bench, root);
  const offer = bench.page.locator('.sidebar .welcome-view-content, .sidebar .welcome-view').getByText('Show what init would change').first();
  await offer.waitFor();
  await bench.screenshot('first-run');
  await offer.click();
  await bench.page.locator('.tab', { hasText: 'first-run (steersman init)' }).first().waitFor();
  assert.ok(!read(root, '.claude/settings.json').includes('dispatch'), 'nothing is written before the person agrees');
  // All changes are in one tab, one below the other.
  await bench.page.locator('.multiDiffEntry, .monaco-component.multiDiffEditor', { hasText: 'settings.json' }).first().waitFor();
  await bench.page.locator('.monaco-diff-editor .modified .view-lines', { hasText: 'dispatch' }).first().waitFor();
  await bench.screenshot('init-diff');
  await bench.answer('steersman init would change', 'Write');
  await until('hooks are registered', () => read(root, '.claude/settings.json').includes('dispatch'));
  assert.ok(read(root, '.claude/settings.json').includes('// mine'), 'comments stay');
  await until('the server runs', () => JSON.parse(bench.run(root, ['status', '--json'])).server !== null);
  await bench.command('steersman: Check the Installation (doctor)');
  await bench.page.locator('.tab', { hasText: 'first-run.md' }).first().waitFor();
  await bench.form().locator('h1', { hasText: 'steersman doctor' }).waitFor();
  await bench.form().getByText('Claude Code').first().waitFor();
  await bench.screenshot('doctor');
}

async function askAnswered(bench) {
  const root = trusted(bench, 'ask', { '.ai/hooks/config.json': { version: 1, ask: { wait: 200 } } });
  await opened(bench, root);
  await bench.row('No agent waits').or(bench.page.getByText('No agent waits for your decision')).first().waitFor();
  agentWorks(bench, root);
  const first = bench.hook(root, 'git push --force origin one');
  await bench.notification('git push --force origin one').waitFor();
  await bench.row('git push --force origin one').waitFor();
  await until('the status bar counts it', async () => (await bench.status().textContent()).includes('1'));
  await bench.screenshot('asks');
  await bench.answer('git push --force origin one', 'Allow once');
  assert.ok(!(await first).includes('deny'), 'an allowed call passes');
  const second = bench.hook(root, 'git push --force origin two');
  await bench.act('git push --force origin two', 'Deny');
  const input = bench.page.locator('.quick-input-widget input').first();
  await input.fill('open a pull request instead');
  await input.press('Enter');
  assert.match(await second, /open a pull request instead/);
  const third = bench.hook(root, 'git push --force origin three');
  await bench.answer('git push --force origin three', 'Explain');
  await bench.editor('git-force-push').waitFor();
  await bench.act('git push --force origin three', 'Allow for the Session');
  assert.ok(!(await third).includes('deny'));
  assert.ok(!(await bench.hook(root, 'git push --force origin three')).includes('deny'), 'the session keeps the answer');
}

async function agentCannotApprove(bench) {
  const root = trusted(bench, 'attack', { '.ai/hooks/config.json': { version: 1, ask: { wait: 200 } }, '.orchestration/active_intents.yaml': INTENTS });
  await opened(bench, root);
  await bench.row('INT-001').waitFor();
  // An agent program that stays alive, and does what it likes.
  const script = join(bench.scratch, 'rogue.sh');
  const out = join(bench.scratch, 'rogue.out');
  const payload = join(bench.scratch, 'start.json');
  fs.writeFileSync(payload, JSON.stringify({ session_id: 'rogue', cwd: root, hook_event_name: 'SessionStart', source: 'startup' }));
  const { port } = JSON.parse(bench.run(root, ['automation', 'list', '--json'])).server;
  assert.ok(port, 'the server has told its port');
  fs.writeFileSync(script, `
steersman dispatch SessionStart --host claude-code < '${payload}' >/dev/null
{ steersman intent select INT-002; echo "select $?"
  curl -sS --noproxy '*' -o /dev/null -w 'order %{http_code}\\n' -X POST -H 'content-type: application/json' -H 'authorization: Bearer 00' -d '{"do":"select","intent":"INT-002"}' http://127.0.0.1:${port}/api/v1/editor
  mkdir -p '${bench.scratch}/other/.ai/hooks' && cd '${bench.scratch}/other' && cp '${root}/.orchestration' . -r
  steersman dispatch SessionStart --host claude-code < '${payload}' >/dev/null
  mkfifo in
  sleep 600 > in & sleeper=$!
  timeout 60 steersman serve --editor --port 0 < in > served 2>&1 & server=$!
  while ! grep '"EDITOR"' served; do kill -0 $server || break; sleep 0.1; done
  kill $sleeper; wait $server
} > '${out}' 2>&1
`);
  execFileSync('sh', [script], { cwd: root, env: bench.env });
  const said = fs.readFileSync(out, 'utf8');
  assert.match(said, /only a person may do this/);
  assert.match(said, /select 1/);
  assert.match(said, /order 403/);
  assert.match(said, /"token":null/, said);
  // The person's own click still works.
  await bench.act('INT-002', 'Select Intent');
  await until('the person selected it', () => JSON.parse(bench.run(root, ['intent', 'list', '--json'])).selected === 'INT-002');
}

async function intentAndScope(bench) {
  const root = trusted(bench, 'intents', { '.orchestration/active_intents.yaml': INTENTS, 'src/cart.js': '1\n', 'docs/a.md': 'a\n' });
  write(root, '.ai/tmp/scope-requests.jsonl', JSON.stringify({ intent_id: 'INT-001', pattern: 'docs/cart.md', reason: 'the guide belongs to the cart', timestamp: '2026-01-02T03:04:05.000Z' }) + '\n');
  await opened(bench, root);
  agentWorks(bench, root);
  await bench.actUntil('INT-001', 'Select Intent', () => bench.row(/INT-001.*selected/).isVisible());
  assert.equal(JSON.parse(bench.run(root, ['intent', 'list', '--json'])).selected, 'INT-001');
  await bench.row('wants docs/cart.md').click();
  await bench.page.locator('.tab', { hasText: 'INT-001 wants docs/cart.md' }).first().waitFor();
  await bench.page.locator('.diff-editor, .monaco-diff-editor').first().waitFor();
  await bench.page.locator('.monaco-diff-editor .modified .view-lines', { hasText: 'docs/cart.md' }).first().waitFor();
  await bench.screenshot('intents');
  assert.ok(!read(root, '.orchestration/active_intents.yaml').includes('docs/cart.md'));
  await bench.act('wants docs/cart.md', 'Accept');
  await until('the scope is wider', () => read(root, '.orchestration/active_intents.yaml').includes('docs/cart.md'));
  assert.ok(read(root, '.orchestration/active_intents.yaml').startsWith('# The plan of this week.'), 'comments stay');
  await bench.act('INT-001', 'Change Status');
  await bench.pick('COMPLETED');
  await until('the status moved', () => /INT-001[\s\S]*COMPLETED[\s\S]*INT-002/.test(read(root, '.orchestration/active_intents.yaml')));
}

async function formAndSave(bench) {
  const root = trusted(bench, 'form', { '.akira/hooks.json': '// keep me\n{\n  "schemaVersion": 1,\n  "hooks": []\n}\n', 'src/a.txt': 'a\n', '.github/agents/reviewer.agent.md': AGENT, '.github/agents/broken.agent.md': '---\nid: [broken\n---\nx' });
  await opened(bench, root);
  await bench.command('steersman: New Automation');
  const form = bench.form();
  await form.locator('#f-name').fill('Note saves');
  await until('the id follows the name', async () => (await form.locator('#f-id').inputValue()) === 'note-saves');
  await form.locator('#f-pattern').fill('src/**');
  // Live validation, and completion of variables with the keyboard.
  await form.locator('#f-prompt').fill('{commitHash}');
  await form.locator('#f-prompt-problem', { hasText: 'commitHash' }).waitFor();
  await form.locator('#f-prompt').fill('');
  await form.locator('#f-prompt').pressSequentially('saved {fileN');
  await form.locator('#f-prompt-variables li', { hasText: 'fileName' }).waitFor();
  await form.locator('#f-prompt').press('Enter');
  assert.equal(await form.locator('#f-prompt').inputValue(), 'saved {fileName}');
  await form.locator('#f-timeoutMs').fill('5');
  await form.locator('#f-timeoutMs-problem', { hasText: '1000' }).waitFor();
  await form.locator('#f-timeoutMs').fill('5000');
  await until('the problem is gone', async () => (await form.locator('#f-timeoutMs-problem').textContent()) === '');
  await form.locator('#f-runner').selectOption('command');
  await form.locator('#f-runnerDetail').fill('tee\n-a\nsaves.log');
  await bench.screenshot('form');
  // The agents are grouped by source, unavailable ones marked.
  await form.locator('#f-action').selectOption('custom');
  assert.deepEqual(await form.locator('#f-agentId optgroup').evaluateAll((all) => all.map((it) => it.label)), ['Local agents']);
  assert.match(await form.locator('#f-agentId option.unavailable').textContent(), /Broken.*INVALID_SCHEMA/);
  assert.equal(await form.locator('#f-agentId option', { hasText: 'Reviewer' }).getAttribute('title'), 'Reads changes');
  await bench.screenshot('form-agents');
  await form.locator('#f-action').selectOption('prompt');
  await form.locator('#save').click();
  await until('the definition is written', () => read(root, '.akira/hooks.json').includes('note-saves'));
  assert.ok(read(root, '.akira/hooks.json').startsWith('// keep me'), 'comments stay');
  await bench.answer('They run in their new form after you trust them', 'Review and trust');
  await bench.page.locator('.tab', { hasText: 'form (since you trusted it)' }).first().waitFor();
  await bench.answer('to run in its present form', 'Trust');
  await until('it is trusted', () => JSON.parse(bench.run(root, ['automation', 'list', '--json'])).trust === 'trusted');
  await bench.row('Note saves').waitFor();
  await bench.file('src/a.txt');
  await bench.typeAndSave('b');
  await until('the save ran it', () => read(root, 'saves.log').includes('saved a.txt'));
  await bench.views();
  await bench.row(/Note saves.*success/).waitFor();
  await bench.screenshot('automations');
}

async function formKeepsTheFile(bench) {
  const text = '{\n  "hooks": [\n    {\n      // why it is here\n      "prompt": "hi {fileName}",\n      "id": "greet",\n      "trigger": "greet", // own event\n      "runner": { "type": "command", "command": ["cat"] }\n    }\n  ]\n}\n';
  const root = trusted(bench, 'edit', { '.akira/hooks.json': text });
  await opened(bench, root);
  await bench.row('greet').waitFor();
  await bench.act(/greet.*never ran/, 'Edit Automation');
  const form = bench.form();
  await until('the form shows it', async () => (await form.locator('#f-event').inputValue()) === 'greet');
  await form.locator('#f-timeoutMs').fill('9000');
  await form.locator('#save').click();
  await until('it is written', () => read(root, '.akira/hooks.json').includes('9000'));
  const after = read(root, '.akira/hooks.json');
  assert.ok(after.includes('// why it is here') && after.includes('// own event') && after.indexOf('"prompt"') < after.indexOf('"id"'), after);
  await bench.row('No automation runs').waitFor();
  await bench.menuUntil(/greet.*never ran/, 'Disable', () => read(root, '.akira/hooks.json').includes('"enabled": false'));
  await bench.row(/greet.*off/).waitFor();
  await bench.menuUntil(/greet.*off/, 'Enable', () => !read(root, '.akira/hooks.json').includes('"enabled": false'));
  await bench.row(/greet.*never ran/).waitFor();
  await bench.menuUntil(/greet.*never ran/, 'Open Definition', () => bench.page.locator('.tab.active', { hasText: 'hooks.json' }).isVisible());
  const confirm = bench.page.locator('.monaco-dialog-box .monaco-button', { hasText: 'Delete' });
  await bench.menuUntil(/greet.*never ran/, 'Delete', () => confirm.isVisible());
  await confirm.click();
  await until('it is gone', () => !read(root, '.akira/hooks.json').includes('greet'));
}

async function cancelled(bench) {
  const root = trusted(bench, 'cancel', { '.akira/hooks.json': hooks({ id: 'wait', trigger: 'wait', prompt: 'hi', runner: command('echo waiting; sleep 600') }) });
  await opened(bench, root);
  await bench.actUntil(/wait.*never ran/, 'Run Now', () => bench.row(/^wait.*running/).isVisible());
  await bench.act(/running since/, 'Cancel');
  await bench.row(/wait.*canceled/).waitFor();
}

async function failedRunOpened(bench) {
  const root = trusted(bench, 'fail', { '.akira/hooks.json': hooks({ id: 'fail', trigger: 'fail', prompt: 'hi', runner: command('echo the disk is full >&2; exit 3') }) });
  await opened(bench, root);
  await bench.actUntil(/fail.*never ran/, 'Run Now', () => bench.row(/fail.*failed/).isVisible());
  await until('the status bar counts it', async () => (await bench.status().textContent()).includes('1'));
  await bench.row(/fail.*failed/).locator('.monaco-tl-twistie').click();
  await bench.row(/failed.*the disk is full/).click();
  await bench.editor('the disk is full').waitFor();
  await bench.editor('EXIT_CODE').waitFor();
}

async function agentDisappears(bench) {
  const root = trusted(bench, 'agents', { '.github/agents/reviewer.agent.md': AGENT, '.akira/hooks.json': hooks() });
  write(root, '.vscode/gatomia/hooks.json', [{ id: 'review', trigger: { agent: 'workspace', operation: 'file-save' }, action: { type: 'custom', parameters: { agentId: 'local:reviewer', prompt: 'x' } }, runner: command('cat') }]);
  await opened(bench, root);
  await bench.page.locator('.sidebar .pane-header', { hasText: 'Agents' }).click();
  await bench.row('Reviewer').waitFor();
  await bench.page.getByText('No agent waits for your decision').first().waitFor();
  await bench.screenshot('agents');
  fs.rmSync(join(root, '.github/agents/reviewer.agent.md'));
  await until('the agent is gone or marked', async () => !(await bench.row(/^Reviewer.*Reads changes/).isVisible()));
  // Its automation cannot run any more, which the server notices within half a minute.
  await bench.act(/review.*cannot run/, 'Edit Automation');
  await until('the form marks it', async () => /not found|FILE_DELETED/.test(await bench.form().locator('#f-agentId option:checked').textContent()));
}

async function blameShown(bench) {
  const root = trusted(bench, 'blame', { '.orchestration/active_intents.yaml': INTENTS, 'src/cart.rs': 'fn a() {}\n' });
  bench.run(root, ['intent', 'select', 'INT-001']);
  agentWorks(bench, root);
  const file = join(root, 'src/cart.rs');
  const call = { tool_name: 'Write', tool_input: { file_path: file, content: 'fn a() {}\nfn total() {}\n' }, tool_use_id: 'w1' };
  bench.event(root, 'PreToolUse', call);
  fs.writeFileSync(file, 'fn a() {}\nfn total() {}\n');
  bench.event(root, 'PostToolUse', { ...call, tool_response: { success: true } });
  await opened(bench, root);
  await bench.file('src/cart.rs');
  await bench.goto(2);
  const annotated = () => bench.page.evaluate(() => {
    const lines = [...document.querySelectorAll('.editor-instance .view-line span')];
    return lines.map((it) => getComputedStyle(it, '::after').content).filter((it) => it.includes('INT-'));
  });
  await until('the line names its intent', async () => (await annotated()).length === 1, () => '');
  assert.match((await annotated())[0], /INT-001 · [0-9a-f]{8}/);
  await bench.screenshot('blame');
  await bench.command('steersman: Toggle Blame of All Lines');
  await bench.goto(1);
  await until('the lines without the cursor name theirs, too', async () => (await annotated()).some((it) => it.includes('INT-001')));
  await bench.command('steersman: Toggle Blame of All Lines');
  await until('only the current line names its intent', async () => (await annotated()).length === 0);
  await bench.goto(2);
  // The hover names the intent and leads to the turn.
  await bench.page.keyboard.press('End');
  await bench.command('Show or Focus Hover');
  await bench.page.locator('.monaco-hover', { hasText: 'Make the total of the cart linear' }).first().waitFor();
  await bench.page.locator('.monaco-hover a', { hasText: 'The turn in session' }).first().click();
  await bench.editor(/turn\s1/).waitFor();
  await until('the cursor is at the turn', async () => /Ln ([2-9]|\d\d),/.test(await bench.page.locator('.statusbar-item[id="status.editor.selection"]').textContent()));
}

async function diagnosticsAndFix(bench) {
  const root = trusted(bench, 'broken', { '.akira/hooks.json': hooks() });
  write(root, '.akira/hooks.json', '{\n  "hooks": [\n    {\n      "id": "a",\n      "triger": "onSave",\n      "prompt": "x"\n    }\n  ]\n}\n');
  await opened(bench, root);
  await bench.file('.akira/hooks.json');
  await bench.page.locator('.editor-instance .squiggly-warning, .editor-instance .squiggly-error').first().waitFor();
  await bench.command('View: Toggle Problems');
  await bench.page.locator('.markers-panel', { hasText: 'unknown key' }).first().waitFor();
  await bench.screenshot('problems');
  await bench.page.locator('.markers-panel .monaco-list-row', { hasText: 'unknown key' }).first().click();
  await bench.page.locator('.editor-instance .view-lines').first().click();
  await bench.goto(5, 9);
  const fix = bench.page.locator('.action-widget .monaco-list-row', { hasText: 'Change to "trigger"' }).first();
  await until('the fix is offered', async () => {
    // The list closes when the editor loses the focus.
    if (!(await fix.isVisible())) await bench.page.keyboard.press('Control+.');
    return fix.waitFor({ timeout: 5000 }).then(() => true);
  });
  await fix.click();
  await bench.editor('"trigger": "onSave"').waitFor();
  await bench.page.keyboard.press('Control+S');
  await until('the fix is saved', () => read(root, '.akira/hooks.json').includes('"trigger"'));
  await until('the problem is gone', async () => !(await bench.page.locator('.markers-panel', { hasText: 'unknown key' }).isVisible()));
}

async function heldSessionReleased(bench) {
  const root = trusted(bench, 'held', {});
  agentWorks(bench, root);
  await opened(bench, root);
  await bench.row('claude-code').or(bench.row('Claude')).first().waitFor();
  const row = /claude/i;
  await bench.act(row, 'Hold');
  await bench.row(/held/).waitFor();
  assert.match(bench.event(root, 'PreToolUse', { tool_name: 'Read', tool_input: { file_path: join(root, 'x') }, tool_use_id: 'r1' }), /deny/);
  await bench.page.getByText('No agent waits for your decision').first().waitFor();
  await bench.screenshot('sessions');
  await bench.act(/held/, 'Release');
  await until('it is released', async () => !(await bench.row(/held since/).isVisible()));
  assert.ok(!bench.event(root, 'PreToolUse', { tool_name: 'Read', tool_input: { file_path: join(root, 'x') }, tool_use_id: 'r2' }).includes('"deny"'));
  await bench.act(row, 'Open Timeline');
  await bench.editor('work').waitFor();
  await bench.menuUntil(row, 'Explain the Last Stopped Call', () => bench.editor(/held by|is held|session hold|hold/i).isVisible());
}

async function twoFolders(bench) {
  const one = trusted(bench, 'two-a', { '.orchestration/active_intents.yaml': INTENTS });
  const other = trusted(bench, 'two-b', { '.orchestration/active_intents.yaml': INTENTS.replaceAll('INT-00', 'INT-90') });
  const file = join(bench.scratch, 'both.code-workspace');
  fs.writeFileSync(file, JSON.stringify({ folders: [{ path: one }, { path: other }] }));
  await opened(bench, file);
  await bench.row('two-a').waitFor();
  await bench.row('two-b').waitFor();
  await bench.row('INT-001').waitFor();
  await bench.act('INT-902', 'Select Intent');
  await until('only the second folder has it', () => JSON.parse(bench.run(other, ['intent', 'list', '--json'])).selected === 'INT-902');
  assert.equal(JSON.parse(bench.run(one, ['intent', 'list', '--json'])).selected, null);
  await bench.screenshot('two-folders');
}

async function untrustedFolder(bench) {
  const root = trusted(bench, 'untrusted', { '.akira/hooks.json': hooks({ id: 'x', trigger: 'x', prompt: 'x', runner: command('cat') }) });
  bench.settings({ 'security.workspace.trust.enabled': true, 'security.workspace.trust.startupPrompt': 'never', 'security.workspace.trust.banner': 'never' });
  await opened(bench, root);
  await bench.page.locator('.sidebar').getByText('steersman starts nothing in a folder that you do not trust').first().waitFor();
  await bench.screenshot('untrusted');
  assert.equal(JSON.parse(bench.run(root, ['status', '--json'])).server, null, 'no server runs');
  await bench.page.locator('.sidebar').getByText('Manage Workspace Trust').first().click();
  await bench.page.locator('.workspace-trust-editor .monaco-button', { hasText: 'Trust' }).first().click();
  await until('the server runs after the grant', () => JSON.parse(bench.run(root, ['status', '--json'])).server !== null);
  await bench.row('never ran').waitFor();
}

async function willSaveAndLens(bench) {
  const root = trusted(bench, 'lens', {
    'src/a.txt': 'a\n', '.orchestration/active_intents.yaml': INTENTS, '.ai/hooks/rlm-policy.json': '{\n  \n}\n',
    '.akira/hooks.json': hooks(
      { id: 'before', trigger: 'onWillSaveTextDocument', prompt: '{fileName} ', runner: command('cat >> will.log') },
      { id: 'pong', trigger: 'ping', prompt: 'pong', runner: command('cat > pong.log') },
    ),
  });
  await opened(bench, root);
  await bench.row('before').waitFor();
  await bench.file('src/a.txt');
  await bench.typeAndSave('b');
  await until('the event arrived', () => read(root, 'will.log').includes('a.txt'));
  await bench.file('.akira/hooks.json');
  await bench.page.locator('.codelens-decoration a', { hasText: 'Run' }).first().click();
  await until('the lens ran it', () => JSON.parse(bench.run(root, ['automation', 'history', '--json'])).runs.length >= 2);
  await bench.screenshot('codelens');
  await bench.command('steersman: Emit an Event to Automations');
  const input = bench.page.locator('.quick-input-widget input').first();
  await input.fill('ping');
  await input.press('Enter');
  await until('the own event triggers', () => read(root, 'pong.log') === 'pong');
  await bench.file('.orchestration/active_intents.yaml');
  await bench.page.locator('.codelens-decoration a', { hasText: 'Select' }).first().click();
  await until('the lens selected the intent', () => JSON.parse(bench.run(root, ['intent', 'list', '--json'])).selected === 'INT-001');
  // The schema completes keys.
  await bench.file('.ai/hooks/rlm-policy.json');
  await bench.goto(2, 3);
  const proposal = bench.page.locator('.suggest-widget .monaco-list-row', { hasText: 'exempt' }).first();
  await until('the schema completes', async () => {
    if (!(await proposal.isVisible())) await bench.page.keyboard.press('Control+Space');
    return proposal.waitFor({ timeout: 5000 }).then(() => true);
  });
}

async function outOfScope(bench) {
  const root = trusted(bench, 'scope', { '.orchestration/active_intents.yaml': INTENTS, 'src/in.js': '1\n', 'out.js': '1\n' });
  bench.run(root, ['intent', 'select', 'INT-001']);
  await opened(bench, root);
  await bench.row(/INT-001.*selected/).waitFor();
  await bench.page.locator('.activitybar .action-label[aria-label^="Explorer"]').click();
  const row = (name) => bench.page.locator('.explorer-folders-view .monaco-list-row', { hasText: name }).first();
  // The workbench draws the sign of a decoration behind the name.
  const sign = (name) => row(name).evaluate((it) => [...it.querySelectorAll('*')].map((part) => getComputedStyle(part, '::after').content).join(' '));
  await until('the file out of scope is marked', async () => (await sign('out.js')).includes('⊘'));
  await row('src').click();
  await row('in.js').waitFor();
  await row('in.js').click();
  await bench.page.locator('.tab.active', { hasText: 'in.js' }).first().waitFor();
  assert.ok(!(await sign('in.js')).includes('⊘'));
  await bench.screenshot('scope');
}

export const WORKFLOWS = [
  { name: 'first run', run: firstRun, isShort: true },
  { name: 'ask answered', run: askAnswered, isShort: true },
  { name: 'an agent cannot approve itself', run: agentCannotApprove },
  { name: 'intent selected and scope request accepted', run: intentAndScope },
  { name: 'automation created by the form and run by a save', run: formAndSave, isShort: true },
  { name: 'edit, disable and delete keep the file', run: formKeepsTheFile },
  { name: 'run cancelled', run: cancelled },
  { name: 'failed run opened', run: failedRunOpened },
  { name: 'agent disappears', run: agentDisappears },
  { name: 'blame shown', run: blameShown },
  { name: 'diagnostics with a quick fix', run: diagnosticsAndFix, isShort: true },
  { name: 'held session released', run: heldSessionReleased },
  { name: 'two folders', run: twoFolders },
  { name: 'will-save event and lens', run: willSaveAndLens },
  { name: 'files out of scope are marked', run: outOfScope },
  ...REGISTRY_WORKFLOWS,
  ...OUTPUT_WORKFLOWS,
  // Last: it changes a setting of the whole workbench.
  { name: 'untrusted folder', run: untrustedFolder },
];
