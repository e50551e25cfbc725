/** The job of a poll: sends its requests, hands the bodies to the publishers of its topics, plans the next poll. */
import { setImmediate } from 'node:timers/promises';
import { dollarQuotes } from '../../../config/quotes.ts';
import { isFollowedKind } from '../../../indicators/market/market-names.ts';
import { type Failure, failed, type Result } from '../../failure.ts';
import type { Cancel, Clock } from '../../kernel/clock.ts';
import type { NewestRows } from '../../state/newest-rows.ts';
import { pricesByMarket } from '../../state/other-prices.ts';
import type { Instrument, PriceRow, Reading } from '../../topics/index.ts';
import type { HttpClient } from '../../upstream/client.ts';
import { bodyCaps } from '../../upstream/limits.ts';
import type { UpstreamRequest } from '../../upstream/request.ts';
import type { InstrumentMap } from '../define.ts';
import type { InstrumentBook } from '../instruments.ts';
import type { Job, Round } from '../job.ts';
import { steadyTop } from '../streams/choice.ts';
import type { MarketPoll } from '../venue.ts';
import { askAll, gather, LastGoodBodies } from './ask.ts';
import { nextMarkets, timeOf } from './plan.ts';
import type { Gathered, Publisher } from './publisher.ts';

/** The part of any topic's publisher that a poller needs. */
export type AnyPublisher = Pick<Publisher<never>, 'status' | 'open' | 'take'>;

export interface PollerOptions {
  /** Unique within the source. */
  name: string;
  source: string;
  part: string;
  /** Milliseconds between the end of a poll and the start of the next. */
  every: number;
  poll: Pick<MarketPoll<never>, 'requests' | 'rotates' | 'most'>;
  /** Largest body of a request about the whole part, bytes. */
  maxBody: number;
  /** False for the instrument lists themselves: every other poll waits for the list of its part. */
  needsInstruments: boolean;
  /** True where `rotates` asks for the dated futures of the part, in the place of its followed markets. */
  dated?: boolean;
  /** The first is that of the topic that the requests belong to. */
  publishers: readonly AnyPublisher[];
  client: Pick<HttpClient, 'send' | 'state'>;
  book: InstrumentBook;
  newest: NewestRows;
  clock: Clock;
}

/** Longest until the next poll when an optional request failed, ms. */
const missingPause = 300_000;
/** Time without an instrument list, ms, after which the status shows it. */
const listTimeoutMs = 30_000;
const noList: Failure = {
  code: 'unavailable',
  message: 'there is no instrument list of this part yet',
};

/** A poll as a job. */
export class Poller implements Job {
  readonly name: string;
  readonly every: number;
  readonly #options: PollerOptions;
  readonly #lastGoodBodies: LastGoodBodies;
  #cursor = 0;
  #hasPolled = false;
  /** When it first lacked the instrument list; null when it never did. */
  #waitsSince: number | null = null;
  /** How long the last poll took, ms. */
  #took = 0;
  #pause: number;

  constructor(options: PollerOptions) {
    this.name = options.name;
    this.every = options.every;
    this.#options = options;
    this.#lastGoodBodies = new LastGoodBodies(options.every);
    this.#pause = options.every;
  }

