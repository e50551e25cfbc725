/**
 * Reads a chain from the first of its endpoints that is fit: on the right chain, not behind its peers, answering. Before each read
 * every endpoint is asked at the same time what chain it is and how high (small requests).
 */
import { type ChainId, type ChainKind, chains, isEvmChainId } from '../../config/chains.ts';
import { minute } from '../../config/time.ts';
import { type Failure, failed, type Result, success } from '../failure.ts';
import { type Clock, systemClock } from '../kernel/clock.ts';
import type { ChainReading } from '../topics/chains.ts';
import type { HttpClient } from '../upstream/client.ts';
import type { Log } from '../upstream/request.ts';
import { bitcoinHead } from './bitcoin.ts';
import {
  type Attempt,
  createEndpoints,
  type Endpoint,
  failureIn,
  type Height,
  type Time,
} from './endpoint.ts';
import { evmHead, readEvm, targetsOf } from './evm.ts';
import { solanaHead } from './solana.ts';

export interface ChainReaderOptions {
  chain: ChainId;
  /** Instead of those of config/chains.ts; at least one. */
  urls?: readonly string[];
  /** Base URL that every request goes through, or null. */
  gateway: string | null;
  clock?: Clock;
  /** Uniform in [0, 1). */
  random?: () => number;
  log?: Log;
}

/** How something is asked: `deadline` in ms over all endpoints tried; `signal` abandons it. */
export interface AskOptions extends Omit<Time, 'until'> {
  deadline: number;
}

/** The identity that an endpoint states, to compare with the chain's (null where nothing is asked), and its height. */
interface Head {
  identity: number | string | null;
  block: number;
}

const headOf: Readonly<Record<ChainKind, (attempt: Attempt) => Promise<Head>>> = {
  evm: evmHead,
  solana: solanaHead,
  esplora: bitcoinHead,
};

/** Times in ms: for one look, and for one try. */
const lookTime = 3_000;
const tryTime = 5_000;

/** Time without growth after which a height is suspect: five blocks' time, at least 30 s. */
const quietTime = (blockTime: number) => Math.max(30_000, 5 * blockTime);

/** Blocks behind its peers from which on an endpoint is not used: those of a minute, at least three. */
const maxLag = (blockTime: number) => Math.max(3, minute / blockTime);

/** The reader of one chain. Throws TypeError for a URL that is none. */
export class ChainReader {
  readonly #chain: ChainId;
  readonly #clock: Clock;
  readonly #log: Log | undefined;
  /** In order of preference. */
  readonly #endpoints: readonly Endpoint[];
  readonly #client: HttpClient;
  /** The highest block read, and when it was first read. */
  #grown: Height | null = null;

  constructor({
    chain,
    urls = chains[chain].urls,
    clock = systemClock,
    ...around
  }: ChainReaderOptions) {
    const { endpoints, client } = createEndpoints(urls, { ...around, source: chain, clock });
    this.#chain = chain;
    this.#clock = clock;
    this.#log = around.log;
    this.#endpoints = endpoints;
    this.#client = client;
  }

  /** One poll. Upstream trouble is a value; a failure's message names hosts, never URLs. Reads are not to overlap. */
  async read(options: AskOptions): Promise<Result<ChainReading>> {
    const asked = this.#clock.now();
    await this.#look(this.#timeOf(options));
    let host = '';
    let block = 0;
    const sample = await this.ask(options, (attempt) => {
      host = attempt.endpoint.name;
      block = attempt.endpoint.height?.block ?? 0;
      return this.#read(attempt);
    });
    if (!sample.ok) return sample;
    const { gas_gwei, supplies, wallets, dropped } = sample.value;
    const received = this.#clock.now();
    const chain = this.#chain;
    const grown_at = this.#note(block);
    const stuck = received - grown_at >= quietTime(chains[chain].blockTime);
    const row = { chain, block, gas_gwei, updated_at: received, grown_at };
    return success({ chain: row, supplies, wallets, dropped, stuck, host, asked, received });
  }

  /**
   * Asks the first endpoint that is fit: `work` gets one at a time, for `viemTransport`, `solanaValue` or `esplora`, and is run again
   * with the next while it rejects with an error of theirs. An endpoint that failed is fit again after the next look; until then it is
   * asked last, unless it answers for another chain, is behind, or does not answer at all.
   */
  async ask<T>(
    { deadline, ...more }: AskOptions,
    work: (attempt: Attempt) => Promise<T>,
  ): Promise<Result<T>> {
    const time = this.#timeOf({ deadline, ...more });
    if (this.#fit.length === 0) await this.#look(time);
    for (const endpoint of [...this.#fit, ...this.#doubtful]) {
      if (time.signal?.aborted) return failed('stopped', `${this.#chain}: abandoned`);
      if (this.#clock.monotonic() >= time.until) break;
      const result = await this.#ask({ ...time, endpoint }, work);
      if (result.ok) return result;
      this.#judge(endpoint, result.failure);
    }
    const failure = this.#endpoints.findLast((endpoint) => endpoint.failure)?.failure;
    return failure ? { ok: false, failure } : failed('timeout', `${this.#chain}: no time left`);
  }

  /** Ends all that is under way and closes every connection. */
  close(): Promise<void> {
    return this.#client.close();
  }

  get #fit(): Endpoint[] {
    return this.#endpoints.filter(({ failure }) => failure === null);
  }

  get #doubtful(): Endpoint[] {
    return this.#endpoints.filter(
      ({ failure }) => failure !== null && !['unavailable', 'timeout'].includes(failure.code),
    );
  }

