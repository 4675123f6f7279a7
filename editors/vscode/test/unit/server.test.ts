import assert from 'node:assert/strict';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';

import { Server } from '../../src/server';

/** Runs the extension's side of a server that prints these lines and ends with an exit code. Returns what it reported. */
async function follow(lines: string[], code: number): Promise<{ states: string[]; logged: [string, string | undefined][] }> {
  const folder = mkdtempSync(join(tmpdir(), 'server-'));
  const program = join(folder, 'steersman');
  writeFileSync(program, `#!/bin/sh\ncat <<'END'\n${lines.join('\n')}\nEND\nexit ${code}\n`);
  chmodSync(program, 0o755);
  const states: string[] = [];
  const logged: [string, string | undefined][] = [];
  try {
    await new Promise<void>((resolve) => {
      const server = new Server(program, folder, () => Promise.resolve(undefined), {
        state: (state) => {
          states.push(state);
          if (state === 'stopped') void server.dispose().then(resolve);
        },
        changed: () => undefined,
        log: (line, level) => void logged.push([line, level]),
      });
      server.start();
    });
    return { states, logged };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test('the log has the level, code and message of every line, and no key of the page', async () => {
  const { states, logged } = await follow([
    '{"ts":1,"level":"info","code":"PAGE","message":"open http://x/enter?once=secret"}',
    '{"ts":1,"level":"warning","code":"CONFIGURATION","message":".akira/hooks.json:2:1: error: cannot parse JSON"}',
    '{"ts":1,"level":"error","code":"RUN_FAILED","message":"a failed"}',
    'a line that is not JSON',
  ], 0);
  assert.deepEqual(states, ['starting', 'stopped']);
  assert.deepEqual(logged, [
    ['CONFIGURATION: .akira/hooks.json:2:1: error: cannot parse JSON', 'warning'], ['RUN_FAILED: a failed', 'error'],
    ['a line that is not JSON', undefined], ['the server ended with exit code 0', undefined],
  ]);
});

test('a server of another program that breaks off its answer is replaced', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'server-'));
  const program = join(folder, 'steersman');
  writeFileSync(program, '#!/bin/sh\nexit 1\n');
  chmodSync(program, 0o755);
  const other = createServer((_, answer) => {
    answer.writeHead(200, { 'content-type': 'text/event-stream' });
    answer.write('event: changed\ndata: {}\n\n');
  }).listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  const states: string[] = [];
  try {
    await new Promise<void>((resolve) => {
      const server = new Server(program, folder, () => Promise.resolve(port), {
        state: (state) => {
          states.push(state);
          if (state === 'stopped') void server.dispose().then(resolve);
        },
        changed: () => other.closeAllConnections(),
        log: () => undefined,
      });
      server.start();
    });
    assert.deepEqual(states, ['starting', 'foreign', 'stopped']);
  } finally {
    other.close();
    rmSync(folder, { recursive: true });
  }
});

test('a server that tells its address runs until it ends', async () => {
  const { states } = await follow(['{"code":"EDITOR","url":"http://127.0.0.1:1/","port":1,"token":null}'], 0);
  assert.deepEqual(states, ['starting', 'running', 'stopped']);
});
