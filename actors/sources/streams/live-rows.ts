/**
 * Rows by stream, beside the polls of the same part. The polls continue: they bring the fields that no stream has, and the
 * stream is compared with them. Every poll is published whole; between two polls only the rows that the stream has changed are.
 */

import { rateOf8Hours } from '../../../indicators/derivatives/funding.ts';
import { isNear } from '../../../indicators/market/checks.ts';
import { optional } from '../../read.ts';
import {
  type DerivativeRow,
  type MarketRows,
  type OpenInterestRow,
  type PriceRow,
  type Reading,
  topics,
} from '../../topics/index.ts';
import type { AnyRow, LiveTopic, Parsed } from '../define.ts';
import { withChecked } from '../quality/rows.ts';

/** Age at which streamed values no longer stand in for those that a poll lacks, ms. */
const streamedAge = 300_000;

/** Share by which a poll and the stream may differ; beyond it the poll is used, and the market is counted. */
const tolerance = 0.01;

interface Dated<Row> {
  row: Row;
  /** Unix ms. */
  received: number;
  /** When the newest of its quotes was received, Unix ms. */
  quoted: number;
  /** What the last message of the stream said by itself. */
  streamed?: Row;
}

/** True for a streamed row whose stated time is older than that of the present one. */
const isLate = (streamed: LiveRow, known: LiveRow): boolean =>
  streamed.stated !== null && known.stated !== null && streamed.stated < known.stated;

/** The newest row of each market of a part, whether it was polled or streamed. */
export class LiveRows<Row extends LiveRow> {
  readonly #form: LiveForm<Row>;
  /** Ms. */
  readonly #quoteAge: number;
  #rows = new Map<string, Dated<Row>>();
  /** Markets on which the last poll and the stream differed, and on which all polls did. */
  #differing = 0;
  differed = 0;

  /** `every` is the interval of the polls, ms: quotes that are older than the price by more than 1.5 of it are left out. */
  constructor(form: LiveForm<Row>, every: number) {
    this.#form = form;
    this.#quoteAge = every * lateness;
  }

  get differing(): number {
    return this.#differing;
  }

  /**
   * Takes a poll. What the stream said after a row was asked replaces it, unless the exchange states an earlier time for it: a
   * stream that is behind brings old prices without end. A row that a poll of some markets retains was asked when it was received.
   */
  polled(reading: Reading<Row>): Reading<Row> {
    this.#differing = 0;
    const { asked, received } = reading;
    const found = reading.rows.map((polled) => this.#newest(polled, polled.received ?? asked));
    const { rows } = withChecked({ rows: found.map(({ row }) => row), dropped: [] }, received);
    this.#rows = new Map(
      rows.map((row, at) => {
        const { received: own = received } = row;
        return [row.market, { row, received: own, quoted: own, streamed: found[at]?.streamed }];
      }),
    );
    return { ...reading, rows };
  }

  #newest(polled: Row, asked: number): Pick<Dated<Row>, 'row' | 'streamed'> {
    const known = this.#rows.get(polled.market);
    const { streamed } = known ?? {};
    if (!known || !streamed) return { row: polled };
    if (known.received <= asked) return this.#filled(polled, asked, { ...known, streamed });
    if (polled.received === undefined && this.#differs(known.row, polled)) {
      this.#differing++;
      this.differed++;
      return { row: polled };
    }
    if (isLate(streamed, polled)) return { row: polled };
    return { row: { ...this.#form.merge(polled, streamed), received: known.received }, streamed };
  }

  /** A row that was polled after the last message about its market. */
  #filled(
    polled: Row,
    asked: number,
    known: Required<Dated<Row>>,
  ): Pick<Dated<Row>, 'row' | 'streamed'> {
    const { row: before, received, streamed } = known;
    const row = asked - received > streamedAge ? null : this.#form.filled?.(polled, before);
    return row ? { row: { ...row, received }, streamed } : { row: polled };
  }

