/** Perpetuals of one exchange: what it states of each market in several readings, joined. */
import {
  type AssetClass,
  classOfSymbol,
  type MarketClass,
  marketClasses,
} from '../../config/assets/symbols.ts';
import { datedRows, type ReadingOf } from '../market/fold.ts';
import { validFunding } from './funding.ts';

interface Dated {
  market: string;
  received?: number;
}

/** What an exchange states of a perpetual beside its price. */
interface DerivativeFacts extends Dated {
  symbol: string;
  quote: string;
  mark: number | null;
  index: number | null;
  funding_rate: number | null;
  funding_hours: number | null;
  next_funding: number | null;
  predicted_rate?: number;
  premium?: number;
}

interface InterestFacts extends Dated {
  units: number | null;
  value: number;
}

interface PriceFacts extends Dated {
  kind: string;
  price: number;
  volume: number | null;
  change: number | null;
  high: number | null;
  low: number | null;
}

interface InstrumentFacts extends Dated {
  kind: string;
  inverse: boolean;
  asset_class?: AssetClass;
  max_leverage?: number;
  isolated_only?: true;
}

/** The newest readings of one exchange by topic. */
export interface PerpetualReadings {
  derivatives: Iterable<ReadingOf<DerivativeFacts>>;
  openInterest: Iterable<ReadingOf<InterestFacts>>;
  prices: Iterable<ReadingOf<PriceFacts>>;
  instruments: Iterable<ReadingOf<InstrumentFacts>>;
}

/** One perpetual. Prices are of one canonical unit, in `quote`; null where the exchange states nothing that is fresh. */
export interface Perpetual {
  /** The exchange's own id. */
  contract: string;
  symbol: string;
  quote: string;
  /** As its list states it, or its symbol. */
  asset_class: MarketClass;
  /** Null while the instrument list is not known. */
  inverse: boolean | null;
  max_leverage: number | null;
  isolated_only: boolean;
  mark: number | null;
  index: number | null;
  last: number | null;
  /** Change of the last price in 24 hours, percent. */
  change: number | null;
  /** Extreme last prices of 24 hours. */
  high: number | null;
  low: number | null;
  /** Fraction, as the exchange states it. */
  premium: number | null;
  /** Fractions per `hours`. */
  rate: number | null;
  predicted: number | null;
  hours: number | null;
  /** When the rate is charged, Unix ms. */
  next: number | null;
  /** Open interest, one side: base units, and its value in `quote`. */
  units: number | null;
  value: number | null;
  /** 24 h turnover in `quote`. */
  volume: number | null;
  /** When the rate, mark and index were received, Unix ms. */
  received: number;
  /** When the last price and the turnover were received, and when the open interest was, Unix ms; null without them. */
  priced: number | null;
  valued: number | null;
}

/** A perpetual of which these values are known. */
export type Known<K extends keyof Perpetual> = Perpetual & {
  readonly [N in K]: NonNullable<Perpetual[N]>;
};
export const isKnown =
  <K extends keyof Perpetual>(keys: readonly K[]) =>
  (row: Perpetual): row is Known<K> =>
    keys.every((key) => row[key] !== null);

/** The perpetuals of one exchange. */
export interface Perpetuals {
  rows: Perpetual[];
  /** Symbols of which no row is fresh. */
  stale: ReadonlySet<string>;
  /** Receive time of the newest row in use; 0 without any. */
  newest: number;
  /** When the first of the rows in use becomes too old, Unix ms; infinite without any. */
  until: number;
}

/** Oldest ages of rows that count, ms, where their readings state no other. */
export interface Ages {
  derivatives: number;
  openInterest: number;
  prices: number;
}

/** A row, and when it was received, Unix ms. */
interface Received<Row> {
  row: Row;
  received: number;
}

/** Rows that are not too old, and when the first of them will be. */
class Fresh {
  readonly #now: number;
  until = Number.POSITIVE_INFINITY;

