/**
 * Reads a chain from the first of its endpoints that is fit: on the right chain, not behind its peers, answering.
 *
 * Peers' heights come from probes: every endpoint is asked at the same time what chain it is and how high (one small
 * request each), at the first read, then every five minutes, and at once when a height looks wrong: it has not grown
 * for several blocks' time, or has fallen by as much as an endpoint may lag.
 */
import type { Chain } from '../../config/chains.ts';
import { type Failure, failed, type Result, success } from '../failure.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Log } from '../upstream/client.ts';
import { firstSuccess } from '../upstream/first-success.ts';
import { Hosts } from '../upstream/hosts.ts';
import type { Endpoint, Time } from './endpoint.ts';
import { laggards, type StatedHeight } from './peers.ts';
import { type Attempt, failureIn } from './transport.ts';

/** The identity and height that an endpoint states. */
export interface Probe {
  /** Compared with the chain's; null where nothing is asked. */
  identity: number | string | null;
  block: number;
}

/** How a chain is asked. Both reject with what `failureIn` knows; anything else is a bug. */
export interface Protocol<S extends { block: number }> {
  probe(attempt: Attempt): Promise<Probe>;
  /** Everything that one poll needs. */
  read(attempt: Attempt): Promise<S>;
}

export interface FailoverOptions<S extends { block: number }> {
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
  host: string;
  /** Unix ms around the request. */
  asked: number;
  received: number;
  /** When the block number was last seen to grow, Unix ms. */
  grownAt: number;
  /** It should have grown since, and no endpoint knows a higher block. */
  stuck: boolean;
}

/**
 * The result of the last probe of an endpoint. `unknown`: none; it is tried when no other is left, and asked for its
 * chain then. The last two are not used until the next probe.
 */
type EndpointState = 'fit' | 'unknown' | 'other_chain' | 'behind';

/** Times in ms: between two probes, for one probe, for one try, before the first endpoint is tried again. */
const probeEvery = 300_000;
const probeTime = 3_000;
const tryTime = 5_000;
const returnAfter = 300_000;

/** Time without growth after which a block number is suspect: five blocks' time, at least 30 s. */
const quietTime = (blockTime: number) => Math.max(30_000, 5 * blockTime);

export class Failover<S extends { block: number }> {
  readonly #options: FailoverOptions<S>;
  readonly #hosts: Hosts;
  /** The order for queries: a query that fails does not affect the polls. */
  readonly #askedHosts: Hosts;
  readonly #standings = new Map<Endpoint, EndpointState>();
  #heights: (StatedHeight & { endpoint: Endpoint })[] = [];
  #probedAt = Number.NEGATIVE_INFINITY;
  /** The highest block read, and when it was first read. */
  #grown: StatedHeight | null = null;
  #stuck = false;

  constructor(options: FailoverOptions<S>) {
    this.#options = options;
    const targets = options.endpoints.map(({ target }) => target);
    this.#hosts = new Hosts(targets, options.clock, returnAfter);
    this.#askedHosts = new Hosts(targets, options.clock, returnAfter);
  }

