/**
 * Reads a chain from the first of its endpoints that is fit: on the right chain, not behind its peers, answering. Before each read
 * every endpoint is asked at the same time what chain it is and how high (small requests).
 */
import { type ChainId, chains, isEvmChainId } from '../../config/chains.ts';
import { failed, type Result, success } from '../failure.ts';
import { type Clock, systemClock } from '../kernel/clock.ts';
import type { ChainReading } from '../topics/chains.ts';
import type { HttpClient } from '../upstream/client.ts';
import { firstSuccess } from '../upstream/first-success.ts';
import type { Log } from '../upstream/request.ts';
import { bitcoinProtocol } from './bitcoin.ts';
import {
  createEndpoints,
  type Endpoint,
  type Standing,
  type StatedHeight,
  type Time,
} from './endpoint.ts';
import { type EvmSample, evmProtocol, targetsOf } from './evm.ts';
import { solanaProtocol } from './solana.ts';
import { type Attempt, failureIn, type Look, type Protocol } from './transport.ts';

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
export interface AskOptions {
  deadline: number;
  signal?: AbortSignal;
  /** The account of the query; absent for a poll. */
  account?: string;
}

/** Times in ms: for one look, and for one try. */
const lookTime = 3_000;
const tryTime = 5_000;

/** Time without growth after which a height is suspect: five blocks' time, at least 30 s. */
const quietTime = (blockTime: number) => Math.max(30_000, 5 * blockTime);

const protocolOf = (chain: ChainId): Protocol<Partial<EvmSample>> => {
  if (isEvmChainId(chain)) return evmProtocol(targetsOf(chain));
  return chains[chain].kind === 'solana' ? solanaProtocol : bitcoinProtocol;
};

