/** The newest rows of all topics and parts of one exchange, and for each topic how its rows are merged and guarded. */
import { minute } from '../../config/time.ts';
import { rateOf8Hours } from '../../indicators/derivatives/funding.ts';
import type { Clock } from '../kernel/clock.ts';
import { optional } from '../read.ts';
import { type NewestRows, otherPrices, ownPrice } from '../state/newest-rows.ts';
import {
  type DerivativeRow,
  type MarketRows,
  type MarketTopic,
  type PriceRow,
  topics,
} from '../topics/index.ts';
import type { Evidence, Group, MergeForm, Time } from './merge.ts';
import { lateness, MergedRows } from './merged-rows.ts';
import { guards } from './quality/guards.ts';

/** Age at which mark and index prices are not shown beside newer rates any more, ms. */
const shownMarks = 5 * minute;
/** The same of the rates, ms. */
const shownRates = topics.derivatives.maxAge;
/** Age at which marks are no evidence about a price, ms. */
const evidentMarks = 2 * minute;

/** Quotes are shown with their own time, and not where the price contradicts them: then neither of the two. */
function settleQuotes(row: PriceRow, price: Time | undefined, quotes: Time | undefined): void {
  if (price === undefined || quotes === undefined || quotes === price) return;
  if ((row.bid ?? 0) > row.price || (row.ask ?? Infinity) < row.price)
    Object.assign(row, { bid: null, ask: null });
  const isShown = row.bid !== null || row.ask !== null;
  if (isShown && quotes.received < price.received) row.quoted = quotes.received;
}

/** Nor is a high or low of another message shown that the price contradicts. */
function settlePrice(row: PriceRow, [price, quotes, high, low]: readonly (Time | undefined)[]) {
  settleQuotes(row, price, quotes);
  if (high !== price && row.high !== null && row.high < row.price) row.high = null;
  if (low !== price && row.low !== null && row.low > row.price) row.low = null;
}

/** A rate that comes without its hours is one per those known before. */
function settleRate(row: DerivativeRow): void {
  const { funding_rate: rate, funding_hours: hours } = row;
  row.funding_rate_8h =
    rate === null || hours === null ? null : optional(rateOf8Hours(rate, hours));
}

const columns = <Row>(maxAge: number, ...names: (keyof Row)[]): Group<Row>[] =>
  names.map((name) => ({ names: [name], maxAge }));

type Forms = { readonly [T in MarketTopic]: MergeForm<MarketRows[T]> };

/** What of each topic comes together, and how long it is shown beside newer values, where polls come every `every` ms. */
const formsOf = (every: number): Forms => ({
  instruments: { groups: [] },
  prices: {
    groups: [
      ...columns<PriceRow>(topics.prices.maxAge, 'price'),
      { names: ['bid', 'ask'], maxAge: every * lateness, received: 'quoted' },
      ...columns<PriceRow>(topics.prices.maxAge, 'high', 'low', 'base', 'volume', 'change'),
    ],
    settle: settlePrice,
  },
  derivatives: {
    groups: [
      ...columns<DerivativeRow>(shownMarks, 'mark', 'index'),
      ...columns<DerivativeRow>(shownRates, 'funding_rate', 'funding_hours', 'next_funding'),
      ...columns<DerivativeRow>(shownRates, 'predicted_rate', 'premium'),
    ],
    settle: settleRate,
  },
  openInterest: { groups: columns(topics.openInterest.maxAge, 'value', 'units', 'mark') },
  futures: { groups: [] },
  options: { groups: [] },
});

type Parts = { readonly [T in MarketTopic]: Map<string, MergedRows<MarketRows[T]>> };

/** The rows of one exchange. They outlive a crash of its polls and streams. */
export class VenueRows {
  readonly #parts: Parts = {
    instruments: new Map(),
    prices: new Map(),
    derivatives: new Map(),
    openInterest: new Map(),
    futures: new Map(),
    options: new Map(),
  };
  readonly evidence: Evidence = {
    elsewhere: (symbol) => otherPrices(this.#newest, symbol, this.#asker),
    marks: (market) => this.#marks(market),
    price: (market) => this.#price(market),
  };
  readonly #source: string;
  readonly #clock: Clock;
  readonly #newest: NewestRows;
  /** The longest age of a part's rows, ms, where its polls need a longer one than the topic has. */
  readonly plannedAge: (topic: MarketTopic, part: string) => number | undefined;

  /** `newest` has the prices of the other exchanges. */
  constructor(
    source: string,
    { clock, newest }: { clock: Clock; newest: NewestRows },
    plannedAge: VenueRows['plannedAge'] = () => undefined,
  ) {
    this.#source = source;
    this.#clock = clock;
    this.#newest = newest;
    this.plannedAge = plannedAge;
  }

  /** Those of a part, whose polls come every `every` ms. */
  of<T extends MarketTopic>(topic: T, part: string, every: number): MergedRows<MarketRows[T]> {
    const parts: Map<string, MergedRows<MarketRows[T]>> = this.#parts[topic];
    const known = parts.get(part);
    if (known) return known;
    const planned = this.plannedAge(topic, part);
    const age = { maxAge: planned ?? topics[topic].maxAge, planned };
    const form = { ...formsOf(every)[topic], ...age, guards: guards[topic] };
    const made = new MergedRows<MarketRows[T]>(form, every, this.evidence);
    parts.set(part, made);
    return made;
  }

  get #asker() {
    return { source: this.#source, now: this.#clock.now() };
  }

  /** Those that it has stated last: a mark that waits for a confirmation does not contradict a price that moved with it. */
  #marks(market: string): number[] {
    const now = this.#clock.now();
    for (const part of this.#parts.derivatives.values()) {
      const row = part.said(market, now, evidentMarks);
      if (row) return [row.mark, row.index].filter((price) => price !== null);
    }
    return [];
  }

  /** The last good one: of an answer that is wrong throughout, price and mark do not confirm each other. */
  #price(market: string): number | null {
    const now = this.#clock.now();
    for (const part of this.#parts.prices.values()) {
      const row = part.at(market, now);
      if (row && now - (row.received ?? now) <= topics.prices.maxAge) return row.price;
    }
    return ownPrice(this.#newest, market, this.#asker);
  }
}
