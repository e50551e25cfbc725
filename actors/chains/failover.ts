/**
 * Reads a chain from the first of its endpoints that is fit: on the right chain, not behind its peers, answering. Before
 * each read every endpoint is asked at the same time what chain it is and how high (small requests).
 */
import type { Chain } from '../../config/chains.ts';
import { failed, type Result, success } from '../failure.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Log } from '../upstream/client.ts';
import { firstSuccess } from '../upstream/first-success.ts';
import type { Endpoint, Standing, StatedHeight, Time } from './endpoint.ts';
import { type Attempt, failureIn } from './transport.ts';

/** The identity and height that an endpoint states. */
export interface Look {
  /** Compared with the chain's; null where nothing is asked. */
  identity: number | string | null;
  block: number;
}

/** How a chain is asked. Both reject with what `failureIn` knows; anything else is a bug. */
export interface Protocol<S> {
  look(attempt: Attempt): Promise<Look>;
  /** Everything that one poll needs besides the height. */
  read(attempt: Attempt): Promise<S>;
}

export interface FailoverOptions<S> {
  /** Id of the chain, for logs and messages. */
  id: string;
  chain: Pick<Chain, 'identity' | 'blockTime' | 'maxLag'>;
  /** In order of preference; at least one. */
  endpoints: readonly Endpoint[];
  protocol: Protocol<S>;
  clock: Clock;
  log?: Log;
}

/** How something is asked: `deadline` in ms over all endpoints tried; `signal` abandons it. */
export interface AskOptions {
  deadline: number;
  signal?: AbortSignal;
  /** The account of the query; absent for a poll. */
  account?: string;
}

/** A sample and the state of the chain with it. */
export interface Sample<S> {
  value: S;
  block: number;
  host: string;
  /** Unix ms around the requests. */
  asked: number;
  received: number;
  /** When the block number was last seen to grow, Unix ms. */
  grownAt: number;
  /** It should have grown since, and no endpoint knows a higher block. */
  stuck: boolean;
}

/** Times in ms: for one look, and for one try. */
const lookTime = 3_000;
const tryTime = 5_000;

/** Time without growth after which a height is suspect: five blocks' time, at least 30 s. */
const quietTime = (blockTime: number) => Math.max(30_000, 5 * blockTime);

export class Failover<S> {
  readonly #options: FailoverOptions<S>;
  /** The highest block read, and when it was first read. */
  #grown: StatedHeight | null = null;
  #stuck = false;

  constructor(options: FailoverOptions<S>) {
    this.#options = options;
  }

