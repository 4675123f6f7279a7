// What the extension says and where: notifications, problems, first steps. 001-agent-hooks-engine.
import assert from 'node:assert/strict';
import { join } from 'node:path';

import { agentWorks, command, hooks, opened, trusted } from './folders.mjs';
import { until, write } from './workbench.mjs';

const SECRET = `ghp_${'a1B2c3D4e5'.repeat(4).slice(0, 36)}`;

async function failureNotified(bench) {
  const root = trusted(bench, 'output', { '.akira/hooks.json': hooks({ id: 'leak', trigger: 'leak', prompt: 'x', runner: command(`echo ${SECRET} >&2; exit 3`) }) });
  bench.settings({ 'steersman.notifyFailures': true });
  await opened(bench, root);
  await bench.actUntil(/leak.*never ran/, 'Run Now', () => bench.row(/leak.*failed/).isVisible());
  // A notification leads to the output, in which the secret is redacted.
  await bench.answer('The automation leak failed', 'Show output');
  await bench.editor('[REDACTED]').waitFor();
  assert.ok(!(await bench.page.locator('.editor-instance .view-lines').first().textContent()).includes(SECRET));
  // A broken file: what was valid stays in use, and the file has its problem.
  write(root, '.akira/hooks.json', '{ "hooks": [ { "id": ');
  await bench.file('.akira/hooks.json');
  await bench.command('View: Toggle Problems');
  await bench.page.locator('.markers-panel', { hasText: 'cannot parse JSON' }).first().waitFor();
  await bench.row(/leak.*failed/).waitFor();
}

async function programNotFound(bench) {
  const root = trusted(bench, 'missing', {});
  write(bench.data, 'Machine/settings.json', { 'steersman.path': join(bench.binaries, 'nothing') });
  await opened(bench, root);
  await bench.page.locator('.sidebar').getByText('was not found').first().waitFor();
  await bench.page.locator('.sidebar').getByText('How to install it').first().click();
  const steps = bench.page.locator('.gettingStartedContainer .getting-started-step');
  await until('the first steps are open', async () => (await steps.count()) === 4);
  await bench.screenshot('walkthrough');
  // The setting is corrected: no reload is needed.
  bench.settings();
  await bench.page.getByText('No agent waits for your decision').first().waitFor();
}

async function otherServer(bench) {
  const root = trusted(bench, 'foreign', { '.ai/hooks/config.json': { version: 1, ask: { wait: 200 } } });
  const stop = await bench.serve(root);
  try {
    await opened(bench, root);
    agentWorks(bench, root);
    await bench.row(/claude/i).waitFor();
    // The views read from the server of another program; after its end the extension starts its own.
    const server = () => JSON.parse(bench.run(root, ['automation', 'list', '--json'])).server?.pid;
    const before = server();
    stop();
    await until('the extension serves', () => ![undefined, before].includes(server()));
    await bench.actUntil(/claude/i, 'Hold', () => bench.row(/held/).isVisible());
  } finally {
    stop();
  }
}

export const OUTPUT_WORKFLOWS = [
  { name: 'notification of a failed run, broken file', run: failureNotified },
  { name: 'program not found, first steps', run: programNotFound },
  { name: 'server of another program', run: otherServer },
];
