/** What a load balancer does: it sends requests to the web processes whose `/readyz` is well, and to another one once. */
import { Agent, errors, request } from 'undici';

/** Between two questions whether a process is ready, and for how long one is waited for, ms. */
const pause = 250;
const patience = 2_000;

export interface Answer {
  status: number;
  body: string;
}

export interface Asked {
  path: string;
  key: string;
  /** Milliseconds. */
  timeout: number;
}

export class Balancer {
  /** Requests that were sent again since the connection of the first process broke. */
  retried = 0;
  readonly #agent = new Agent({ connections: 256 });
  readonly #ready = new Set<number>();
  readonly #timers: NodeJS.Timeout[];
  #turn = 0;

  constructor(ports: readonly number[]) {
    this.#timers = ports.map((port) => setInterval(() => void this.#check(port), pause));
  }

  get readyCount(): number {
    return this.#ready.size;
  }

  /** The port of a process that is ready, each in its turn; null when there is none. */
  next(): number | null {
    const ready = [...this.#ready];
    return ready[this.#turn++ % ready.length] ?? null;
  }

  /** A process that a client has found gone is asked nothing until it is ready again. */
  lost(port: number): void {
    this.#ready.delete(port);
  }

  /** Asks; where a connection breaks another process is asked, once. Rejects when that fails too. */
  async ask(asked: Asked): Promise<Answer> {
    const port = this.#need();
    try {
      return await this.#get(port, asked);
    } catch (error) {
      if (error instanceof errors.HeadersTimeoutError || error instanceof errors.BodyTimeoutError) {
        throw error;
      }
      this.lost(port);
      this.retried++;
      return await this.#get(this.#need(), asked);
    }
  }

  async stop(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    await this.#agent.destroy();
  }

  #need(): number {
    const port = this.next();
    if (port === null) throw new Error('no web process is ready');
    return port;
  }

  async #check(port: number): Promise<void> {
    const asked = { path: '/readyz', key: '', timeout: patience };
    const answer = await this.#get(port, asked).catch(() => null);
    if (answer?.status === 200) this.#ready.add(port);
    else this.#ready.delete(port);
  }

  async #get(port: number, { path, key, timeout }: Asked): Promise<Answer> {
    const { statusCode, body } = await request(`http://127.0.0.1:${port}${path}`, {
      dispatcher: this.#agent,
      headersTimeout: timeout,
      bodyTimeout: timeout,
      headers: key === '' ? {} : { 'x-api-key': key },
    });
    return { status: statusCode, body: await body.text() };
  }
}