  /** One poll. Upstream trouble is a value. Reads are not to overlap. */
  async read(options: AskOptions): Promise<Result<Sample<S>>> {
    const time = this.#timeOf(options);
    if (this.#options.clock.monotonic() - this.#probedAt >= probeEvery) await this.#probe(time);
    return this.#first(this.#hosts, time, (endpoint) => this.#sample(endpoint, time));
  }

  /**
   * Anything else, on demand: `work` is run for one endpoint after the other until it does not reject. Heights are not
   * compared. May overlap with everything.
   */
  ask<T>(options: AskOptions, work: (attempt: Attempt) => Promise<T>): Promise<Result<T>> {
    const time = this.#timeOf(options);
    const hosts = options.account === undefined ? this.#hosts : this.#askedHosts;
    return this.#first(hosts, time, async (endpoint) => {
      const result = await this.#ask(endpoint, time, work);
      if (result.ok) hosts.worked(endpoint.target);
      return result;
    });
  }

  #timeOf({ deadline, ...more }: AskOptions): Time {
    return { until: this.#options.clock.monotonic() + deadline, ...more };
  }

  /** The first success of the endpoints in order; each is asked for its chain before, unless that is known. */
  async #first<T>(
    hosts: Hosts,
    time: Time,
    attempt: (endpoint: Endpoint) => Promise<Result<T>>,
  ): Promise<Result<T>> {
    const { clock, id } = this.#options;
    const ask = async (endpoint: Endpoint): Promise<Result<T> | null> => {
      if (time.signal?.aborted) return failed('stopped', `${id}: abandoned`);
      // A probe on the way may have changed it.
      if (this.#isUnfit(endpoint)) return null;
      const wrongChain = await this.#checkChain(endpoint, time);
      const result: Result<T> = wrongChain
        ? { ok: false, failure: wrongChain }
        : await attempt(endpoint);
      if (!result.ok) hosts.failed(endpoint.target);
      return result;
    };
    return firstSuccess(this.#order(hosts), ask, {
      clock,
      until: time.until,
      leastTime: 1,
      isFinal: () => time.signal?.aborted === true,
      worse: (_before, now) => now,
      none: failed('unavailable', `${id}: no endpoint is fit to be asked`).failure,
    });
  }

  /** Those that are fit in the order of preference, then those that may be. */
  #order(hosts: Hosts): Endpoint[] {
    const { endpoints } = this.#options;
    const all = hosts
      .order()
      .flatMap((target) => endpoints.filter((endpoint) => endpoint.target === target));
    const standing = (wanted: EndpointState) => all.filter((one) => this.#standing(one) === wanted);
    return [...standing('fit'), ...standing('unknown')];
  }

  #isUnfit(endpoint: Endpoint): boolean {
    const standing = this.#standing(endpoint);
    return standing === 'behind' || standing === 'other_chain';
  }

  #standing(endpoint: Endpoint): EndpointState {
    return this.#standings.get(endpoint) ?? 'unknown';
  }

  /** One poll of one endpoint. */
  async #sample(endpoint: Endpoint, time: Time): Promise<Result<Sample<S>>> {
    const { clock, protocol } = this.#options;
    const { name } = endpoint;
    const asked = clock.now();
    const result = await this.#ask(endpoint, time, (attempt) => protocol.read(attempt));
    if (!result.ok) return result;
    const received = clock.now();
    const { block } = result.value;
    if (this.#looksWrong(block, received) && !(await this.#confirmed(endpoint, block, time))) {
      return failed('unavailable', `${name}: behind its peers, or silent when asked again`);
    }
    this.#hosts.worked(endpoint.target);
    return success({ value: result.value, host: name, asked, received, ...this.#note(block) });
  }

  /** Whether a suspect height is used after all endpoints were asked; also true when none answers. */
  async #confirmed(endpoint: Endpoint, block: number, time: Time): Promise<boolean> {
    await this.#probe(time);
    this.#markStalled(endpoint, block);
    return this.#standing(endpoint) === 'fit' || this.#heights.length === 0;
  }

  /** Null when the endpoint states, or has stated, the right chain. */
  async #checkChain(endpoint: Endpoint, time: Time): Promise<Failure | null> {
    if (this.#standing(endpoint) === 'fit') return null;
    // Protocols without a chain id have no such request; a poll checks the height itself.
    if (this.#options.chain.identity === null) return null;
    const result = await this.#sight(endpoint, time);
    if (!result.ok) return result.failure;
    if (this.#standing(endpoint) === 'fit') return null;
    return failed('refused', `${endpoint.name}: answers for another chain`).failure;
  }

  /** Asks all endpoints at once for chain and height, and updates the state of each. */
  async #probe(time: Time): Promise<void> {
    const { clock, chain, endpoints } = this.#options;
    this.#probedAt = clock.monotonic();
    const until = Math.min(time.until, clock.monotonic() + probeTime);
    this.#heights = [];
    const sight = async (endpoint: Endpoint) => {
      const { ok } = await this.#sight(endpoint, { ...time, until });
      if (!ok) this.#judge(endpoint, 'unknown');
    };
    await Promise.all(endpoints.map(sight));
    // No endpoint has answered: the next read probes again.
    if (this.#heights.length === 0) this.#probedAt = Number.NEGATIVE_INFINITY;
    for (const { endpoint } of laggards(this.#heights, chain)) this.#judge(endpoint, 'behind');
  }

  /** Asks one endpoint for chain and height, and stores the height. */
  async #sight(endpoint: Endpoint, time: Time): Promise<Result<Probe>> {
    const { clock, chain, protocol } = this.#options;
    const asked = clock.now();
    const result = await this.#ask(endpoint, time, (attempt) => protocol.probe(attempt));
    if (!result.ok) return result;
    const right = result.value.identity === chain.identity;
    this.#judge(endpoint, right ? 'fit' : 'other_chain');
    const at = (asked + clock.now()) / 2;
    if (right) this.#heights.push({ endpoint, block: result.value.block, at });
    return result;
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

  #looksWrong(block: number, now: number): boolean {
    const { blockTime, maxLag } = this.#options.chain;
    if (!this.#grown || block > this.#grown.block) return false;
    const fallen = this.#grown.block - block >= maxLag;
    return fallen || now - this.#grown.at >= quietTime(blockTime);
  }

  /** After a probe: an endpoint whose height does not grow while another's does is not used, however small the lag. */
  #markStalled(endpoint: Endpoint, block: number): void {
    const { clock, chain } = this.#options;
    const grown = this.#grown;
    if (!grown) return;
    const quiet = clock.now() - grown.at >= quietTime(chain.blockTime);
    const own = this.#heights.find((height) => height.endpoint === endpoint)?.block ?? block;
    const passed = this.#heights.some((other) => other.block > Math.max(own, block));
    if (quiet && passed && own <= grown.block) this.#judge(endpoint, 'behind');
  }

  #judge(endpoint: Endpoint, standing: EndpointState): void {
    const { log, id } = this.#options;
    const before = this.#standings.get(endpoint);
    this.#standings.set(endpoint, standing);
    if (standing === before || standing === 'fit') return;
    log?.warn({ chain: id, host: endpoint.name, standing }, 'endpoint is not fit');
  }

  /** A small step back is a reorganisation or a slow endpoint; a large one that peers confirm is accepted. */
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
