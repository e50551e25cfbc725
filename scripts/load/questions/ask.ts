import { Agent, request } from 'undici';

/** What questions came to. */
export interface Tally {
  asked: number;
  /** Not asked: as many as may be were waiting for their answers. */
  left: number;
  /** Answers by status. */
  statuses: Record<string, number>;
  /** Answers of 200 that are marked as stale. */
  stale: number;
  /** What no answer may be, by kind: 5xx but for 503 with a time, and questions without an answer. */
  faults: Record<string, number>;
  /** Milliseconds, of every answer. */
  took: number[];
}

/** Longest time that an answer may take, ms: more than a query's deadline. */
const patience = 15_000;

const count = (counts: Record<string, number>, name: string) => {
  counts[name] = (counts[name] ?? 0) + 1;
};

/** The class of an error: its path and status, and the reason that its message ends with. */
function errorOf(question: string, status: number, text: string): string {
  const { code = '', message = '' }: { code?: string; message?: string } = JSON.parse(text);
  const reason = /\((\w+)\)$/.exec(message)?.[1] ?? code;
  return `${question.replace(/\?.*/, '')} ${status} ${reason}`;
}

/** Asks a server questions, each for one of many clients, and keeps the tally. */
export class Asker {
  readonly tally: Tally = {
    ...{ asked: 0, left: 0, statuses: {}, stale: 0, faults: {}, took: [] },
  };
  readonly #url: string;
  readonly #agent: Agent;
  readonly #most: number;
  #open = 0;

  /** `most`: questions at once. */
  constructor(url: string, most: number) {
    this.#url = url;
    this.#most = most;
    this.#agent = new Agent({ connections: most, headersTimeout: patience, bodyTimeout: patience });
  }

  /** Asks one question as `client`, a number below 65,536. Never rejects. */
  async ask(question: string, client: number): Promise<void> {
    if (this.#open >= this.#most) {
      this.tally.left++;
      return;
    }
    this.#open++;
    this.tally.asked++;
    const since = performance.now();
    const headers = { 'x-forwarded-for': `10.1.${client >> 8}.${client & 255}` };
    try {
      const answer = await request(this.#url + question, { dispatcher: this.#agent, headers });
      const text = await answer.body.text();
      this.tally.took.push(performance.now() - since);
      const timed = answer.headers['retry-after'] !== undefined;
      this.#count(question, { status: answer.statusCode, text, timed });
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : error;
      count(this.tally.faults, `no answer: ${code}`);
    } finally {
      this.#open--;
    }
  }

  async close(): Promise<void> {
    await this.#agent.destroy();
  }

  #count(
    question: string,
    { status, text, timed }: { status: number; text: string; timed: boolean },
  ): void {
    const { statuses, faults } = this.tally;
    count(statuses, String(status));
    if (status === 200 && text.includes('"stale":true')) this.tally.stale++;
    if (status >= 500 && !(status === 503 && timed)) count(faults, errorOf(question, status, text));
  }
}

/** Calls `send` `rate` times a second for `seconds`, whether or not it has ended; resolves when all have. */
export async function paced(
  { rate, seconds }: { rate: number; seconds: number },
  send: (n: number) => Promise<void>,
): Promise<void> {
  const open = new Set<Promise<void>>();
  const begun = performance.now();
  for (let n = 0; n < rate * seconds; n++) {
    const early = begun + (n * 1_000) / rate - performance.now();
    if (early > 1) await new Promise((done) => setTimeout(done, early));
    const one = send(n).finally(() => open.delete(one));
    open.add(one);
  }
  await Promise.all(open);
}
