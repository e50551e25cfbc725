/** What the simulated world holds against the rows that we read from it. */
import { isRecord } from '../../../actors/read.ts';
import {
  type Interval,
  intervals,
  type Level,
  type PublicTrade,
} from '../../../actors/topics/index.ts';
import { dollarQuotes } from '../../../config/quotes.ts';
import { type Bar, endOf, openOf } from '../../../indicators/market/candles.ts';
import { isFollowedKind } from '../../../indicators/market/market-names.ts';
import { bookOf } from '../../../scripts/simulator/book.ts';
import type { Market } from '../../../scripts/simulator/market.ts';
import type { Model } from '../../../scripts/simulator/model.ts';
import type { FeedTopic } from './fixtures.ts';
import type { Charge, Terms } from './terms.ts';

/** A row of any topic. */
export type Row = Readonly<Record<string, unknown>>;
export const rowsIn = (rows: readonly unknown[]): Row[] => rows.filter(isRecord);

const hour = 3_600_000;
const day = 24 * hour;

/** The number at a key; null where there is none. */
function numberAt(row: Row, key: string): number | null {
  const value = row[key];
  if (value === null || typeof value === 'number') return value;
  throw new TypeError(`${key} is neither a number nor null`);
}

/** Equal to `error`, relative; null is never wrong here, `missing` says where it is. */
function wrong(what: string, ours: number | null, truth: number, error: number): string[] {
  if (ours === null || Math.abs(ours - truth) <= error * Math.abs(truth)) return [];
  return [`${what} is ${ours}, not ${truth}`];
}

const differs = (row: Row, key: string, truth: unknown): string[] =>
  row[key] === truth ? [] : [`${key} is ${row[key]}, not ${truth}`];

/** The columns that may be null: in every row of a part, or in none. */
const columns: Readonly<Record<FeedTopic, readonly string[]>> = {
  instruments: [],
  prices: ['volume', 'change', 'stated', 'bid', 'ask', 'high', 'low', 'base'],
  derivatives: [
    'mark',
    'index',
    'funding_rate',
    'funding_hours',
    'funding_rate_8h',
    'next_funding',
    'stated',
  ],
  openInterest: ['units', 'value', 'mark', 'stated'],
};

/** Columns that a row lacks; the part has them, or it lacks them in other rows only. */
export function missing(topic: FeedTopic, rows: readonly Row[], terms: Terms): string[] {
  const { lacks, linearOnly } = terms;
  return columns[topic].flatMap((key) => {
    const lacking = rows.filter((row) => row[key] === null).length;
    const inPart = lacking > 0 && lacking < rows.length;
    if (linearOnly.includes(`${topic}.${key}`))
      return inPart ? [] : [`${key}: in all rows or none`];
    const expected = lacks.includes(`${topic}.${key}`) ? rows.length : 0;
    return lacking === expected ? [] : [`${key}: null in ${lacking} of ${rows.length} rows`];
  });
}

/** What is wrong with a row about a market, in words. */
type Check = (row: Row, market: Market, terms: Terms) => string[];

/** The markets of one simulated venue, at the one moment of the test. */
export class Truth {
  readonly #model: Model;
  readonly #now: number;
  readonly #markets: readonly Market[];

  constructor(model: Model, venue: string) {
    this.#model = model;
    this.#now = model.now();
    this.#markets = model.markets(venue, this.#now);
  }

  /** What a client follows: it trades, now or for ever, against dollars. */
  get followed(): Market[] {
    return this.live.filter((market) => dollarQuotes.has(market.quote));
  }

  /** Spot and perpetual markets that trade, whatever their quote. */
  get live(): Market[] {
    return this.#markets.filter(({ state, kind }) => state === 'live' && isFollowedKind(kind));
  }

  /** What is listed but does not trade. */
  get suspended(): Market[] {
    return this.#markets.filter(({ state }) => state !== 'live');
  }

  /** The market that a row is about. Only a list of instruments may name what does not trade. */
  marketOf(topic: FeedTopic, { market, kind = 'perpetual' }: Row): Market | undefined {
    const from = topic === 'instruments' ? this.#markets : this.followed;
    return from.find((one) => one.id === market && one.kind === kind);
  }

  /** What is wrong with a row, in words. */
  faults(topic: FeedTopic, row: Row, terms: Terms): string[] {
    if (topic === 'instruments' && !this.#isClaim(row)) return [];
    const market = this.marketOf(topic, row);
    if (!market) return [`${row.market} is no ${row.kind ?? 'perpetual'} that trades`];
    const found = [
      ...differs(row, 'symbol', market.symbol),
      ...differs(row, 'quote', market.quote),
      ...this.#checks[topic](row, market, terms),
    ];
    return found.map((fault) => `${row.market}: ${fault}`);
  }

  /** Instruments that are not followed may be anything, and so may second names of others: they have no prices. */
  #isClaim({ market, kind }: Row): boolean {
    return kind !== 'other' && this.#markets.some(({ id }) => id === market);
  }