/** The reader of one chain. Throws TypeError for a URL that is none. */
export class ChainReader {
  readonly #chain: ChainId;
  readonly #clock: Clock;
  readonly #log: Log | undefined;
  readonly #protocol: Protocol<Partial<EvmSample>>;
  /** In order of preference. */
  readonly #endpoints: readonly Endpoint[];
  readonly #client: HttpClient;
  /** The highest block read, and when it was first read. */
  #grown: StatedHeight | null = null;
  #stuck = false;

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
    this.#protocol = protocolOf(chain);
    this.#endpoints = endpoints;
    this.#client = client;
  }

  /** One poll. Upstream trouble is a value; a failure's message names hosts, never URLs. Reads are not to overlap. */
  async read(options: AskOptions): Promise<Result<ChainReading>> {
    const asked = this.#clock.now();
    const time = this.#timeOf(options);
    const until = Math.min(time.until, this.#clock.monotonic() + lookTime);
    await Promise.all(this.#endpoints.map((endpoint) => this.#look(endpoint, { ...time, until })));
    this.#compare();
    return this.#first(time, async (endpoint) => {
      const result = await this.#ask(endpoint, time, (attempt) => this.#protocol.read(attempt));
      if (!result.ok) return result;
      const { height, name: host } = endpoint;
      if (!height) return failed('unavailable', `${host}: no height`);
      const rows = this.#rowsOf(height.block, result.value);
      return success({ ...rows, host, asked, received: rows.chain.updated_at });
    });
  }

  /**
   * Anything else, on demand: `work` gets one endpoint at a time, for `viemTransport`, `fromSolana` or `esplora`, and is run again
   * with the next while it rejects with an error of theirs. Heights are not compared. May overlap with everything.
   */
  ask<T>(options: AskOptions, work: (attempt: Attempt) => Promise<T>): Promise<Result<T>> {
    const time = this.#timeOf(options);
    return this.#first(time, (endpoint) => this.#ask(endpoint, time, work));
  }

  /** Ends all that is under way and closes every connection. */
  close(): Promise<void> {
    return this.#client.close();
  }

  /** Rows of a sample; what only EVM chains have is absent in the others. */
  #rowsOf(block: number, sample: Partial<EvmSample>) {
    const { gas_gwei = null, supplies = [], wallets = [], unread = [] } = sample;
    const chain = this.#chain;
    const updated_at = this.#clock.now();
    const { grown_at, stuck } = this.#note(block);
    const about = isEvmChainId(chain) ? [{ chain, updated_at }] : [];
    return {
      chain: { chain, block, gas_gwei, updated_at, grown_at },
      supplies: about.flatMap((own) => supplies.map((row) => ({ ...row, ...own }))),
      wallets: about.flatMap((own) => wallets.map((row) => ({ ...row, ...own }))),
      dropped: unread.map((key) => ({ key, code: 'bad_row' as const })),
      stuck,
    };
  }

  #timeOf({ deadline, ...more }: AskOptions): Time {
    return { until: this.#clock.monotonic() + deadline, ...more };
  }

  /** The first success of the endpoints in order; one of which nothing is known is asked for its chain before, where it can say that. */
  #first<T>(time: Time, attempt: (endpoint: Endpoint) => Promise<Result<T>>): Promise<Result<T>> {
    const id = this.#chain;
    const clock = this.#clock;
    const ask = async (endpoint: Endpoint): Promise<Result<T>> => {
      if (time.signal?.aborted) return failed('stopped', `${id}: abandoned`);
      const isKnown = endpoint.standing === 'fit' || chains[id].identity === null;
      const look = isKnown ? null : await this.#look(endpoint, time);
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
    const of = (wanted: Standing) => this.#endpoints.filter(({ standing }) => standing === wanted);
    return [...of('fit'), ...of('unknown')];
  }

  /** Asks one endpoint for chain and height. A failure where it does not answer, or for another chain. */
  async #look(endpoint: Endpoint, time: Time): Promise<Result<Look>> {
    const asked = this.#clock.now();
    const result = await this.#ask(endpoint, time, (attempt) => this.#protocol.look(attempt));
    const right = result.ok && result.value.identity === chains[this.#chain].identity;
    endpoint.height = right
      ? { block: result.value.block, at: (asked + this.#clock.now()) / 2 }
      : null;
    this.#judge(endpoint, right ? 'fit' : result.ok ? 'other_chain' : 'unknown');
    if (right || !result.ok) return result;
    return failed('refused', `${endpoint.name}: answers for another chain`);
  }

  async #ask<T>(
    endpoint: Endpoint,
    time: Time,
    question: (attempt: Attempt) => Promise<T>,
  ): Promise<Result<T>> {
    const until = Math.min(time.until, this.#clock.monotonic() + tryTime);
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
    const { blockTime, maxLag } = chains[this.#chain];
    const stated = this.#endpoints.flatMap(({ height }) => height ?? []);
    const now = Math.max(...stated.map(({ at }) => at));
    const current = ({ block, at }: StatedHeight) => block + (now - at) / blockTime;
    for (const endpoint of this.#endpoints) {
      const own = endpoint.height;
      if (!own) continue;
      const others = stated
        .filter((one) => one !== own)
        .map(current)
        .sort((a, b) => a - b);
      const median = others[Math.floor((others.length - 1) / 2)] ?? current(own);
      if (median - current(own) >= maxLag) this.#judge(endpoint, 'behind');
    }
  }

  #judge(endpoint: Endpoint, standing: Standing): void {
    const before = endpoint.standing;
    endpoint.standing = standing;
    if (standing === before || standing === 'fit') return;
    this.#log?.warn({ chain: this.#chain, host: endpoint.name, standing }, 'endpoint is not fit');
  }

  /** A small step back is a reorganisation or a slow endpoint; a large one, which its peers share, is taken over. */
  #note(block: number): { grown_at: number; stuck: boolean } {
    const { blockTime, maxLag } = chains[this.#chain];
    const now = this.#clock.now();
    const known = this.#grown;
    const renewed = !known || block > known.block || known.block - block >= maxLag;
    const grown = renewed ? { block, at: now } : known;
    this.#grown = grown;
    const stuck = now - grown.at >= quietTime(blockTime);
    if (stuck && !this.#stuck) {
      this.#log?.warn({ chain: this.#chain, block, since: grown.at }, 'the chain has stopped');
    }
    this.#stuck = stuck;
    return { grown_at: grown.at, stuck };
  }
}
