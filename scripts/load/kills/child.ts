/** A process that gets the time and answers each message, until it is killed. */
import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';

export interface Report {
  now: number;
  published?: string[];
}

export class Child {
  readonly #process: ChildProcess;
  #reply = Promise.withResolvers<Report | null>();
  alive = true;

  constructor(script: string, args: readonly string[]) {
    this.#process = fork(join(import.meta.dirname, script), args, {
      execArgv: ['--disable-warning=ExperimentalWarning'],
    });
    this.#process.on('message', (report: Report) => this.#reply.resolve(report));
    this.#process.on('exit', () => {
      this.alive = false;
      this.#reply.resolve(null);
    });
  }

  /** Resolves when it has begun. */
  async begun(): Promise<void> {
    if ((await this.#reply.promise) === null) throw new Error('a process did not begin');
  }

  /** Its answer; null when it ended before. */
  async tell(message: number | { now: number; newest: number }): Promise<Report | null> {
    if (!this.alive) return null;
    this.#reply = Promise.withResolvers();
    this.#process.send(message, () => {});
    return this.#reply.promise;
  }

  async kill(): Promise<void> {
    this.#process.kill('SIGKILL');
    while (this.alive) await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
