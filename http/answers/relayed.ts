/** Channels of Hyperliquid that are passed on to clients: what these follow, and the frames that come. */
import type { Bus } from '../../actors/bus/bus.ts';
import type { Cancel, Clock } from '../../actors/kernel/clock.ts';
import { publicQuestion, type RelayedReply } from '../../actors/topics/hyperliquid-info.ts';
import { type ApiError, apiError, fromFailure } from '../wire/errors.ts';
import { pauseAfter } from './trade-log.ts';

const source = 'hyperliquid';
/** Longest wait for an answer, and for how long there may be none, ms. */
const [deadline, patience] = [3_000, 10_000];

/** The object in a text; empty where it holds none. */
function object(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return Object(value);
  } catch {
    return {};
  }
}

interface RelayedOptions {
  clock: Clock;
  query: Bus['query'];
}

interface Followed {
  followers: number;
  next: number;
  /** Its newest frame; null before the first. */
  newest: string | null;
}

/** Each subscription by its normal form. */
export class RelayedChannels {
  /** Called with each frame, in the order in which they came. */
  onFrame: (name: string, text: string) => void = () => {};
  /** Called where frames may be missing: the exchange's connection was lost, another process has it, none answers, or this one has asked too late. */
  onLost: () => void = () => {};
  readonly #options: RelayedOptions;
  readonly #followed = new Map<string, Followed>();
  #began = 0;
  /** When the last answer came, or was first wanted, monotonic ms. */
  #answered = 0;
  #waiting: Cancel | null = null;
  #isAsking = false;

  constructor(options: RelayedOptions) {
    this.#options = options;
  }

  /** Follows a channel for one client more; its newest frame, which `onFrame` has had. */
  follow(name: string): string | null {
    if (this.#followed.size === 0) this.#answered = this.#options.clock.monotonic();
    const known = this.#followed.get(name) ?? { followers: 0, next: 0, newest: null };
    known.followers += 1;
    this.#followed.set(name, known);
    if (!this.#isAsking) this.#askIn(0);
    return known.newest;
  }

  leave(name: string): void {
    const known = this.#followed.get(name);
    if (known === undefined) return;
    known.followers -= 1;
    if (known.followers === 0) this.#followed.delete(name);
  }

  /**
   * Why a subscription cannot be had; null where it can. Its market must have a price: the exchange ends the connection of who asks for a
   * market that it does not know.
   */
  async refusal(name: string, account: string): Promise<ApiError | null> {
    const { coin, dex } = object(name);
    const [builder, market] = typeof coin === 'string' ? coin.split(':') : [];
    const of = market === undefined ? dex : builder;
    const params = publicQuestion({ type: 'allMids', ...(of !== undefined && { dex: of }) });
    if (params === null) return apiError('bad_parameter');
    const query = { source, name: 'hyperliquidInfo', params } as const;
    const reply = await this.#options.query(query, { account });
    const isUnknown = !reply.ok && reply.failure.code === 'unknown_instrument';
    if (!reply.ok && !isUnknown) return fromFailure(reply.failure, 'Hyperliquid');
    const prices = reply.ok ? object(reply.value.value) : {};
    const isThere = typeof coin === 'string' ? Object.hasOwn(prices, coin) : reply.ok;
    if (!isThere) return apiError('unknown_symbol', `${coin ?? dex} has no price`);
    return this.#followed.has(name) ? null : this.#refusalOfOneMore(name);
  }

  async #refusalOfOneMore(name: string): Promise<ApiError | null> {
    const params = { began: 0, next: { [name]: 0 } };
    const reply = await this.#options.query({ source, name: 'relayed', params }, { deadline });
    if (!reply.ok) return fromFailure(reply.failure, 'Hyperliquid');
    const { isFull } = reply.value.value;
    return isFull ? apiError('overloaded', 'too many channels are followed at once') : null;
  }

  #askIn(delay: number): void {
    this.#waiting?.();
    this.#waiting = this.#options.clock.after(delay, () => void this.#ask());
  }

  /** Never rejects: the failures of a query are values. */
  async #ask(): Promise<void> {
    const { clock, query } = this.#options;
    this.#waiting = null;
    if (this.#followed.size === 0) {
      this.#began = 0;
      return;
    }
    this.#isAsking = true;
    const asked = clock.monotonic();
    const next = Object.fromEntries([...this.#followed].map(([name, one]) => [name, one.next]));
    const params = { began: this.#began, next };
    const reply = await query({ source, name: 'relayed', params }, { deadline });
    this.#isAsking = false;
    if (!reply.ok) {
      if (clock.monotonic() - this.#answered > patience) this.onLost();
      return this.#askIn(pauseAfter(null, 0));
    }
    this.#take(reply.value.value);
    const took = clock.monotonic() - asked;
    this.#askIn(pauseAfter(Object.keys(reply.value.value.frames).length > 0, took));
  }

  #take({ began, frames }: RelayedReply): void {
    this.#answered = this.#options.clock.monotonic();
    if (this.#began !== 0 && began !== this.#began) this.onLost();
    this.#began = began;
    for (const [name, { next: after, texts }] of Object.entries(frames)) {
      const known = this.#followed.get(name);
      if (known && known.next > 0 && after - known.next !== texts.length) this.onLost();
      if (known) Object.assign(known, { next: after, newest: texts.at(-1) ?? known.newest });
      for (const text of texts) this.onFrame(name, text);
    }
  }
}
