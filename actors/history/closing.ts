/** The process that writes the drafts of ended periods, for one round of them. */
import { type ChildProcess, fork } from 'node:child_process';
import { minute } from '../../config/time.ts';
import type { ClosingTask } from './close-periods.ts';
import { StoreError } from './store.ts';

/** A draft takes seconds; one that takes so long, ms, has failed: late rows wait for it. */
const deadline = 10 * minute;

export class ClosingProcess {
  readonly #child: ChildProcess;
  readonly #deadline: number;
  #said = '';

  constructor(most = deadline) {
    this.#deadline = most;
    this.#child = fork(new URL('./close-periods.ts', import.meta.url), {
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    this.#child.stderr?.on('data', (text: Buffer) => {
      this.#said = `${this.#said}${text}`.slice(-2_000);
    });
    this.#child.on('error', (error) => {
      this.#said = error.message;
    });
  }

  /** Writes a draft. Rejects with a StoreError where it is not whole, or not in time; then the process has ended. */
  async draft(task: ClosingTask): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const failed = (why: unknown) =>
      reject(new StoreError('failed', `${task.file} could not be written: ${why}`));
    const onExit = () => failed(this.#said || 'its process has ended');
    const onMessage = (problem: unknown) => (problem === null ? resolve() : failed(problem));
    const late = setTimeout(() => {
      failed(`it took longer than ${this.#deadline / 1_000} s`);
      this.stop();
    }, this.#deadline);
    this.#child.once('exit', onExit).once('error', failed).once('message', onMessage);
    try {
      if (this.#child.connected) this.#child.send(task);
      else onExit();
      await promise;
    } finally {
      clearTimeout(late);
      this.#child.off('exit', onExit).off('error', failed).off('message', onMessage);
    }
  }

  stop(): void {
    this.#child.kill('SIGKILL');
  }
}
