/** What the newest readings of all exchanges say of markets: series are sampled, and books and trades chosen, by it. */
import { isCoin } from '../../config/assets/symbols.ts';
import { dollarQuotes } from '../../config/quotes.ts';
import type { ReadingOf } from '../../indicators/market/fold.ts';
import { dollarRates, statedRates } from '../../indicators/market/prices.ts';
import {
  type ChainState,
  type DefiReading,
  type Instrument,
  isOf,
  type Margin,
  type PriceRow,
  type Reading,
  topics,
  trackedAmong,
  tracking,
} from '../topics/index.ts';
import type { FeedRecord } from './feed-record.ts';
import { type NewestRows, oncePerReading } from './newest-rows.ts';

/** Queries about what exchanges keep: series are back-filled with it, or recorded where there is none. */
export type Backfilled =
  | 'openInterestHistory'
  | 'fundingHistory'
  | 'takerCandles'
  | 'candles'
  | 'longShort'
  | 'basisHistory';

/** A market of an asset, with its turnover in its quote. */
export interface TrackedMarket {
  market: string;
  quote: string;
  turnover: number;
}

/** The newest states of chains and of lending pools. */
export class OnChainState {
  readonly chains = new Map<string, ChainState>();
  lending: DefiReading<'lending'> | null = null;

  acceptDefi(reading: DefiReading): void {
    if (isOf(reading, 'lending')) this.lending = reading;
  }
}

const perpetualsOf = oncePerReading(
  (rows: readonly Instrument[]) =>
    new Map(rows.filter((row) => row.kind === 'perpetual').map((row) => [row.market, row])),
);

/** Rates, turnovers and settlements by the newest readings of all exchanges, and which assets are tracked. */
export class MarketState {
  readonly #newest: NewestRows;
  /** Exchanges that answer a query. */
  readonly supportedExchanges: (query: Backfilled) => readonly string[];
  #tracked: { bases: readonly string[]; until: number } = { bases: tracking.always, until: 0 };

  /** What the feeds state of themselves. */
  readonly feeds: Pick<FeedRecord, 'minute'>;
  readonly onChain = new OnChainState();

  constructor(
    newest: NewestRows,
    supportedExchanges: MarketState['supportedExchanges'] = () => [],
    feeds: Pick<FeedRecord, 'minute'> = { minute: () => [] },
  ) {
    this.#newest = newest;
    this.supportedExchanges = supportedExchanges;
    this.feeds = feeds;
  }

  /** The newest readings of a topic by exchange. */
  readonly bySource: NewestRows['bySource'] = (topic) => this.#newest.bySource(topic);

  /** Calls `take` with all rows of a topic as they come. */
  readonly listen: NewestRows['listen'] = (topic, take) => this.#newest.listen(topic, take);

  /** US dollars a unit of each dollar quote. `now` is Unix ms. */
  rates(now: number): ReadonlyMap<string, number> {
    const since = now - topics.prices.maxAge;
    const options = { quotes: dollarQuotes, since };
    const stated = this.#newest.all('prices').map((one) => statedRates(one, options));
    return dollarRates(stated, dollarQuotes);
  }

  /** The settlement of a perpetual; `stable` unless its list states another. */
  marginOf(source: string, market: string): Margin {
    const listed = this.#newest
      .of('instruments', source)
      .map((list) => perpetualsOf(list).get(market));
    return listed.findLast((row) => row !== undefined)?.inverse ? 'coin' : 'stable';
  }

  /** How many canonical units the native base unit of a market is: 1 unless its list states another. */
  scaleOf(source: string, market: string): number {
    const lists = this.#newest.of('instruments', source);
    const listed = lists.flatMap(({ rows }) => rows.find((row) => row.market === market) ?? []);
    return listed[0]?.scale ?? 1;
  }

  /** The dollar markets of an asset at an exchange, the most traded first. */
  markets(
    source: string,
    kind: 'spot' | 'perpetual',
    symbol: string,
    margin: Margin = 'stable',
  ): TrackedMarket[] {
    const fits = (row: PriceRow) =>
      row.symbol === symbol &&
      row.kind === kind &&
      dollarQuotes.has(row.quote) &&
      (kind === 'spot' || this.marginOf(source, row.market) === margin);
    return this.#newest
      .of('prices', source)
      .flatMap(({ rows }) => rows.filter(fits))
      .map(({ market, quote, volume }) => ({ market, quote, turnover: volume ?? 0 }))
      .sort((a, b) => b.turnover - a.turnover);
  }

  /** Turnover in its quote of each perpetual of an exchange. */
  turnovers(source: string): ReadonlyMap<string, number> {
    const found = new Map<string, number>();
    for (const reading of this.#newest.of('prices', source)) {
      for (const { market, kind, volume } of reading.rows) {
        if (kind === 'perpetual') found.set(market, volume ?? 0);
      }
    }
    return found;
  }

  /** The coins with the largest turnover of perpetuals, chosen again each hour, and those that are always tracked. */
  tracked(now: number): readonly string[] {
    if (now < this.#tracked.until) return this.#tracked.bases;
    const turnovers = this.#turnovers(now);
    const bases = trackedAmong([...turnovers]);
    // While there are no prices yet, the next call chooses again.
    const isFull = turnovers.size >= tracking.count;
    this.#tracked = { bases, until: isFull ? now + tracking.every : now };
    return bases;
  }

  #turnovers(now: number): Map<string, number> {
    const rates = this.rates(now);
    const turnovers = new Map<string, number>();
    for (const { rows } of this.#newest.all('prices')) {
      for (const { kind, symbol, quote, volume } of rows) {
        const rate = rates.get(quote);
        if (kind !== 'perpetual' || rate === undefined || volume === null) continue;
        if (!isCoin(symbol)) continue;
        turnovers.set(symbol, (turnovers.get(symbol) ?? 0) + volume * rate);
      }
    }
    return turnovers;
  }
}

/** The readings with only the rows that fit. */
export const having = <Row>(
  readings: readonly Reading<Row>[],
  fits: (row: Row) => boolean,
): ReadingOf<Row>[] => readings.map((one) => ({ ...one, rows: one.rows.filter(fits) }));
