// The registry of agents and the form for an automation of one: 000-custom-agent-hooks.
import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import { join } from 'node:path';

import { AGENT, command, opened, read, trusted } from './folders.mjs';
import { until, write } from './workbench.mjs';

const HOOKS = '.vscode/gatomia/hooks.json';
const REVIEW = { id: 'review', name: 'Review', trigger: { agent: 'workspace', operation: 'file-save' } };

/** Installs an extension with a chat participant, as an editor does. Returns its folder. */
function installExtension(bench) {
  const folder = join(bench.home, '.vscode/extensions/acme.review-1.0.0');
  const participant = { id: 'acme.review', name: 'reviewer', fullName: 'Reviewer', description: 'Reviews in the chat' };
  write(folder, 'package.json', { name: 'review', publisher: 'acme', version: '1.0.0', contributes: { chatParticipants: [participant] } });
  return folder;
}

/** Moves the focus with the Tab key to a field. */
async function tabTo(bench, id) {
  const focused = () => bench.form().locator(':focus').first().getAttribute('id', { timeout: 5000 }).catch(() => null);
  for (let n = 0; n < 40; n += 1) {
    if ((await focused()) === id) return;
    await bench.page.keyboard.press('Tab');
  }
  assert.fail(`the Tab key does not reach ${id}`);
}

/** Chooses an entry of the list that has the focus, by typing its name. */
async function chooseTyping(bench, id, value) {
  await tabTo(bench, id);
  await until(`${id} is ${value}`, async () => {
    if ((await bench.form().locator(`#${id}`).inputValue()) === value) return true;
    await bench.page.keyboard.type(value);
    return false;
  });
}

async function createdByKeyboard(bench) {
  const extension = installExtension(bench);
  bench.settings({ 'workbench.colorTheme': 'Default High Contrast' });
  const root = trusted(bench, 'keyboard', { '.github/agents/reviewer.agent.md': AGENT });
  await opened(bench, root);
  await bench.command('steersman: New Automation');
  const form = bench.form();
  await form.locator('#f-name:focus').waitFor();
  await bench.page.keyboard.type('Review specs');
  await chooseTyping(bench, 'f-action', 'custom');
  await chooseTyping(bench, 'f-agent', 'speckit');
  await chooseTyping(bench, 'f-operation', 'clarify');
  await chooseTyping(bench, 'f-timing', 'before');
  await form.locator('#f-agentId-problem', { hasText: 'must name an agent' }).waitFor();
  // One name twice: each agent says where it comes from.
  const options = () => form.locator('#f-agentId optgroup').evaluateAll((all) => all.map((it) => [it.label, ...[...it.children].map((option) => option.textContent)]));
  await until('both sources are there', async () => (await options()).length === 2);
  assert.deepEqual(await options(), [['Local agents', 'Reviewer (Local)'], ['Agents of extensions', 'Reviewer (Extension)']]);
  // The list follows the folder while the form is open.
  write(root, '.github/agents/writer.agent.md', AGENT.replaceAll('eviewer', 'riter').replace('id: r', 'id: w').replace('name: R', 'name: W'));
  await until('the new agent is offered', async () => (await options())[0].includes('Writer'));
  fs.rmSync(extension, { recursive: true });
  await bench.command('steersman: Refresh');
  await until('the agent of the removed extension is marked', async () => (await options())[1]?.[1].includes('EXTENSION_UNINSTALLED') ?? true);
  await form.locator('#f-agentId').focus();
  await bench.page.keyboard.press('Home');
  await bench.page.keyboard.press('ArrowDown');
  await until('the hint describes the chosen agent', async () => (await form.locator('#f-agentId-hint').textContent()) === 'Reads changes');
  assert.equal(await form.locator('#f-agentId').inputValue(), 'local:reviewer');
  await chooseTyping(bench, 'f-agentType', 'local');
  await tabTo(bench, 'f-prompt');
  await bench.page.keyboard.type('Review the clarified spec');
  await tabTo(bench, 'f-arguments');
  // Too long, and a variable of another trigger: an error and a warning beside the field.
  await form.locator('#f-arguments').fill('a'.repeat(1001));
  await form.locator('#f-arguments-problem', { hasText: '1000' }).waitFor();
  await form.locator('#f-arguments').fill('{filePath}');
  await form.locator('#f-arguments-problem', { hasText: 'filePath' }).waitFor();
  await form.locator('#f-arguments').fill('');
  await bench.page.keyboard.type('Spec {spec');
  assert.deepEqual(await form.locator('#f-arguments-variables li').evaluateAll((all) => all.map((it) => it.dataset.name)), ['specId', 'specPath']);
  await bench.page.keyboard.press('ArrowDown');
  await bench.page.keyboard.press('ArrowUp');
  await bench.page.keyboard.press('Tab');
  assert.equal(await form.locator('#f-arguments').inputValue(), 'Spec {specId}');
  // No runner is configured: a note, not an error.
  await form.locator('#notes', { hasText: 'no runner is configured' }).waitFor();
  const [background, colour] = await form.locator('body').evaluate((it) => [getComputedStyle(it).backgroundColor, getComputedStyle(it).color]);
  assert.deepEqual([background, colour], ['rgb(0, 0, 0)', 'rgb(255, 255, 255)'], 'the form follows the theme');
  await bench.screenshot('form-high-contrast');
  await bench.page.keyboard.press('Control+S');
  await until('the definition is written', () => read(root, HOOKS).includes('review-specs'));
  const written = JSON.parse(read(root, HOOKS));
  const { createdAt: _, ...hook } = (written.hooks ?? written)[0];
  assert.deepEqual(hook, {
    id: 'review-specs', name: 'Review specs', trigger: { agent: 'speckit', operation: 'clarify', timing: 'before' },
    action: { type: 'custom', parameters: { agentId: 'local:reviewer', agentType: 'local', prompt: 'Review the clarified spec', arguments: 'Spec {specId}' } },
  });
}

