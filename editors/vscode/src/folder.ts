// One workspace folder with its program, its server and what the views show of it.
import * as vscode from 'vscode';

import { type Agent, type Ask, type Automations, commandOf, type Intents, type Now, type Order, type Snapshot } from './api';
import { Cli } from './cli';
import { Server } from './server';

/** The files that show that a folder uses steersman. */
const MARKS = ['.ai/hooks', '.akira/hooks.json', '.orchestration/active_intents.yaml', '.vscode/gatomia/hooks.json'];
const COLLECT_MS = 150;

export class Folder implements vscode.Disposable {
  readonly cli: Cli;
  readonly server: Server;
  snapshot: Snapshot | undefined;
  readonly #changed = new vscode.EventEmitter<void>();
  /** The snapshot or the state of the server changed. */
  readonly onDidChange = this.#changed.event;
  #timer: NodeJS.Timeout | undefined;
  /** The content of the snapshot that the listeners know. */
  #known = '';
  #isReading = false;
  #mustReadAgain = false;
  readonly #watchers: vscode.Disposable[] = [];

  constructor(readonly uri: vscode.Uri, readonly name: string, program: string, private readonly log: vscode.LogOutputChannel) {
    this.cli = new Cli(program, uri.fsPath);
    this.server = new Server(program, uri.fsPath, () => this.#foreignPort(), {
      state: () => {
        this.#known = '';
        this.#changed.fire();
        this.refresh();
      },
      changed: () => this.refresh(),
      log: (line, level) => {
        const text = `${name}: ${line}`;
        if (level === 'error') log.error(text);
        else if (level === 'warning') log.warn(text);
        else log.info(text);
      },
    });
    // The editor notices these files at once; the server's events come up to a second later.
    const pattern = new vscode.RelativePattern(uri, '{.github/agents/**,.claude/agents/**,.rawko/**,.ai/tmp/agents.json,.orchestration/*,.akira/hooks.json,.vscode/gatomia/hooks.json}');
    const watcher = vscode.workspace.createFileSystemWatcher(pattern);
    for (const event of [watcher.onDidChange, watcher.onDidCreate, watcher.onDidDelete]) this.#watchers.push(event(() => this.refresh()));
    this.#watchers.push(watcher);
  }

  async usesSteersman(): Promise<boolean> {
    for (const mark of MARKS) {
      try {
        await vscode.workspace.fs.stat(vscode.Uri.joinPath(this.uri, mark));
        return true;
      } catch {
        // Not there.
      }
    }
    return false;
  }

  /** Reads everything again, once for many calls in a short time. */
  refresh(): void {
    // Not started again by each call: events that never pause would put the reading off for ever.
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      void this.#read();
    }, COLLECT_MS);
  }

  /** Gives an order of the person. */
  async give(order: Order): Promise<void> {
    if (this.server.takesOrders) {
      await this.server.order(order);
    } else {
      // Where the system does not list processes, or no agent works here, the command itself is enough.
      const command = commandOf(order);
      if (!command) throw new Error(vscode.l10n.t('The server of this folder takes no orders from the editor. Stop the other `steersman serve`, then start it here.'));
      await this.cli.act(command);
    }
    this.refresh();
  }

  async #read(): Promise<void> {
    if (this.#isReading) {
      this.#mustReadAgain = true;
      return;
    }
    this.#isReading = true;
    try {
      const isUp = this.server.state === 'running' || this.server.state === 'foreign';
      this.snapshot = isUp ? await this.#snapshot() : undefined;
    } catch (error) {
      this.log.warn(`${this.name}: ${String(error)}`);
    } finally {
      this.#isReading = false;
      const content = contentOf(this.snapshot);
      if (content !== this.#known) {
        this.#known = content;
        this.#changed.fire();
      }
      if (this.#mustReadAgain) {
        this.#mustReadAgain = false;
        this.refresh();
      }
    }
  }

  async #snapshot(): Promise<Snapshot> {
    const [asks, now, intents, automations, agents] = await Promise.all([
      this.server.read<{ asks: Ask[] }>('asks'),
      this.server.read<Now>('now'),
      this.server.read<Intents>('intents'),
      this.server.read<Automations>('automations'),
      this.cli.json<{ agents: Agent[] }>(['agent', 'list', '--json']),
    ]);
    return { asks: asks.asks, now, intents, automations, agents: agents.agents };
  }

  async #foreignPort(): Promise<number | undefined> {
    const { server } = await this.cli.json<{ server: { port?: number } | null }>(['automation', 'list', '--json']);
    return server?.port;
  }

  dispose(): void {
    clearTimeout(this.#timer);
    for (const watcher of this.#watchers) watcher.dispose();
    this.#changed.dispose();
    void this.server.dispose();
  }
}

/** Returns the content of a snapshot without the times at which the server made it. */
function contentOf(snapshot: Snapshot | undefined): string {
  return JSON.stringify(snapshot, (key, value: unknown) => (key === 'ts' || key === 'activity' ? undefined : value)) ?? '';
}
