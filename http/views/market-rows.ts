/** The newest rows of one topic, exchange by exchange: what each states of its markets. */
import {
  type DerivativeRow,
  type OpenInterestRow,
  type Reading,
  topics,
} from '../../actors/topics/index.ts';
import * as s from '../../actors/topics/schema.ts';
import { datedRows } from '../../indicators/market/fold.ts';
import { jsonText } from '../answers/json.ts';
import type { JsonText } from '../answers/json-text.ts';
import { usualBound } from '../answers/ready.ts';
import { type Answers, either, Source } from '../answers/source.ts';
import { type ApiError, apiError } from '../wire/errors.ts';
import { NewestRows } from './newest-rows.ts';

const market = {
  market: s.string("The exchange's own symbol."),
  symbol: s.string('Base asset.'),
  quote: s.quote,
};
const times = {
  venue_time: s.integerOrNull('The time that the exchange states, Unix ms.'),
  updated_at: s.unixMs('When it was received, Unix ms.'),
};

const fundingItem = s.object({
  ...market,
  mark_price: s.numberOrNull('Of one base asset, in `quote`.'),
  index_price: s.numberOrNull('Of one base asset, in `quote`.'),
  funding_rate: s.numberOrNull('As the exchange states it, a fraction per `interval_hours`.'),
  predicted_rate: s.numberOrNull(
    'Expected for the next interval, a fraction per `interval_hours`; null where none is stated.',
  ),
  interval_hours: s.numberOrNull('Hours between two fundings; null where they are not known.'),
  funding_rate_8h: s.numberOrNull('Fraction: the rate x 8 / `interval_hours`.'),
  premium: s.numberOrNull('Against the index, a fraction, where the exchange states it.'),
  next_funding_time: s.integerOrNull('Unix ms.'),
  ...times,
});
type FundingItem = s.Static<typeof fundingItem>;

const interestItem = s.object({
  ...market,
  open_interest_base: s.numberOrNull('Base assets, one side; null where only the value is known.'),
  open_interest_value: s.number('In `quote`, one side.'),
  mark_price: s.numberOrNull(
    'The price of the conversion, in `quote`; null where both were stated.',
  ),
  ...times,
});
type InterestItem = s.Static<typeof interestItem>;

const answerOf = <I extends s.TSchema>(item: I) =>
  s.object({
    exchange: s.exchange,
    count: s.count,
    stale_count: s.integer('Markets that are left out: what was stated of them is too old.'),
    items: s.list(item, 'One row a market.'),
  });
export const fundingRowsAnswer = answerOf(fundingItem);
export const interestRowsAnswer = answerOf(interestItem);

/** The answer of one exchange. */
export interface RowsAnswer<Item> {
  exchange: string;
  count: number;
  stale_count: number;
  items: readonly Item[];
}

/** Which markets of an exchange are wanted: all of them without a symbol. */
interface RowsQuery {
  /** A base asset, in upper case. */
  symbol?: string | undefined;
  /** The market that the same name means otherwise. */
  market?: string | undefined;
}

interface TopicRow {
  market: string;
  symbol: string;
  received?: number;
}

/** The form that rows of a topic are converted to. */
interface Form<Row, Item> {
  /** Oldest age of a row that is shown, ms. */
  maxAge: number;
  itemOf(row: Row, received: number): Item;
}