  async wait(): Promise<number> {
    await Promise.all(this.#options.publishers.map((publisher) => publisher.open()));
    return 0;
  }

  /** The first instrument list starts the first poll. */
  watch(run: () => void): Cancel {
    const { source, part, book, needsInstruments } = this.#options;
    if (!needsInstruments) return () => {};
    return book.onChange(source, part, () => {
      if (!this.#hasPolled) run();
    });
  }

  async run({ now, signal }: Round): Promise<Failure | null> {
    const began = this.#options.clock.monotonic();
    if (this.#lacksList()) return this.#await(now, began);
    this.#hasPolled = true;
    for (const { status } of this.#options.publishers) status.set({ last_attempt: now });
    const failure = await this.#poll(signal);
    this.#took = this.#options.clock.monotonic() - began;
    return failure;
  }

  pause(): number {
    return this.#pause;
  }

  planned(next: number): void {
    const { client, poll, publishers } = this.#options;
    const api = poll.requests({ markets: [''], now: 0 })[0]?.api;
    const breaker = api === undefined ? 'closed' : client.state(api).breaker;
    for (const { status } of publishers) status.set({ breaker, next_poll: next }).report();
  }

  #lacksList(): boolean {
    const { source, part, book, needsInstruments } = this.#options;
    return needsInstruments && book.part(source, part).size === 0;
  }

  /** The list starts a poll when it arrives; the status fails when it takes longer than `listTimeoutMs`. */
  #await(now: number, at: number): null {
    this.#waitsSince ??= at;
    if (at - this.#waitsSince >= listTimeoutMs) {
      for (const publisher of this.#options.publishers) publisher.status.fail(noList, now);
    }
    this.#pause = listTimeoutMs;
    return null;
  }

  /** One poll from request to stream: the failure of its requests or of its first topic, or null. */
  async #poll(signal: AbortSignal): Promise<Failure | null> {
    const { source, part, book, publishers, every, clock } = this.#options;
    const gathered = await this.#gather(signal);
    const isWhole = gathered.ok && gathered.value.missing === null;
    this.#pause = isWhole ? every : Math.min(every, missingPause);
    const failures: (Failure | null)[] = [];
    for (const publisher of publishers) {
      // Bodies of thousands of markets take long to read: frames of streams come in between.
      await setImmediate();
      const failure = gathered.ok
        ? await publisher.take(gathered.value, {
            received: gathered.value.received,
            instruments: book.part(source, part),
          })
        : gathered.failure;
      if (failure) publisher.status.fail(failure, clock.now());
      failures.push(failure);
    }
    return failures[0] ?? null;
  }

  #requests(): readonly UpstreamRequest[] {
    const { source, part, poll, book, newest, every, clock, dated } = this.#options;
    const now = clock.now();
    if (!poll.rotates) return poll.requests({ markets: [], now });
    const listed = book.part(source, part);
    const ranked = dated
      ? datedMarkets(listed, now)
      : rankedMarkets(listed, newest.part('prices', source, part));
    const { markets, cursor } = nextMarkets(ranked, this.#cursor, {
      every: every + this.#took,
      most: poll.most,
    });
    this.#cursor = cursor;
    return poll.requests({ markets, now });
  }

  async #gather(signal: AbortSignal): Promise<Result<Gathered>> {
    const { client, maxBody, clock } = this.#options;
    const deadline = timeOf(this.#options.poll, this.#options.every);
    const requests = this.#requests();
    if (requests.length === 0) return failed('shape', 'there is no market to ask');
    const asked = await askAll(requests, (request) => {
      const cap = request.market === undefined ? maxBody : bodyCaps.market;
      return client.send(request, { deadline, signal, maxBody: cap });
    });
    return gather(asked, { now: clock.now(), lastGoodBodies: this.#lastGoodBodies });
  }
}

const followedOf = (instruments: InstrumentMap): Instrument[] =>
  [...instruments.values()].filter(
    (row) => isFollowedKind(row.kind) && dollarQuotes.has(row.quote),
  );

/** The dated futures of a part that have not expired, soonest first. */
export const datedMarkets = (instruments: InstrumentMap, now: number): string[] =>
  [...instruments.values()]
    .filter(({ quote, expiry = 0 }) => expiry > now && dollarQuotes.has(quote))
    .sort((a, b) => (a.expiry ?? 0) - (b.expiry ?? 0))
    .map(({ market }) => market);

/** Markets of a part, those with the largest turnover first. */
function byTurnover(rows: readonly Instrument[], prices: Reading<PriceRow> | undefined): string[] {
  const known = prices && pricesByMarket(prices);
  const volumeOf = (market: string) => known?.get(market)?.volume ?? 0;
  return rows.map((row) => row.market).sort((a, b) => volumeOf(b) - volumeOf(a));
}

/**
 * Followed markets of a part, the most traded first: its perpetuals, or its spot markets where it has no other
 * (only perpetuals have funding and open interest; a part of both has its prices in bulk).
 */
export function rankedMarkets(
  instruments: InstrumentMap,
  prices: Reading<PriceRow> | undefined,
): string[] {
  const followed = followedOf(instruments);
  const perpetuals = followed.filter((row) => row.kind === 'perpetual');
  return byTurnover(perpetuals.length > 0 ? perpetuals : followed, prices);
}

/**
 * The `max` followed markets with the largest turnovers, and of those that were chosen `before` the ones that are not far behind
 * (`steadyTop`); none before a reading of the part's prices.
 */
export function topMarkets(
  instruments: InstrumentMap,
  prices: Reading<PriceRow> | undefined,
  { max, before }: { max: number; before: InstrumentMap },
): InstrumentMap {
  if (prices === undefined) return new Map();
  const ranked = byTurnover(followedOf(instruments), prices);
  const markets = new Set(steadyTop(ranked, max, new Set(before.keys())));
  return new Map([...instruments].filter(([market]) => markets.has(market)));
}
