/** The tables of Kraken: spot, and Kraken Futures with linear (`PF_`) and inverse (`PI_`) perpetuals in one list. */
import { decimalsOf } from '../../../indicators/digits.ts';
import { ShapeError } from '../../failure.ts';
import {
  asRow,
  at,
  bulk,
  field,
  isNumber,
  isRecord,
  positive,
  required,
  text,
  type WireRow,
} from '../../read.ts';
import { numberOr } from '../cells.ts';
import { timeOf } from '../iso.ts';
import { markets } from '../markets.ts';
import type { Facts } from '../rows.ts';
import { type Cell, nextHour } from '../tables.ts';

/** The names of the streams are `wsname` with the usual tickers of these two alone: `LUNA/USD` is still Terra Classic. */
const wireNames: Readonly<Record<string, string>> = { XBT: 'BTC', XDG: 'DOGE' };
const wireOf = (asset: string): string => wireNames[asset] ?? asset;

const unknown = required(null);

/** The ids and rows of a body whose `result` maps one to the other; there are always some. */
export function entriesIn(body: unknown): [string, unknown][] {
  const result = at(body, 'result');
  if (!isRecord(result)) throw new ShapeError('result: no object');
  const entries = Object.entries(result);
  bulk(entries, 'result');
  return entries;
}

/** States of a pair in which it trades. Of `post_only` nothing is matched, but it lasts minutes, and the last price stands. */
const trading: ReadonlySet<unknown> = new Set(['online', 'post_only', 'limit_only', 'reduce_only']);

/** `wsname` states base and quote without the prefixes of the ids: `X` before the older coins, `Z` before currencies. */
export function pair(row: WireRow): Omit<Facts, 'market'> {
  const [base = '', quote = ''] = text(row.wsname).split('/');
  const [price, quantity] = [required(row.pair_decimals), required(row.lot_decimals)];
  return {
    kind: trading.has(row.status) ? 'spot' : 'other',
    base,
    quote,
    ...(base !== '' && quote !== '' && { wire: `${wireOf(base)}/${wireOf(quote)}` }),
    ...(price >= 0 && quantity >= 0 && { decimals: { price, quantity } }),
  };
}

/**
 * The value at `index` of a pair; undefined, which no reader takes for a number, where it is none: a last price may be
 * missing before its quantity.
 */
const valueAt = (pair: unknown, index: 0 | 1): unknown =>
  Array.isArray(pair) && pair.length > 1 ? pair[index] : undefined;

/** A ticker by the names of the stream. Lists hold today's value and that of the last 24 h. */
function ticker([market, row]: [string, unknown]): WireRow {
  const { c, b, a, h, l, v, p } = asRow(row);
  return {
    market,
    last: valueAt(c, 0),
    bid: valueAt(b, 0),
    ask: valueAt(a, 0),
    high: valueAt(h, 1),
    low: valueAt(l, 1),
    volume: valueAt(v, 1),
    vwap: valueAt(p, 1),
  };
}

/** `o` opened the UTC day, so there is no change, and the one that the stream states (`change_pct`) is not used either. */
export const pairs = markets({
  rows: ([body]) => entriesIn(body).map(ticker),
  id: 'market',
  price: {
    last: 'last',
    bid: 'bid',
    ask: 'ask',
    high: 'high',
    low: 'low',
    base: 'volume',
    quote: ({ volume, vwap }) => required(volume) * required(vwap),
    untraded: 'volume',
    stated: ({ timestamp }) => timeOf(timestamp),
  },
});

const isInverse = (market: string): boolean => /^[PF]I_/.test(market);
/** By its prefix: `P` for perpetual, `F` for fixed, which is dated. */
const kindOf = (market: string): 'perpetual' | 'future' | null =>
  /^P[FI]_/.test(market) ? 'perpetual' : /^F[FI]_/.test(market) ? 'future' : null;

/** A contract is one base unit (`PF_`, `FF_`) or one USD (`PI_`, `FI_`). */
export function contract(row: WireRow, market: string): Omit<Facts, 'market'> {
  const [base = '', quote = ''] = text(row.pair).split(':');
  const kind = (row.tradeable === true && kindOf(market)) || 'other';
  const [tick, quantity] = [positive(row.tickSize), required(row.contractValueTradePrecision)];
  return {
    kind,
    base: text(row.base) || base,
    quote: text(row.quote) || quote,
    contract: kind === 'other' ? 1 : positive(row.contractSize),
    inverse: isInverse(market),
    fundingHours: kind === 'perpetual' ? 1 : null,
    expiry: timeOf(row.lastTradingTime),
    ...(tick > 0 &&
      isNumber(quantity) && {
        decimals: { price: decimalsOf(tick), quantity: Math.max(0, quantity) },
      }),
  };
}

