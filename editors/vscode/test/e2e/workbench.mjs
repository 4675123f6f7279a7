// A real workbench: code-server, driven in Chromium. Workflows use it; every wait waits for a condition.
import { execFileSync, spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import * as fs from 'node:fs';
import { join } from 'node:path';

const { CODE_SERVER, CODE_NODE, CHROMIUM, PACKAGES, VSIX, STEERSMAN, SCRATCH } = process.env;
const { chromium } = createRequire(join(PACKAGES, 'package.json'))('playwright-core');

/** How long a condition may take: far longer than on a slow machine, so that only a mistake reaches it. */
const PATIENCE_MS = Number(process.env.PATIENCE_MS ?? 120_000);

export class Workbench {
  /** Starts code-server and the browser. */
  static async start() {
    const bench = new Workbench();
    bench.scratch = fs.mkdtempSync(join(SCRATCH, 'run-'));
    bench.data = join(bench.scratch, 'data');
    bench.state = join(bench.scratch, 'state');
    bench.home = join(bench.scratch, 'home');
    for (const folder of [bench.data, bench.state, bench.home]) fs.mkdirSync(folder, { recursive: true });
    bench.binaries = join(bench.scratch, 'bin');
    fs.mkdirSync(bench.binaries);
    fs.copyFileSync(STEERSMAN, join(bench.binaries, 'steersman'));
    fs.chmodSync(join(bench.binaries, 'steersman'), 0o755);
    bench.env = {
      ...process.env, HOME: bench.home, STEERSMAN_STATE_DIR: bench.state, PATH: `${bench.binaries}:${process.env.PATH}`,
      NODE_OPTIONS: '', VSCODE_PROXY_URI: '',
    };
    bench.settings();
    const entry = join(CODE_SERVER, 'out/node/entry.js');
    const common = ['--user-data-dir', bench.data, '--extensions-dir', join(bench.scratch, 'extensions'), '--config', join(bench.scratch, 'config.yaml')];
    execFileSync(CODE_NODE, [entry, ...common, '--install-extension', VSIX], { env: bench.env, stdio: 'pipe' });
    bench.port = await freePort();
    bench.log = join(bench.scratch, 'code-server.log');
    const args = [entry, ...common, '--auth', 'none', '--bind-addr', `127.0.0.1:${bench.port}`, '--disable-telemetry', '--disable-update-check'];
    // Detached: a person starts an editor from the desktop, not beneath Node, which steersman takes for an agent program.
    const line = 'setsid "$@" >"$LOG" 2>&1 </dev/null & echo $!';
    const pid = execFileSync('sh', ['-c', line, 'sh', CODE_NODE, ...args], { env: { ...bench.env, LOG: bench.log }, encoding: 'utf8' });
    bench.pid = Number(pid.trim());
    await until('code-server listens', () => fs.readFileSync(bench.log, 'utf8').includes('HTTP server listening'), () => fs.readFileSync(bench.log, 'utf8'));
    bench.browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox', '--disable-gpu'] });
    return bench;
  }

  /** Writes the user's settings. */
  settings(more = {}) {
    // The path of a program is a setting of the machine.
    write(this.data, 'Machine/settings.json', { 'steersman.path': join(this.binaries, 'steersman') });
    write(this.data, 'User/settings.json', {
      'security.workspace.trust.enabled': false, 'workbench.startupEditor': 'none', 'telemetry.telemetryLevel': 'off', 'extensions.autoUpdate': false,
      'workbench.tips.enabled': false, 'files.autoSave': 'off', 'git.enabled': false, 'chat.disableAIFeatures': true, 'workbench.secondarySideBar.defaultVisibility': 'hidden', 'editor.hover.delay': 50, 'workbench.enableExperiments': false,
      'window.commandCenter': false, 'workbench.colorTheme': 'Default Dark Modern', ...more,
    });
  }

  /** Closes the window. */
  async close() {
    await this.context?.close();
    this.context = undefined;
  }

  /** Opens a folder, or a workspace file, in a new window. */
  async open(path) {
    const start = Date.now();
    const kind = path.endsWith('.code-workspace') ? 'workspace' : 'folder';
    await this.close();
    this.context = await this.browser.newContext({ viewport: { width: 1280, height: 800 } });
    this.page = await this.context.newPage();
    this.page.setDefaultTimeout(PATIENCE_MS);
    this.console = [];
    this.page.on('console', (message) => this.console.push(message.text().split('\n')[0]));
    await until('the window shows its folders', async () => {
      await this.page.goto(`http://127.0.0.1:${this.port}/?${kind}=${encodeURIComponent(path)}`);
      await this.page.locator('.monaco-workbench .statusbar').waitFor();
      // The workbench itself sometimes opens a workspace file without its folders, until the page is loaded again.
      return kind === 'folder' || (await this.#hasFolders());
    });
    this.opening = (this.opening ?? 0) + Date.now() - start;
  }

  async #hasFolders() {
    await this.page.locator('.activitybar .action-label[aria-label^="Explorer"]').waitFor();
    const empty = this.page.locator('.sidebar').getByText('You have not yet added a folder');
    const row = this.page.locator('.explorer-folders-view .monaco-list-row').first();
    await empty.or(row).first().waitFor();
    return row.isVisible();
  }

  async command(title) {
    await this.page.keyboard.press('F1');
    const input = this.page.locator('.quick-input-widget input').first();
    await input.waitFor();
    await input.fill(`>${title}`);
    await this.#choose(title);
  }

  /** Accepts the entry of the list that has the focus, once it is this one: a list that is still being filtered moves. */
  async #choose(text) {
    await this.page.locator('.quick-input-list .monaco-list-row.focused', { hasText: text }).first().waitFor();
    await this.page.keyboard.press('Enter');
  }

  /** Shows the views of the extension. */
  async views() {
    const icon = this.page.locator('.activitybar .action-label[aria-label^="steersman"]');
    await icon.waitFor();
    if (!(await this.page.locator('.sidebar .composite.title h2', { hasText: /steersman/i }).isVisible())) await icon.click();
    await this.page.locator('.sidebar .pane-header', { hasText: 'Asks' }).waitFor();
  }

  /** Returns a row of a view. */
  row(text) {
    return this.page.locator('.sidebar .monaco-list-row', { hasText: text }).first();
  }

  /** Clicks an inline action of a row. Only a row under the pointer shows them, and a row that is drawn again moves. */
  async act(text, action) {
    await until(`${action} of ${text} can be clicked`, async () => {
      await this.#clickAction(text, action);
      return true;
    });
  }

  async #clickAction(text, action) {
    const row = this.row(text);
    await row.hover({ timeout: 3000 });
    await row.locator(`.action-label[aria-label^="${action}"]`).click({ timeout: 3000 });
  }

  /** Clicks an inline action, again if the view was redrawn under the pointer, until it has its effect. */
  async actUntil(text, action, holds) {
    await until(`${action} has its effect`, async () => {
      if (await holds()) return true;
      await this.#clickAction(text, action);
      return heldSoon(holds);
    });
  }

  /** Chooses an entry of a row's menu, again if a change of the view closed the menu, until it has its effect. */
  async menuUntil(text, entry, holds) {
    await until(`${entry} has its effect`, async () => {
      if (await holds()) return true;
      await this.page.keyboard.press('Escape');
      await this.row(text).click({ button: 'right', timeout: 3000 });
      await this.page.locator('.monaco-menu .action-item', { hasText: entry }).first().click({ timeout: 3000 });
      return heldSoon(holds);
    });
  }

  /** Moves the cursor of the open file. */
  async goto(line, column = 1) {
    await until(`the cursor is in line ${line}`, async () => {
      await this.page.keyboard.press('Control+G');
      const input = this.page.locator('.quick-input-widget input').first();
      await input.fill(`:${line}:${column}`, { timeout: 3000 });
      await this.page.locator('.quick-input-list .monaco-list-row', { hasText: `line ${line}` }).first().waitFor({ timeout: 3000 });
      await input.press('Enter');
      await this.page.locator('.statusbar-item', { hasText: `Ln ${line}, Col ${column}` }).waitFor({ timeout: 3000 });
      return true;
    });
  }

  notification(text) {
    return this.page.locator('.notification-toast, .notifications-toasts .notification-list-item', { hasText: text }).first();
  }

  async answer(text, button) {
    await this.notification(text).locator('.monaco-button', { hasText: button }).first().click();
  }

  status() {
    return this.page.locator('[id="steersman.steersman.steersman.status"], .statusbar-item[id*="steersman"]').first();
  }

  async pick(text) {
    await this.page.locator('.quick-input-list .monaco-list-row', { hasText: text }).first().click();
  }

  editor(text) {
    return this.page.locator('.editor-instance .view-lines', { hasText: text }).first();
  }

  /** Opens a file of the folder by its name. */
  async file(name) {
    await this.page.keyboard.press('Control+P');
    const input = this.page.locator('.quick-input-widget input').first();
    await input.waitFor();
    await input.fill(name);
    await this.#choose(name.split('/').pop());
    await this.page.locator('.tab.active', { hasText: name.split('/').pop() }).first().waitFor();
  }

  /** Types into the open file and saves it. */
  async typeAndSave(text) {
    await until('the file is changed', async () => {
      // The editor gets the focus after its tab.
      await this.page.locator('.editor-instance .view-lines').first().click();
      await this.page.keyboard.type(text);
      await this.page.locator('.tab.active.dirty').first().waitFor({ timeout: 3000 });
      return true;
    });
    await this.page.keyboard.press('Control+S');
    await this.page.locator('.tab.active:not(.dirty)').first().waitFor();
  }

  /** The document in the form. */
  form() {
    return this.page.frameLocator('iframe.webview').frameLocator('iframe#active-frame');
  }

  async screenshot(name) {
    const folder = process.env.SCREENSHOTS;
    if (folder) await this.page.screenshot({ path: join(folder, `${name}.png`) });
  }

  /** Creates a folder with files. */
  workspace(name, files) {
    const root = join(this.scratch, name);
    for (const [path, content] of Object.entries(files)) write(root, path, content);
    return root;
  }

  /** Runs the program in a folder. */
  run(root, args, input = '') {
    return execFileSync(join(this.binaries, 'steersman'), args, { cwd: root, env: this.env, encoding: 'utf8', input, stdio: ['pipe', 'pipe', 'pipe'] });
  }

  /** Sends an event as an agent program does: a process of its own, younger than the editor. */
  event(root, event, payload, host = 'claude-code') {
    const fields = { session_id: 'agent-1', cwd: root, hook_event_name: event, ...payload };
    const file = join(this.scratch, 'payload.json');
    fs.writeFileSync(file, JSON.stringify(fields));
    const script = join(this.scratch, 'agent.sh');
    fs.writeFileSync(script, `steersman dispatch ${event} --host ${host} < '${file}'\n`);
    return execFileSync('sh', [script], { cwd: root, env: this.env, encoding: 'utf8' });
  }

  /** Starts a hook that waits for a person. Returns its answer. */
  hook(root, command) {
    const payload = { session_id: 'agent-1', cwd: root, hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: { command }, tool_use_id: command };
    // A shell of its own stands for the agent program: Node is older than the editor.
    const name = join(this.scratch, `hook-${(this.hooks = (this.hooks ?? 0) + 1)}`);
    fs.writeFileSync(`${name}.json`, JSON.stringify(payload));
    fs.writeFileSync(`${name}.sh`, `steersman dispatch PreToolUse --host codex --timeout=600 < '${name}.json'\n`);
    const child = spawn('sh', [`${name}.sh`], { cwd: root, env: this.env });
    let text = '';
    child.stdout.on('data', (part) => (text += part));
    return new Promise((resolve) => child.on('close', () => resolve(text)));
  }

  /** Starts the server of a folder outside of the editor. Returns what stops it. */
  async serve(root) {
    const child = spawn(join(this.binaries, 'steersman'), ['serve'], { cwd: root, env: this.env, stdio: 'ignore' });
    await until('the server runs', () => JSON.parse(this.run(root, ['automation', 'list', '--json'])).server?.pid === child.pid);
    return () => child.kill();
  }

  /** Returns the texts of all notifications, for a failure: toasts disappear after a while. */
  async notifications() {
    try {
      await this.page.keyboard.press('Escape');
      await this.page.locator('.statusbar-item[id="status.notifications"]').click({ timeout: 3000 });
      const texts = await this.page.locator('.notifications-center .notification-list-item').allInnerTexts();
      return texts.map((text) => `notification: ${text.replace(/\s+/g, ' ')}`).join('\n');
    } catch {
      return '';
    }
  }

  /** Returns what the program refused and what the window logged, for a failure. */
  logs() {
    const find = (folder) => fs.readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
      const path = join(folder, entry.name);
      return entry.isDirectory() ? (entry.name === 'node_modules' ? [] : find(path)) : entry.name === 'refusals.jsonl' ? [path] : [];
    });
    const refusals = find(this.scratch).map((path) => `${path}\n${fs.readFileSync(path, 'utf8').split('\n').slice(-5).join('\n')}`);
    // The native modules of code-server are not compiled; that says nothing about the extension.
    const lines = (this.console ?? []).filter((line) => !/bindings file|native-watchdog|build\/Release/.test(line)).slice(-25);
    return [...refusals, ...lines.map((line) => `window: ${line}`)].join('\n');
  }

  async stop() {
    await this.browser?.close();
    if (this.pid) {
      try {
        process.kill(-this.pid, 'SIGTERM');
      } catch {
        // It has ended.
      }
      await until('code-server ends', () => !fs.existsSync(`/proc/${this.pid}`));
    }
    fs.rmSync(this.scratch, { recursive: true, force: true });
  }
}

export function write(root, path, content) {
  const file = join(root, path);
  fs.mkdirSync(join(file, '..'), { recursive: true });
  fs.writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content, null, 2));
}

/** Returns whether a condition holds within five seconds. */
async function heldSoon(holds) {
  for (let n = 0; n < 50; n += 1) {
    if (await holds()) return true;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return false;
}

export async function until(what, holds, describe = () => '') {
  const end = Date.now() + PATIENCE_MS;
  for (;;) {
    let held = false;
    try {
      held = await holds();
    } catch {
      // Not yet.
    }
    if (held) return;
    if (Date.now() > end) throw new Error(`never: ${what}\n${describe()}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on('error', reject).listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}