  #timeOf({ deadline, ...more }: AskOptions): Time {
    return { until: this.#clock.monotonic() + deadline, ...more };
  }

  /** What one poll needs besides the height; only EVM chains have any. */
  async #read(attempt: Attempt) {
    const chain = this.#chain;
    if (!isEvmChainId(chain)) return { gas_gwei: null, supplies: [], wallets: [], dropped: [] };
    const { supplies, wallets, ...more } = await readEvm(attempt, targetsOf(chain));
    const about = { chain, updated_at: this.#clock.now() };
    return {
      ...more,
      supplies: supplies.map((row) => ({ ...row, ...about })),
      wallets: wallets.map((row) => ({ ...row, ...about })),
    };
  }

  /** Asks every endpoint at the same time what chain it is and how high; unfit are those that do not answer, of another chain, and behind. */
  async #look({ until, ...time }: Time): Promise<void> {
    const { kind, identity } = chains[this.#chain];
    const end = Math.min(until, this.#clock.monotonic() + lookTime);
    const found = new Map<Endpoint, Failure | null>();
    const look = async (endpoint: Endpoint) => {
      const asked = this.#clock.now();
      const head = await this.#ask({ ...time, until: end, endpoint }, headOf[kind]);
      const isRight = head.ok && head.value.identity === identity;
      endpoint.height = isRight
        ? { block: head.value.block, at: (asked + this.#clock.now()) / 2 }
        : null;
      const other = failed('unavailable', `${endpoint.name}: answers for another chain`).failure;
      found.set(endpoint, isRight ? null : head.ok ? other : head.failure);
    };
    await Promise.all(this.#endpoints.map(look));
    for (const endpoint of this.#endpoints)
      this.#judge(endpoint, found.get(endpoint) ?? this.#lagOf(endpoint));
  }

  async #ask<T>(attempt: Attempt, question: (attempt: Attempt) => Promise<T>): Promise<Result<T>> {
    const until = Math.min(attempt.until, this.#clock.monotonic() + tryTime);
    const { name } = attempt.endpoint;
    try {
      return success(await question({ ...attempt, until }));
    } catch (error) {
      const failure = failureIn(error);
      if (failure === null) throw error;
      const { message } = failure;
      const named = message.startsWith(name) ? message : `${name}: ${message}`;
      return { ok: false, failure: { ...failure, message: named } };
    }
  }

  /**
   * A failure where an endpoint is `maxLag` or more behind the median of the others. Heights are extrapolated to the time of
   * the newest: a fast chain makes several blocks between two answers. The lower median of two, so that neither one far ahead nor
   * one far behind decides about the rest.
   */
  #lagOf({ name, height }: Endpoint): Failure | null {
    const { blockTime } = chains[this.#chain];
    const stated = this.#endpoints.flatMap((one) => one.height ?? []);
    const now = Math.max(...stated.map(({ at }) => at));
    const current = ({ block, at }: Height) => block + (now - at) / blockTime;
    const others = stated.filter((one) => one !== height).map(current);
    const median = others.sort((a, b) => a - b)[Math.floor((others.length - 1) / 2)];
    if (height === null || median === undefined) return null;
    if (median - current(height) < maxLag(blockTime)) return null;
    return failed('unavailable', `${name}: blocks behind the others`).failure;
  }

  #judge(endpoint: Endpoint, failure: Failure | null): void {
    const { failure: before } = endpoint;
    endpoint.failure = failure;
    if (failure === null || before?.message === failure.message) return;
    this.#log?.warn({ chain: this.#chain, failure: failure.message }, 'endpoint is not fit');
  }

  /** When the chain has grown to a block, Unix ms. A small step back is a reorganisation or a slow endpoint; a large one is taken over. */
  #note(block: number): number {
    const { blockTime } = chains[this.#chain];
    const known = this.#grown;
    const isNews = !known || block > known.block || known.block - block >= maxLag(blockTime);
    this.#grown = isNews ? { block, at: this.#clock.now() } : known;
    return this.#grown.at;
  }
}
