// Runs the program `steersman` and reads its JSON.
import { spawn } from 'node:child_process';

export interface Ran {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Why a command failed: its `error:` and `hint:` lines. */
export class CommandError extends Error {}

export class Cli {
  constructor(readonly program: string, readonly folder: string) {}

  run(args: string[], stdin?: string): Promise<Ran> {
    return new Promise((resolve, reject) => {
      const child = spawn(this.program, args, {
        cwd: this.folder, stdio: ['pipe', 'pipe', 'pipe'], env: { ...process.env, NO_COLOR: '1' },
      });
      let [stdout, stderr] = ['', ''];
      child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
      child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
      child.on('error', reject);
      child.on('close', (code) => resolve({ code, stdout, stderr }));
      // A command that reads nothing may end before its input is written.
      child.stdin.on('error', () => undefined);
      child.stdin.end(stdin ?? '');
    });
  }

  /** Runs a command that prints JSON. Exit code 1 is an answer, too: "invalid", "not allowed". */
  async json<T>(args: string[], stdin?: string): Promise<T> {
    const ran = await this.run(args, stdin);
    try {
      return JSON.parse(ran.stdout) as T;
    } catch {
      throw new CommandError(reason(ran));
    }
  }

  /** Runs a command for its effect. */
  async act(args: string[]): Promise<string> {
    const ran = await this.run(args);
    if (ran.code !== 0) throw new CommandError(reason(ran));
    return ran.stdout;
  }
}

/** Returns why a command failed, in one paragraph. */
export function reason(ran: Ran): string {
  const lines = ran.stderr.split('\n').map((line) => line.replace(/^error: /, '').trim()).filter(Boolean);
  return lines.join(' · ') || `exit code ${ran.code ?? 'unknown'}`;
}