  constructor(now: number) {
    this.#now = now;
  }

  /** Whether a row received then counts. */
  takes(received: number, age: number): boolean {
    if (this.#now - received > age) return false;
    this.until = Math.min(this.until, received + age);
    return true;
  }

  byMarket<Row extends Dated>(readings: Iterable<ReadingOf<Row>>, age: number) {
    const rows = new Map<string, Received<Row>>();
    for (const one of datedRows(readings)) {
      if (this.takes(one.received, one.maxAge ?? age)) rows.set(one.row.market, one);
    }
    return rows;
  }
}

/** Rows of perpetuals: an exchange may use one id for a spot market as well. */
function* perpetualsOf<Row extends { kind: string }>(
  readings: Iterable<ReadingOf<Row>>,
): Iterable<ReadingOf<Row>> {
  for (const reading of readings) {
    yield { ...reading, rows: reading.rows.filter(({ kind }) => kind === 'perpetual') };
  }
}

/** The rows of other topics about one market; undefined where there is none that is fresh. */
interface Beside {
  interest: Received<InterestFacts> | undefined;
  price: Received<PriceFacts> | undefined;
  instrument: InstrumentFacts | undefined;
}

/** What the reading of its price states of a perpetual; all null without one. */
function statedPrice(price: Received<PriceFacts> | undefined) {
  if (price === undefined)
    return { last: null, change: null, high: null, low: null, volume: null, priced: null };
  const { price: last, change, high, low, volume } = price.row;
  return { last, change, high, low, volume, priced: price.received };
}

const classIn = (instrument: InstrumentFacts | undefined): MarketClass | undefined =>
  marketClasses.find((one) => one === instrument?.asset_class);

function perpetualOf(
  row: DerivativeFacts,
  received: number,
  { interest, price, instrument }: Beside,
): Perpetual {
  const hours = row.funding_hours;
  return {
    contract: row.market,
    symbol: row.symbol,
    quote: row.quote,
    asset_class: classIn(instrument) ?? classOfSymbol(row.symbol),
    inverse: instrument?.inverse ?? null,
    max_leverage: instrument?.max_leverage ?? null,
    isolated_only: instrument?.isolated_only ?? false,
    mark: row.mark,
    index: row.index,
    ...statedPrice(price),
    premium: row.premium ?? null,
    rate: row.funding_rate,
    predicted: validFunding(row.predicted_rate ?? null, hours).rate,
    hours,
    next: row.next_funding,
    units: interest?.row.units ?? null,
    value: interest?.row.value ?? null,
    received,
    valued: interest?.received ?? null,
  };
}

/**
 * The perpetuals of one exchange: every market with a fresh row of mark, index and funding, and what the exchange's
 * other readings state of the same market.
 */
export function joinPerpetuals(
  { derivatives, openInterest, prices, instruments }: PerpetualReadings,
  { now, ages }: { now: number; ages: Ages },
): Perpetuals {
  const fresh = new Fresh(now);
  const interests = fresh.byMarket(openInterest, ages.openInterest);
  const last = fresh.byMarket(perpetualsOf(prices), ages.prices);
  // Lists are read about every hour, and what they state of a market does not age.
  const listed = fresh.byMarket(perpetualsOf(instruments), Number.POSITIVE_INFINITY);
  const rows: Perpetual[] = [];
  const stale = new Set<string>();
  let newest = 0;
  for (const { row, received, maxAge = ages.derivatives } of datedRows(derivatives)) {
    if (!fresh.takes(received, maxAge)) {
      stale.add(row.symbol);
      continue;
    }
    newest = Math.max(newest, received);
    const { market } = row;
    const [interest, price] = [interests.get(market), last.get(market)];
    rows.push(perpetualOf(row, received, { interest, price, instrument: listed.get(market)?.row }));
  }
  for (const { symbol } of rows) stale.delete(symbol);
  return { rows, stale, newest, until: fresh.until };
}