/** The newest readings of one exchange. */
class ExchangeRows<Row extends TopicRow, Item> {
  readonly #id: string;
  readonly #form: Form<Row, Item>;
  readonly #readings = new Map<string, NewestRows<Row>>();
  /** Its keys are symbols and markets. */
  readonly #source = new Source();
  readonly #all = this.#source.answers<RowsQuery, RowsAnswer<Item>>({
    variantOf: () => '',
    build: () => this.#build([...datedRows(this.#readings.values())]),
  });
  readonly #some = this.#source.answers<RowsQuery, RowsAnswer<Item>, ApiError>({
    variantOf: ({ symbol, market }) => `${symbol} ${market}`,
    keysOf: ({ symbol = '', market = symbol }) => [symbol, market],
    bound: usualBound,
    build: (query) => this.#buildSome(query),
  });
  readonly read = either<RowsQuery, RowsAnswer<Item>>(this.#source, ({ symbol }) =>
    symbol === undefined ? this.#all : this.#some,
  );
  /** When the first of the rows in use becomes too old, Unix ms. */
  #until = Infinity;
  #now = 0;

  constructor(id: string, form: Form<Row, Item>) {
    this.#id = id;
    this.#form = form;
  }

  accept(reading: Reading<Row>, now: number): void {
    const before = this.#readings.get(reading.part);
    if ((before?.received ?? 0) > reading.received) return;
    this.#readings.set(reading.part, new NewestRows(reading, before));
    this.#now = now;
    this.#until = Infinity;
    this.#source.change();
  }

  change(changes: Reading<Row>, now: number): void {
    const reading = this.#readings.get(changes.part);
    if (reading === undefined) return;
    reading.change(changes);
    this.#now = now;
    this.#source.change(changes.rows.flatMap(({ symbol, market }) => [symbol, market]));
  }

  expire(now: number): void {
    if (now <= this.#until) return;
    this.#now = now;
    this.#until = Infinity;
    this.#source.change();
  }

  /** The rows of the asset, else that of the market; null while there is no reading. */
  #buildSome({ symbol, market }: RowsQuery): JsonText<RowsAnswer<Item>> | ApiError | null {
    const rows = [...datedRows(this.#readings.values())];
    const ofAsset = rows.filter(({ row }) => row.symbol === symbol);
    const found = ofAsset.length > 0 ? ofAsset : rows.filter(({ row }) => row.market === market);
    const isUnknown = found.length === 0 && this.#readings.size > 0;
    return isUnknown ? apiError('unknown_symbol') : this.#build(found);
  }

  #build(rows: readonly { row: Row; received: number }[]): JsonText<RowsAnswer<Item>> | null {
    if (this.#readings.size === 0) return null;
    const { maxAge, itemOf } = this.#form;
    const items: Item[] = [];
    let [stale, newest] = [0, 0];
    for (const { row, received } of rows) {
      if (this.#now - received > maxAge) {
        stale += 1;
        continue;
      }
      this.#until = Math.min(this.#until, received + maxAge);
      newest = Math.max(newest, received);
      items.push(itemOf(row, received));
    }
    const data = { exchange: this.#id, count: items.length, stale_count: stale, items };
    return jsonText(data, newest > 0 ? newest : null);
  }
}

/** The rows of every exchange; bytes are made at the first request after a reading of that exchange. */
export class MarketRows<Row extends TopicRow, Item> {
  readonly #form: Form<Row, Item>;
  readonly #exchanges = new Map<string, ExchangeRows<Row, Item>>();

  constructor(form: Form<Row, Item>) {
    this.#form = form;
  }

  /** The answers of an exchange: null while there is no reading, an error where there is none of the wanted rows. */
  answers(exchange: string): Answers<RowsQuery, RowsAnswer<Item>> {
    return this.#of(exchange).read;
  }

  /** Takes a reading; one older than the current one is ignored. `now` is Unix ms. */
  accept(reading: Reading<Row>, now: number): void {
    this.#of(reading.source).accept(reading, now);
  }

  /** Takes rows that a stream has changed. `now` is Unix ms. */
  change(changes: Reading<Row>, now: number): void {
    this.#exchanges.get(changes.source)?.change(changes, now);
  }

  /** Removes rows that have become too old from the answers. Call it about every second. */
  expire(now: number): void {
    for (const rows of this.#exchanges.values()) rows.expire(now);
  }

  #of(exchange: string): ExchangeRows<Row, Item> {
    const known = this.#exchanges.get(exchange);
    if (known !== undefined) return known;
    const rows = new ExchangeRows(exchange, this.#form);
    this.#exchanges.set(exchange, rows);
    return rows;
  }
}

export const fundingRows = (): MarketRows<DerivativeRow, FundingItem> =>
  new MarketRows({
    maxAge: topics.derivatives.maxAge,
    itemOf: (row, received) => ({
      ...{ market: row.market, symbol: row.symbol, quote: row.quote },
      ...{ mark_price: row.mark, index_price: row.index, funding_rate: row.funding_rate },
      predicted_rate: row.predicted_rate ?? null,
      interval_hours: row.funding_hours,
      funding_rate_8h: row.funding_rate_8h,
      premium: row.premium ?? null,
      next_funding_time: row.next_funding,
      ...{ venue_time: row.stated, updated_at: received },
    }),
  });

export const interestRows = (): MarketRows<OpenInterestRow, InterestItem> =>
  new MarketRows({
    maxAge: topics.openInterest.maxAge,
    itemOf: (row, received) => ({
      ...{ market: row.market, symbol: row.symbol, quote: row.quote },
      ...{ open_interest_base: row.units, open_interest_value: row.value, mark_price: row.mark },
      ...{ venue_time: row.stated, updated_at: received },
    }),
  });
