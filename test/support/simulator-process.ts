/** The simulator in a process of its own, as the demo has it, with as many coins as a test needs. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Test } from 'tap';

const script = join(import.meta.dirname, '..', '..', 'scripts', 'simulator', 'main.ts');

/** Starts it, until the end of the test. `again` kills it and starts it on the same port. */
export async function simulatorProcess(t: Test, { symbols }: { symbols: number }) {
  async function start(port: string): Promise<{ child: ChildProcess; url: string }> {
    const args = [script, '--port', port, '--symbols', `${symbols}`];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    const [url] = await once(child.stdout, 'data');
    return { child, url: String(url).trim() };
  }
  const { url, child } = await start('0');
  let running = child;
  t.teardown(() => running.kill());
  const again = async () => {
    const ended = once(running, 'exit');
    running.kill('SIGKILL');
    await ended;
    running = (await start(new URL(url).port)).child;
  };
  return { url, again };
}