async function olderHookKept(bench) {
  const parameters = { agentName: 'reviewer', prompt: 'x', selectedTools: [{ serverId: 's', toolName: 't' }] };
  const hook = { ...REVIEW, action: { type: 'custom', parameters }, runner: command('cat'), retry: { count: 1, backoffMs: 700 }, createdAt: 1706267400000, executionCount: 5 };
  bench.settings({ 'workbench.colorTheme': 'Default Light Modern' });
  const root = trusted(bench, 'older', { '.github/agents/reviewer.agent.md': AGENT, [HOOKS]: [hook] });
  await opened(bench, root);
  await bench.act(/Review.*never ran/, 'Edit Automation');
  const form = bench.form();
  await until('the form names the agent', async () => /reviewer \(by its name\)/.test(await form.locator('#f-agentId option:checked').textContent()));
  await bench.screenshot('form-light');
  await form.locator('#f-retries').fill('2');
  await form.locator('#f-arguments').fill('{fileName}');
  await form.locator('#save').click();
  await until('it is written', () => read(root, HOOKS).includes('{fileName}'));
  const expected = { ...hook, retry: { count: 2, backoffMs: 700 }, action: { type: 'custom', parameters: { ...parameters, arguments: '{fileName}' } } };
  const { modifiedAt: _, ...written } = JSON.parse(read(root, HOOKS))[0];
  assert.deepEqual(written, expected);
  // A copy has all of it but the counts.
  await bench.menuUntil(/Review/, 'Duplicate', () => bench.page.locator('.tab', { hasText: 'New automation' }).isVisible());
  await until('the form shows the copy', async () => (await form.locator('#f-id').inputValue()) === 'review-copy');
  await form.locator('#save').click();
  await until('the copy is written', () => read(root, HOOKS).includes('review-copy'));
  const { createdAt: _c, executionCount: _e, ...rest } = expected;
  const { createdAt: _d, modifiedAt: _m, ...copy } = JSON.parse(read(root, HOOKS))[1];
  assert.deepEqual(copy, { ...rest, id: 'review-copy', name: 'Review (copy)' });
}

async function unavailableWhenRun(bench) {
  const file = '.github/agents/reviewer.agent.md';
  const hook = { ...REVIEW, action: { type: 'custom', parameters: { agentId: 'local:reviewer', prompt: 'Look at {fileName}' } }, runner: command('cat > said.txt') };
  const root = trusted(bench, 'unavailable', { [file]: AGENT, [HOOKS]: [hook] });
  await opened(bench, root);
  await bench.row(/Review.*never ran/).waitFor();
  fs.rmSync(join(root, file));
  await bench.page.locator('.sidebar .pane-header', { hasText: 'Agents' }).click();
  await bench.row(/its file was deleted/).waitFor();
  await bench.actUntil(/^Review/, 'Run Now', () => bench.row(/^Review.*failed/).isVisible());
  assert.ok(!fs.existsSync(join(root, 'said.txt')), 'the runner is not started');
  await bench.row(/^Review.*failed/).locator('.monaco-tl-twistie').click();
  await bench.row(/^failed/).click();
  await bench.editor('FILE_DELETED').waitFor();
  await bench.screenshot('agent-unavailable');
  write(root, file, AGENT);
  await bench.row(/Reviewer.*Reads changes/).waitFor();
  await bench.actUntil(/^Review /, 'Run Now', () => bench.row(/^Review.*success/).isVisible());
  assert.match(read(root, 'said.txt'), /Read the change/);
  // An invalid definition says so in the view, with the problem in the file.
  write(root, file, AGENT.replace('id: reviewer', 'id: [reviewer'));
  await bench.row(/its definition is invalid/).click();
  await bench.page.locator('.editor-instance .squiggly-error, .editor-instance .squiggly-warning').first().waitFor();
}

export const REGISTRY_WORKFLOWS = [
  { name: 'automation of an agent created by the keyboard', run: createdByKeyboard },
  { name: 'an edit and a copy keep what the form does not show', run: olderHookKept },
  { name: 'agent unavailable, restored and invalid', run: unavailableWhenRun },
];
