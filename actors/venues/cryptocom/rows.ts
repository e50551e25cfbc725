/** The rows of Crypto.com: instruments, tickers, valuations. https://exchange-docs.crypto.com */
import {
  asRow,
  bulk,
  field,
  isRecord,
  positive,
  required,
  text,
  time,
  type WireRow,
} from '../../read.ts';
import type { Parsed } from '../../sources/define.ts';
import {
  type DerivativeRow,
  type Instrument,
  intervals,
  type OpenInterestRow,
  type PriceRow,
} from '../../topics/index.ts';
import {
  by,
  derivativeOf,
  instrument,
  instrumentRows,
  type Named,
  openInterestOf,
  priceOf,
  type Reader,
} from '../rows.ts';
import { canonical, pairOf } from '../symbols.ts';
import { neverTradedBy } from '../wire.ts';

/** The data of a success, `{ result: { data } }`; ShapeError when it is not an object. */
export const dataOf = (body: unknown) => field(field(body, 'result'), 'data');

/**
 * Equities, commodities and the like are perpetuals too, marked by `product_type`, which older answers lack.
 * Sizes are base units; of a contract that is not 1 they might not be.
 */
function kindOf(row: WireRow): Instrument['kind'] {
  const crypto = (text(row.product_type) || 'DIGITAL_CURRENCIES') === 'DIGITAL_CURRENCIES';
  if (row.tradable !== true || !crypto) return 'other';
  if (row.inst_type === 'CCY_PAIR') return 'spot';
  return row.inst_type === 'PERPETUAL_SWAP' && required(row.contract_size) === 1
    ? 'perpetual'
    : 'other';
}

/** The list of instruments. */
export const readInstruments = (body: unknown): Parsed<Instrument> =>
  instrumentRows(bulk(dataOf(body), 'instruments'), 'symbol', (row, market) =>
    instrument({
      market,
      kind: kindOf(row),
      base: text(row.base_ccy),
      quote: text(row.quote_ccy),
    }),
  );

/** `BTC_USDT` states its currencies; `TSLAUSD-PERP` does not state its kind. */
function fromId(market: string): Named | null {
  const pair = pairOf(market, '_');
  return pair && { market, kind: 'spot', quote: pair.quote, ...canonical(pair.base) };
}

/** `a`, the last price, is null where nothing has ever traded. */
const isUntraded = neverTradedBy('a', 'v');

/**
 * `a` last, `c` change as a fraction, `vv` turnover in US dollars whatever the quote: dollar quotes are within a
 * few thousandths of it.
 */
export const tickers: Reader<Named, PriceRow> = {
  id: by('i'),
  fromId,
  isUntraded,
  read(row, market) {
    const change = required(row.c) * 100;
    return priceOf(market, {
      last: positive(row.a),
      volume: required(row.vv),
      change,
      stated: time(row.t),
      bid: positive(row.b),
      ask: positive(row.k),
      high: positive(row.h),
      low: positive(row.l),
      base: required(row.v),
    });
  },
};

/** One side, in base; the list of tickers has no mark price, so the last one values it. */
export const interest: Reader<Named, OpenInterestRow> = {
  id: by('i'),
  isUntraded,
  read: (row, market) =>
    openInterestOf(market, {
      base: required(row.oi),
      value: NaN,
      mark: positive(row.a),
      stated: time(row.t),
    }),
};

/** The tickers of perpetuals: the others have no open interest. */
export const ofPerpetuals = (
  rows: readonly unknown[],
  instruments: ReadonlyMap<string, Named>,
): unknown[] =>
  rows.filter((row) => instruments.get(interest.id(asRow(row)))?.kind === 'perpetual');

const hour = intervals['1h'];

/** The requests about every single perpetual, in this order. */
export const valuationTypes = ['funding_rate', 'mark_price', 'index_price'] as const;

/** The index of `BTCUSD-PERP` is `BTCUSD-INDEX`. */
export const indexOf = (market: string): string => market.replace(/-PERP$/, '-INDEX');
export const perpetualOf = (index: string): string => index.replace(/-INDEX$/, '-PERP');

/** `{ instrument_name, data: [{ v, t }] }`, flat. An index answers under its own name. */
function valuation(body: unknown): WireRow {
  const result = isRecord(body) && isRecord(body.result) ? body.result : {};
  const [newest] = Array.isArray(result.data) ? result.data : [];
  const market = perpetualOf(text(result.instrument_name));
  return { ...(isRecord(newest) && newest), market };
}

/** A row of each market, out of its answers to `valuationTypes`; none of a market that was not answered at all. */
export function valuations(bodies: readonly unknown[]): WireRow[] {
  const rows: WireRow[] = [];
  for (let at = 0; at < bodies.length; at += valuationTypes.length) {
    const about = bodies.slice(at, at + valuationTypes.length);
    if (about.every((body) => body === undefined)) continue;
    const values = about.map(valuation);
    const [funding, mark, index] = values;
    const market = values.map((value) => text(value.market)).find((id) => id !== '');
    // The mark and the index are renewed every second, the rate every minute at best.
    const t = mark?.t ?? index?.t ?? funding?.t;
    rows.push({ market, rate: funding?.v, mark: mark?.v, index: index?.v, t });
  }
  return rows;
}

/**
 * `rate` is a fraction per hour, charged at every full hour and fixed for a block of 4 hours; the rate of the next
 * block, `estimated_funding_rate`, is not asked for.
 */
export const rates = (received: number): Reader<Named, DerivativeRow> => ({
  id: by('market'),
  read: (row, market) =>
    derivativeOf(market, {
      mark: positive(row.mark),
      index: positive(row.index),
      rate: required(row.rate),
      hours: 1,
      next: (Math.floor(received / hour) + 1) * hour,
      stated: time(row.t),
    }),
});