  readonly #checks: Readonly<Record<FeedTopic, Check>> = {
    instruments: (row, { scale, contract, inverse }) => [
      ...differs(row, 'scale', scale),
      ...differs(row, 'contract', contract),
      ...differs(row, 'inverse', inverse),
    ],
    prices: (row, market, terms) => this.#price(row, market, terms),
    derivatives: (row, market, terms) => this.#derivative(row, market, terms),
    openInterest: (row, market, terms) => {
      const { units, value, mark } = terms.errors;
      const base = market.openInterest(this.#now);
      const price = market.exact(this.#now);
      return [
        ...wrong('units', numberAt(row, 'units'), base * market.scale, units),
        ...wrong('value', numberAt(row, 'value'), base * price, value),
        ...wrong('mark', numberAt(row, 'mark'), price / market.scale, mark),
        ...this.#stated(row, terms),
      ];
    },
  };

  #price(row: Row, market: Market, terms: Terms): string[] {
    const truth = this.#model.truth(market.venue, market.id, market.kind);
    if (!truth) return ['it is not listed'];
    const { open, close } = this.#model.last24h(market, this.#now);
    const { price, change } = terms.errors;
    const percent = numberAt(row, 'change');
    const whole = this.#now - market.listed >= day;
    return [
      ...wrong('price', numberAt(row, 'price'), truth.price, price),
      ...this.#volume(row, market, terms),
      ...this.#day(row, market, terms),
      ...(whole && percent !== null
        ? wrong('change', 100 + percent, (100 * close) / open, change)
        : []),
      ...this.#stated(row, terms),
    ];
  }

  /** Best bid and ask, and range and volume of 24 h, in canonical units. */
  #day(row: Row, market: Market, terms: Terms): string[] {
    const { high, low, base } = this.#model.last24h(market, this.#now);
    const { bids, asks } = bookOf(market, this.#now, 1);
    const { price, volume } = terms.errors;
    const truths = { bid: bids[0]?.price, ask: asks[0]?.price, high, low };
    return [
      ...Object.entries(truths).flatMap(([key, native = 0]) =>
        wrong(key, numberAt(row, key), native / market.scale, price),
      ),
      ...wrong('24 h base volume', numberAt(row, 'base'), base * market.scale, volume),
    ];
  }

