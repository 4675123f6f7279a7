// The server of one folder: starts `steersman serve --editor`, follows its events, gives it orders.
import { type ChildProcess, spawn } from 'node:child_process';
import { get, type IncomingMessage, request } from 'node:http';
import { createInterface } from 'node:readline';

import type { Order } from './api';

export type ServerState = 'stopped' | 'starting' | 'running' | 'foreign';

export interface ServerEvents {
  /** The state changed. */
  state(state: ServerState): void;
  /** Something changed in the workspace. */
  changed(): void;
  /** The server, or this class, has something to say. */
  log(line: string, level?: string): void;
}

/** Why the server refused an order. */
export class Refused extends Error {}

interface Address {
  port: number;
  url: string;
  token?: string;
}

const RECONNECT_MS = 1000;
const RETRY_HELD_MS = 1500;

export class Server {
  state: ServerState = 'stopped';
  #child: ChildProcess | undefined;
  #address: Address | undefined;
  #stream: IncomingMessage | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isDisposed = false;

  constructor(
    private readonly program: string,
    private readonly folder: string,
    /** Returns the port of a server that another process started. */
    private readonly foreignPort: () => Promise<number | undefined>,
    private readonly events: ServerEvents,
  ) {}

  /** Whether the server takes orders from this extension. */
  get takesOrders(): boolean {
    return this.#address?.token !== undefined;
  }

  get url(): string | undefined {
    return this.#address?.url;
  }

  start(): void {
    if (this.#child || this.#isDisposed || this.state === 'foreign') return;
    this.#set('starting');
    // stdin stays open: the server ends when this process does.
    const child = spawn(this.program, ['serve', '--editor'], {
      cwd: this.folder, stdio: ['pipe', 'pipe', 'pipe'], env: { ...process.env, NO_COLOR: '1' },
    });
    this.#child = child;
    child.stdin.on('error', () => undefined);
    createInterface({ input: child.stdout }).on('line', (line) => this.#line(line));
    createInterface({ input: child.stderr }).on('line', (line) => this.events.log(line));
    child.on('error', (error) => this.events.log(`cannot start ${this.program}: ${error.message}`, 'error'));
    child.on('close', (code) => void this.#ended(child, code));
  }

  /** Stops the server and waits for its end. */
  async stop(): Promise<void> {
    clearTimeout(this.#timer);
    this.#stream?.destroy();
    this.#address = undefined;
    const child = this.#child;
    this.#child = undefined;
    if (child && child.exitCode === null) {
      const end = new Promise((resolve) => child.once('close', resolve));
      child.kill('SIGTERM');
      await end;
    }
    this.#set('stopped');
  }

  async dispose(): Promise<void> {
    this.#isDisposed = true;
    await this.stop();
  }

  /** Reads an address below /api/v1/. */
  async read<T>(path: string): Promise<T> {
    const { status, body } = await this.#request('GET', `/api/v1/${path}`);
    if (status !== 200) throw new Error(`GET ${path}: ${status} ${body.slice(0, 200)}`);
    return JSON.parse(body) as T;
  }

  async order(order: Order): Promise<void> {
    const { status, body } = await this.#request('POST', '/api/v1/editor', JSON.stringify(order));
    if (status === 200) return;
    let why = body;
    try {
      why = (JSON.parse(body) as { error: string }).error;
    } catch {
      // Not JSON: the text itself.
    }
    throw new Refused(why || `status ${status}`);
  }

  #request(method: string, path: string, body?: string): Promise<{ status: number; body: string }> {
    const address = this.#address;
    if (!address) return Promise.reject(new Error('the server does not run'));
    const headers: Record<string, string> = { host: `127.0.0.1:${address.port}` };
    if (body !== undefined) {
      headers['content-type'] = 'application/json';
      headers['content-length'] = String(Buffer.byteLength(body));
      if (address.token) headers['authorization'] = `Bearer ${address.token}`;
    }
    return new Promise((resolve, reject) => {
      const sent = request({ host: '127.0.0.1', port: address.port, method, path, headers, agent: false }, (answer) => {
        let text = '';
        answer.setEncoding('utf8').on('data', (part: string) => (text += part));
        answer.on('end', () => resolve({ status: answer.statusCode ?? 0, body: text })).on('error', reject);
      });
      sent.on('error', reject).end(body);
    });
  }

  #line(line: string): void {
    let parsed: { code?: string; level?: string; message?: string; url?: string; port?: number; token?: string | null };
    try {
      parsed = JSON.parse(line) as typeof parsed;
    } catch {
      this.events.log(line);
      return;
    }
    if (parsed.code === 'EDITOR' && parsed.port && parsed.url) {
      this.#address = { port: parsed.port, url: parsed.url, ...(parsed.token ? { token: parsed.token } : {}) };
      this.#set('running');
      this.#follow();
    } else if (parsed.code !== 'PAGE') {
      this.events.log(`${parsed.code ?? ''}: ${parsed.message ?? ''}`, parsed.level);
    }
  }

  async #ended(child: ChildProcess, code: number | null): Promise<void> {
    if (this.#child !== child) return;
    this.#child = undefined;
    this.#address = undefined;
    this.#stream?.destroy();
    this.events.log(`the server ended with exit code ${code ?? 'unknown'}`);
    const port = this.#isDisposed ? undefined : await this.foreignPort().catch(() => undefined);
    if (port !== undefined && !this.#isDisposed) {
      this.#address = { port, url: `http://127.0.0.1:${port}/` };
      this.#set('foreign');
      this.#follow();
      return;
    }
    this.#set('stopped');
    // The server of a window that is being closed holds the lock a moment longer.
    if (code === 1 && !this.#isDisposed) this.#timer = setTimeout(() => this.start(), RETRY_HELD_MS);
  }

  /** Follows the events of the server. */
  #follow(): void {
    const address = this.#address;
    if (!address) return;
    const again = (): void => {
      if (this.#address !== address || this.#isDisposed) return;
      if (this.state === 'foreign') {
        // Another process's server ended: this extension may start its own.
        this.#address = undefined;
        this.#set('stopped');
        this.#timer = setTimeout(() => this.start(), RECONNECT_MS);
      } else {
        this.#timer = setTimeout(() => this.#follow(), RECONNECT_MS);
      }
    };
    const headers = { host: `127.0.0.1:${address.port}` };
    get({ host: '127.0.0.1', port: address.port, path: '/api/v1/events', headers, agent: false }, (stream) => {
      this.#stream = stream;
      // A server that ends breaks off its answer. The reader of lines hands the error on, and an error that nobody handles
      // would keep the listeners of `close` from being called.
      createInterface({ input: stream }).on('error', () => undefined).on('line', (line) => {
        if (line.startsWith('event:')) this.events.changed();
      });
      stream.on('error', () => undefined).on('close', again);
    }).on('error', again);
  }

  #set(state: ServerState): void {
    if (this.state === state) return;
    this.state = state;
    this.events.state(state);
  }
}