  /** One poll. Upstream trouble is a value. Reads are not to overlap. */
  async read(options: AskOptions): Promise<Result<Sample<S>>> {
    const { clock, endpoints, protocol } = this.#options;
    const asked = clock.now();
    const time = this.#timeOf(options);
    const until = Math.min(time.until, clock.monotonic() + lookTime);
    await Promise.all(endpoints.map((endpoint) => this.#look(endpoint, { ...time, until })));
    this.#compare();
    return this.#first(time, async (endpoint) => {
      const result = await this.#ask(endpoint, time, (attempt) => protocol.read(attempt));
      if (!result.ok) return result;
      const { height, name: host } = endpoint;
      if (!height) return failed('unavailable', `${host}: no height`);
      const { block } = height;
      const times = { asked, received: clock.now(), ...this.#note(block) };
      return success({ value: result.value, block, host, ...times });
    });
  }

  /**
   * Anything else, on demand: `work` is run for one endpoint after the other until it does not reject. Heights are not
   * compared. May overlap with everything.
   */
  ask<T>(options: AskOptions, work: (attempt: Attempt) => Promise<T>): Promise<Result<T>> {
    const time = this.#timeOf(options);
    return this.#first(time, (endpoint) => this.#ask(endpoint, time, work));
  }

  #timeOf({ deadline, ...more }: AskOptions): Time {
    return { until: this.#options.clock.monotonic() + deadline, ...more };
  }

  /** The first success of the endpoints in order; one of which nothing is known is asked for its chain before. */
  #first<T>(time: Time, attempt: (endpoint: Endpoint) => Promise<Result<T>>): Promise<Result<T>> {
    const { clock, id } = this.#options;
    const ask = async (endpoint: Endpoint): Promise<Result<T>> => {
      if (time.signal?.aborted) return failed('stopped', `${id}: abandoned`);
      const look = endpoint.standing === 'unknown' ? await this.#look(endpoint, time) : null;
      const result = !look || look.ok ? await attempt(endpoint) : look;
      // After the others, until it is looked at again.
      if (!result.ok && endpoint.standing === 'fit') this.#judge(endpoint, 'unknown');
      return result;
    };
    return firstSuccess(this.#order(), ask, {
      clock,
      until: time.until,
      leastTime: 1,
      isFinal: () => time.signal?.aborted === true,
      worse: (_before, now) => now,
      none: failed('unavailable', `${id}: no endpoint is fit to be asked`).failure,
    });
  }

  /** Those that are fit in the order of preference, then those that may be. */
  #order(): Endpoint[] {
    const of = (wanted: Standing) =>
      this.#options.endpoints.filter(({ standing }) => standing === wanted);
    return [...of('fit'), ...of('unknown')];
  }

  /** Asks one endpoint for chain and height. A failure where it does not answer, or for another chain. */
  async #look(endpoint: Endpoint, time: Time): Promise<Result<Look>> {
    const { clock, chain, protocol } = this.#options;
    const asked = clock.now();
    const result = await this.#ask(endpoint, time, (attempt) => protocol.look(attempt));
    const right = result.ok && result.value.identity === chain.identity;
    endpoint.height = right ? { block: result.value.block, at: (asked + clock.now()) / 2 } : null;
    this.#judge(endpoint, right ? 'fit' : result.ok ? 'other_chain' : 'unknown');
    if (right || !result.ok) return result;
    return failed('refused', `${endpoint.name}: answers for another chain`);
  }

  async #ask<T>(
    endpoint: Endpoint,
    time: Time,
    question: (attempt: Attempt) => Promise<T>,
  ): Promise<Result<T>> {
    const until = Math.min(time.until, this.#options.clock.monotonic() + tryTime);
    try {
      return success(await question({ ...time, endpoint, until }));
    } catch (error) {
      const failure = failureIn(error);
      if (failure === null) throw error;
      const { code, message, ...more } = failure;
      const named = message.startsWith(endpoint.name) ? message : `${endpoint.name}: ${message}`;
      return failed(code, named, more);
    }
  }

  /**
   * After all were asked: an endpoint that is `maxLag` blocks or more behind the median of the others is not used. Heights are
   * extrapolated to the time of the newest: a fast chain makes several blocks between two answers. The lower median of two, so
   * that neither one far ahead nor one far behind decides about the rest.
   */
  #compare(): void {
    const { endpoints, chain } = this.#options;
    const stated = endpoints.flatMap(({ height }) => height ?? []);
    const now = Math.max(...stated.map(({ at }) => at));
    const current = ({ block, at }: StatedHeight) => block + (now - at) / chain.blockTime;
    for (const endpoint of endpoints) {
      const own = endpoint.height;
      if (!own) continue;
      const others = stated
        .filter((one) => one !== own)
        .map(current)
        .sort((a, b) => a - b);
      const median = others[Math.floor((others.length - 1) / 2)] ?? current(own);
      if (median - current(own) >= chain.maxLag) this.#judge(endpoint, 'behind');
    }
  }

  #judge(endpoint: Endpoint, standing: Standing): void {
    const { log, id } = this.#options;
    const before = endpoint.standing;
    endpoint.standing = standing;
    if (standing === before || standing === 'fit') return;
    log?.warn({ chain: id, host: endpoint.name, standing }, 'endpoint is not fit');
  }

  /** A small step back is a reorganisation or a slow endpoint; a large one, which its peers share, is taken over. */
  #note(block: number): { grownAt: number; stuck: boolean } {
    const { chain, clock, id, log } = this.#options;
    const now = clock.now();
    const known = this.#grown;
    const renewed = !known || block > known.block || known.block - block >= chain.maxLag;
    const grown = renewed ? { block, at: now } : known;
    this.#grown = grown;
    const stuck = now - grown.at >= quietTime(chain.blockTime);
    if (stuck && !this.#stuck) {
      log?.warn({ chain: id, block, since: grown.at }, 'the chain has stopped');
    }
    this.#stuck = stuck;
    return { grownAt: grown.at, stuck };
  }
}