  #volume(row: Row, market: Market, terms: Terms): string[] {
    const { base, turnover, close } = this.#model.last24h(market, this.#now);
    const dollars = this.#model.truth(market.venue, market.id, market.kind)?.volumeUsd ?? 0;
    const volumes = { quote: turnover, worth: base * close, dollars };
    return wrong(
      '24 h volume',
      numberAt(row, 'volume'),
      volumes[terms.volume],
      terms.errors.volume,
    );
  }

  #derivative(row: Row, market: Market, terms: Terms): string[] {
    const [mark, index] = [numberAt(row, 'mark'), numberAt(row, 'index')];
    const [own, all] = [market.exact(this.#now), market.index(this.#now)];
    const error = terms.errors.mark;
    return [
      ...wrong('mark', mark, own / market.scale, error),
      ...wrong('index', index, (terms.oracle ? own : all) / market.scale, error),
      ...this.#charge(row, market, terms.charge),
      ...this.#stated(row, terms),
    ];
  }

  /** Ends of intervals around now. */
  #ends(market: Market): Readonly<Record<Charge['of'], number>> {
    const next = (hours: number) => Math.floor(this.#now / (hours * hour) + 1) * hours * hour;
    const [running, own] = [next(1), next(market.fundingHours)];
    const eight = next(8);
    return {
      own,
      hour: running,
      eight,
      'last hour': running - hour,
      'last eight': eight - 8 * hour,
    };
  }

  #charge(row: Row, market: Market, { of, hours, next }: Charge): string[] {
    const ends = this.#ends(market);
    const length = hours === 'own' ? market.fundingHours : hours;
    const rate = (market.fundingRate(ends[of]) * length) / market.fundingHours;
    return [
      ...wrong('rate', numberAt(row, 'funding_rate'), rate, 1e-6),
      ...wrong('rate of 8 h', numberAt(row, 'funding_rate_8h'), (rate * 8) / length, 1e-6),
      ...wrong('hours', numberAt(row, 'funding_hours'), length, 0),
      ...wrong('next funding', numberAt(row, 'next_funding'), ends[next], 0),
    ];
  }

  #stated(row: Row, { late }: Terms): string[] {
    return wrong('stated', numberAt(row, 'stated'), this.#now + late, 0);
  }

  /** What is wrong with a sorted order book of at most `depth` levels a side. */
  bookFaults(ours: { bids: Level[]; asks: Level[] }, market: Market, depth: number): string[] {
    const book = bookOf(market, this.#now, depth);
    return (['bids', 'asks'] as const).flatMap((side) => {
      const truth = book[side].map(({ price, quantity }) => ({
        price: price / market.scale,
        quantity: market.inverse
          ? ((quantity * market.contract) / price) * market.scale
          : quantity * market.contract * market.scale,
      }));
      const count = ours[side].length === truth.length ? [] : [`${ours[side].length} ${side}`];
      const levels = ours[side].flatMap(({ price, quantity }, i) => [
        ...wrong(`${side} ${i}`, price, truth[i]?.price ?? Number.NaN, 1e-9),
        ...wrong(`quantity of ${side} ${i}`, quantity, truth[i]?.quantity ?? Number.NaN, 1e-6),
      ]);
      return [...count, ...levels].map((fault) => `${market.id}: ${fault}`);
    });
  }

  /** What is wrong with `bars`, ascending, the newest of those that open before `before`. */
  barFaults(
    bars: readonly Bar[],
    market: Market,
    { interval, limit, before }: { interval: Interval; limit: number; before?: number },
  ): string[] {
    const newest = openOf(before === undefined ? this.#now : before - 1, interval);
    const last = bars.at(-1)?.timestamp ?? Number.NaN;
    // A venue may leave out the candle that still runs.
    const early = before === undefined && endOf(last, interval) === newest;
    const gap = bars.findIndex(({ timestamp }, i) => {
      const following = bars[i + 1]?.timestamp ?? endOf(timestamp, interval);
      return following !== endOf(timestamp, interval);
    });
    const found = [
      ...(last === newest || early ? [] : [`the newest opens at ${last}, not at ${newest}`]),
      ...(bars.length >= limit - 1 ? [] : [`${bars.length} of ${limit}`]),
      ...(gap < 0 ? [] : [`a gap behind ${bars[gap]?.timestamp}`]),
      ...bars.flatMap((bar) => this.#bar(bar, market, interval)),
    ];
    return found.map((fault) => `${market.id} ${interval}: ${fault}`);
  }

  #bar(bar: Bar, market: Market, interval: Interval): string[] {
    const end = endOf(bar.timestamp, interval);
    const truth = market.candle(bar.timestamp, end, this.#now);
    const prices = (['open', 'high', 'low', 'close'] as const).flatMap((key) =>
      wrong(key, bar[key], truth[key] / market.scale, 1e-9),
    );
    const isPrice = (mean: number) => mean > bar.low * 0.999 && mean < bar.high * 1.001;
    const mean = bar.turnover === null ? bar.close : bar.turnover / bar.volume;
    // Contracts worth dollars become coins at some price of the candle where the venue does not state coins.
    const converted = market.inverse && isPrice(truth.turnover / bar.volume);
    return [
      ...prices,
      // Venues round small amounts to 8 decimals.
      ...(converted ? [] : wrong('volume', bar.volume, truth.base * market.scale, 1e-5)),
      ...(market.inverse ? [] : wrong('turnover', bar.turnover, truth.turnover, 1e-5)),
      ...(bar.volume === 0 || isPrice(mean) ? [] : [`traded at ${mean} on average`]),
    ].map((fault) => `${bar.timestamp} ${fault}`);
  }
}

/** Our names of intervals, as keys of a venue's. */
export const isInterval = (name: string): name is Interval => Object.hasOwn(intervals, name);

/** The first market of each sort: kind, linear or inverse, scaled or not, in contracts or not. */
export function samples(markets: readonly Market[]): Market[] {
  const sorts = new Map<string, Market>();
  for (const market of markets) {
    const { kind, inverse, scale, contract } = market;
    const sort = `${kind} ${inverse} ${scale > 1} ${contract !== 1}`;
    if (!sorts.has(sort)) sorts.set(sort, market);
  }
  return [...sorts.values()];
}

const second = 1_000;

/**
 * What is wrong with the newest trades of a market: takers buy at the highest price of a second and sell at the lowest, and
 * those of a second are what was traded in it.
 */
export function tradeFaults(trades: readonly PublicTrade[], market: Market, now: number): string[] {
  const { scale, contract, inverse, lot } = market;
  const faults = trades.flatMap(({ timestamp, price, quantity, bought }) => {
    const start = Math.floor(timestamp / second) * second;
    const { high, low, quantity: all, bought: ofThem } = market.stretch(start, start + second);
    const native = bought ? high : low;
    const size = Math.max(10 ** -Math.max(0, lot), bought ? ofThem : all - ofThem) * contract;
    return [
      ...wrong('a price', price, native / scale, 1e-9),
      ...wrong('a quantity', quantity, inverse ? size / (native / scale) : size * scale, 1e-6),
    ];
  });
  const times = trades.map(({ timestamp }) => timestamp);
  const descends = times.every((time, i) => i === 0 || time <= (times[i - 1] ?? 0));
  const isNew = (times[0] ?? 0) <= now && now - (times[0] ?? 0) < 2 * second;
  return [...faults, ...(descends && isNew ? [] : [`times ${times} at ${now}`])];
}
