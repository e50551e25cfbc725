/** The process that writes the drafts of ended periods, for one round of them. */
import { type ChildProcess, fork } from 'node:child_process';
import type { ClosingTask } from './close-periods.ts';
import { StoreError } from './store.ts';

export class ClosingProcess {
  readonly #child: ChildProcess;
  #said = '';

  constructor() {
    this.#child = fork(new URL('./close-periods.ts', import.meta.url), {
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    this.#child.stderr?.on('data', (text: Buffer) => {
      this.#said = `${this.#said}${text}`.slice(-2_000);
    });
  }

  /** Writes a draft. Rejects with a StoreError where it is not whole. */
  draft(task: ClosingTask): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const failed = (why: unknown) =>
      reject(new StoreError('failed', `${task.file} could not be written: ${why}`));
    const onExit = () => failed(this.#said || 'its process has ended');
    this.#child.once('exit', onExit);
    this.#child.once('error', failed);
    this.#child.once('message', (problem) => {
      this.#child.off('exit', onExit);
      this.#child.off('error', failed);
      if (problem === null) resolve();
      else failed(problem);
    });
    if (this.#child.connected) this.#child.send(task);
    else onExit();
    return promise;
  }

  stop(): void {
    this.#child.kill('SIGKILL');
  }
}