  #differs(known: Row, polled: Row): boolean {
    const [streamed, value] = [this.#form.value(known), this.#form.value(polled)];
    return streamed !== null && value !== null && Math.abs(streamed - value) > tolerance * value;
  }

  /**
   * Streamed rows as they can be published. A row that moves by more than 30 %, or contradicts itself, is `suspect` and waits
   * for a poll: two messages in quick succession confirm nothing. A market that no poll has brought waits for the next poll.
   */
  merged(rows: readonly Row[], received: number): Parsed<Row> {
    const merged: Parsed<Row> = { rows: [], dropped: [] };
    for (const row of rows) {
      const known = this.#rows.get(row.market);
      if (known === undefined || received - known.received > this.#form.maxAge) continue;
      if (isLate(row, known.row)) continue;
      if (this.#isDoubtful(row, known.row))
        merged.dropped.push({ key: row.market, code: 'suspect' });
      else {
        known.streamed = row;
        merged.rows.push(this.#withoutOldQuotes(known, row, received));
      }
    }
    return merged;
  }

  /** The known row with the streamed one, and without quotes that are much older than its price. */
  #withoutOldQuotes(known: Dated<Row>, streamed: Row, received: number): Row {
    const { merge, quotes } = this.#form;
    const row = merge(known.row, streamed);
    if (quotes === undefined) return row;
    if (quotes.has(streamed)) known.quoted = received;
    if (received - known.quoted > this.#quoteAge) return quotes.without(row);
    const isOlder = known.quoted < received && quotes.has(row);
    return quotes.dated(row, isOlder ? known.quoted : undefined);
  }

  #isDoubtful(streamed: Row, known: Row): boolean {
    if (streamed.doubt !== undefined) return true;
    const [value, before] = [this.#form.value(streamed), this.#form.value(known)];
    return value !== null && before !== null && !isNear(value, before);
  }

  /** Takes checked rows of the stream. */
  streamed(rows: readonly Row[], received: number): void {
    for (const row of rows) {
      const { streamed = row, quoted = received } = this.#rows.get(row.market) ?? {};
      this.#rows.set(row.market, { row, received, quoted, streamed });
    }
  }
}

/** The topics whose rows are streamed beside the polls of the same parts, with the topic of the rows that a stream has changed. */
export const changesOf = {
  prices: 'priceChanges',
  derivatives: 'derivativeChanges',
  openInterest: 'openInterestChanges',
} as const satisfies Readonly<Record<LiveTopic, string>>;

/** A row that may be streamed. */
export interface LiveRow extends AnyRow {
  stated: number | null;
  doubt?: 'value' | 'unit';
}

/** How the rows of a topic are compared and merged. */
export interface LiveForm<Row extends LiveRow> {
  /** Age at which a row is no longer changed by the stream, ms. */
  maxAge: number;
  /** The number in which the poll and the stream are compared; null where the row has none. */
  value(row: Row): number | null;
  /**
   * A polled row with the streamed values of the same market; fields that the stream lacks stay as polled, but for those
   * that the streamed values contradict: they are null.
   */
  merge(polled: Row, streamed: Row): Row;
  /**
   * A polled row with the values of an earlier one that no poll has but the stream alone; null where the poll has them. The row
   * is as old as these values.
   */
  filled?(polled: Row, before: Row): Row | null;
  /** Fields that are of use for a short time only, where the rows have such: see `LiveRows`. */
  quotes?: {
    has(row: Row): boolean;
    without(row: Row): Row;
    /** With the time at which they were received; undefined where that is the row's own. */
    dated(row: Row, at: number | undefined): Row;
  };
}

/** Share of the interval of a poll by which it may be late: polled quotes are left out once the next poll is later than that. */
export const lateness = 1.5;

/** A polled bound that the streamed price does not contradict; null for one that it does. */
const below = (bound: number | null, price: number) =>
  bound !== null && bound > price ? null : bound;
const above = (bound: number | null, price: number) =>
  bound !== null && bound < price ? null : bound;

/** Bid and ask of one message: those of the streamed one, else the polled ones that the streamed price does not contradict. */
function quotesOf(polled: PriceRow, { price, bid, ask }: PriceRow): Pick<PriceRow, 'bid' | 'ask'> {
  if (bid !== null || ask !== null) return { bid, ask };
  const [known, other] = [below(polled.bid, price), above(polled.ask, price)];
  const isWhole = known === polled.bid && other === polled.ask;
  return isWhole ? { bid: known, ask: other } : { bid: null, ask: null };
}

export const withStreamedPrice = (polled: PriceRow, streamed: PriceRow): PriceRow => ({
  ...polled,
  price: streamed.price,
  stated: streamed.stated,
  ...quotesOf(polled, streamed),
  high: streamed.high ?? above(polled.high, streamed.price),
  low: streamed.low ?? below(polled.low, streamed.price),
  base: streamed.base ?? polled.base,
  volume: streamed.volume ?? polled.volume,
  change: streamed.change ?? polled.change,
  received: undefined,
});

/** A rate that comes without its hours is one per those that were polled. */
function withStreamedDerivative(polled: DerivativeRow, streamed: DerivativeRow): DerivativeRow {
  const rate = streamed.funding_rate ?? polled.funding_rate;
  const hours = streamed.funding_hours ?? polled.funding_hours;
  const { predicted_rate = polled.predicted_rate, premium = polled.premium } = streamed;
  const row: DerivativeRow = {
    ...polled,
    mark: streamed.mark ?? polled.mark,
    index: streamed.index ?? polled.index,
    funding_rate: rate,
    funding_hours: hours,
    funding_rate_8h: rate === null || hours === null ? null : optional(rateOf8Hours(rate, hours)),
    next_funding: streamed.next_funding ?? polled.next_funding,
    stated: streamed.stated,
    received: undefined,
  };
  if (predicted_rate !== undefined) row.predicted_rate = predicted_rate;
  if (premium !== undefined) row.premium = premium;
  return row;
}

const withStreamedInterest = (
  polled: OpenInterestRow,
  streamed: OpenInterestRow,
): OpenInterestRow => ({
  ...polled,
  units: streamed.units ?? polled.units,
  value: streamed.value,
  mark: streamed.mark ?? polled.mark,
  stated: streamed.stated,
  received: undefined,
});

export const liveForms: { readonly [T in LiveTopic]: LiveForm<MarketRows[T]> } = {
  prices: {
    maxAge: topics.prices.maxAge,
    value: ({ price }) => price,
    merge: withStreamedPrice,
    quotes: {
      has: ({ bid, ask }) => bid !== null || ask !== null,
      without: ({ quoted: _, ...row }) => ({ ...row, bid: null, ask: null }),
      dated(row, at) {
        if (row.quoted === at) return row;
        const { quoted: _, ...others } = row;
        return at === undefined ? others : { ...others, quoted: at };
      },
    },
  },
  derivatives: {
    maxAge: topics.derivatives.maxAge,
    value: ({ mark, index }) => mark ?? index,
    merge: withStreamedDerivative,
    filled: (polled, { mark, index, stated }) =>
      polled.mark === null && polled.index === null ? { ...polled, mark, index, stated } : null,
  },
  openInterest: {
    maxAge: topics.openInterest.maxAge,
    value: ({ value }) => value,
    merge: withStreamedInterest,
  },
};

/**
 * Two streamed rows of one market as one: fields that the later one lacks are those of the earlier one. Rows in doubt are
 * not joined, because a poll decides about them.
 */
export const joined =
  <Row extends LiveRow>({ merge }: LiveForm<Row>) =>
  (before: Row, row: Row): Row =>
    before.doubt === undefined && row.doubt === undefined ? merge(before, row) : row;