/**
 * The contracts of the unified stream in the words of the old list. Its documents name what orders need, in the form of spot: a
 * contract is one unit all the same, and ends on the day in its name. https://docs.kraken.com/exchange/api-reference/unified-ws/instrument
 */
const unifiedRow = (value: unknown): WireRow => {
  const { symbol, status, price_increment, qty_precision, ...row } = asRow(value);
  const [, day] = /_(\d{6})$/.exec(text(symbol)) ?? [];
  return {
    ...row,
    symbol,
    tradeable: trading.has(status),
    contractSize: 1,
    tickSize: price_increment,
    contractValueTradePrecision: qty_precision,
    ...(day && { lastTradingTime: `20${day.replace(/(..)(..)(..)/, '$1-$2-$3')}T15:00:00Z` }),
  };
};

/** The rows of either list of contracts. */
export const contractsIn = ([body]: readonly unknown[]): readonly unknown[] =>
  field(body, 'channel') === 'instrument'
    ? bulk(at(body, 'data.pairs'), 'pairs').map(unifiedRow)
    : bulk(field(body, 'instruments'), 'instruments');

/** The volume at a key, which is base (`PF_`) or USD (`PI_`), as base units. */
const baseOf =
  (key: string): Cell =>
  (row, { inverse, contract: size }) =>
    inverse ? unknown : required(row[key]) * size;

/** The same as the turnover; `volumeQuote` is quote, not always sent, and for `PF_` alone. */
const turnoverOf =
  (key: string): Cell =>
  (row, { inverse, contract: size }) => {
    const amount = required(row[key]) * size;
    return inverse ? amount : numberOr(row.volumeQuote, amount * positive(row.last));
  };

/** The fraction for an amount an hour: USD per base unit (`PF_`), base per USD (`PI_`). */
const rateOf =
  (key: string): Cell =>
  (row, { inverse }) => {
    const [paid, mark] = [required(row[key]), positive(row.markPrice)];
    return inverse ? paid * mark : paid / mark;
  };

/** Between two fundings. */
const hours = () => 1;

/** One side, in base (`PF_`) or USD (`PI_`). */
const interest = { contracts: 'openInterest', mark: 'markPrice' } as const;

/**
 * Tickers of contracts that trade: the list also holds indices and suspended ones. `sent` is the time at which
 * the exchange sent them; `lastTime` is that of the last trade.
 */
export const tickers = markets({
  rows: 'tickers',
  stated: 'sent',
  id: 'symbol',
  keep({ symbol, suspended }) {
    const id = text(symbol);
    return id === '' || (kindOf(id) !== null && suspended !== true);
  },
  dated: true,
  price: {
    last: 'last',
    open: 'open24h',
    bid: 'bid',
    ask: 'ask',
    high: 'high24h',
    low: 'low24h',
    base: baseOf('vol24h'),
    quote: turnoverOf('vol24h'),
    untraded: 'vol24h',
  },
  // The rate is charged on the full hour.
  derivative: {
    mark: 'markPrice',
    index: 'indexPrice',
    rate: rateOf('fundingRate'),
    predicted: rateOf('fundingRatePrediction'),
    hours,
    next: nextHour,
  },
  interest,
});

/** Futures by stream. `open`, `high` and `low` contradict `change`, so they are not used. The rates are fractions an hour. */
export const streamedTickers = markets({
  id: 'product_id',
  time: 'time',
  price: {
    last: 'last',
    bid: 'bid',
    ask: 'ask',
    percent: 'change',
    base: baseOf('volume'),
    quote: turnoverOf('volume'),
  },
  derivative: {
    mark: 'markPrice',
    index: 'index',
    rate: 'relative_funding_rate',
    predicted: 'relative_funding_rate_prediction',
    hours,
    next: 'next_funding_rate_time',
  },
  interest,
});

/**
 * Futures by the unified stream, which documents its prices alone: the other names are those of the old fields in its style, and the rate
 * is read only under the name that says that it is a fraction. Volumes are those of the old ticker.
 */
export const unifiedTickers = markets({
  id: 'market',
  price: {
    last: 'last',
    bid: 'bid',
    ask: 'ask',
    high: 'high',
    low: 'low',
    percent: 'change_pct',
    base: baseOf('volume'),
    quote: turnoverOf('volume'),
  },
  derivative: {
    mark: 'mark_price',
    index: 'index_price',
    rate: 'relative_funding_rate',
    predicted: 'relative_funding_rate_prediction',
    hours,
    next: ({ next_funding_rate_time: next }) => timeOf(next),
  },
  interest: { contracts: 'open_interest', mark: 'mark_price' },
  time: ({ timestamp }) => timeOf(timestamp),
});
