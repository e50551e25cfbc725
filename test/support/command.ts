/** Commands of ours as processes. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..', '..');

/** What a child prints, as it does. */
export function outputOf({ stdout, stderr }: ChildProcess): { out: string; err: string } {
  const said = { out: '', err: '' };
  stdout?.on('data', (chunk: Buffer) => {
    said.out += chunk.toString();
  });
  stderr?.on('data', (chunk: Buffer) => {
    said.err += chunk.toString();
  });
  return said;
}

/** Runs a script of ours, under `cmd` or at a path, to its end. `env` goes on top of the variables of this process. */
export async function runCommand(
  script: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<{ out: string; err: string; code: number | null }> {
  const options = { cwd: root, env: { ...process.env, ...env } };
  const child = spawn(process.execPath, [script, ...args], options);
  const said = outputOf(child);
  const [code] = await once(child, 'close');
  return { ...said, code };
}
