/** The rows of Crypto.com: instruments, tickers, valuations. https://exchange-docs.crypto.com */
import { isRecord, optionalNonZero, positive, required, text } from '../read.ts';
import {
  type DerivativeRow,
  type Instrument,
  intervals,
  type OpenInterestRow,
  type PriceRow,
} from '../topics.ts';
import {
  bulk,
  by,
  derivativeOf,
  field,
  instrument,
  instrumentRows,
  type Named,
  openInterestOf,
  priceOf,
  type Reader,
  type WireRow,
} from './rows.ts';
import { canonical } from './symbols.ts';
import type { Parsed } from './venue.ts';

/** What a success holds, `{ result: { data } }`; ShapeError when it is no object. */
export const dataOf = (body: unknown) => field(field(body, 'result'), 'data');

/**
 * Equities, commodities and the like are perpetuals too, told apart by `product_type`, which older answers lack.
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
      contract: 1,
      inverse: false,
    }),
  );

/** `BTC_USDT` states its currencies; `TSLAUSD-PERP` does not say what it is. */
function fromId(market: string): Named | null {
  const [base, quote, ...more] = market.split('_');
  if (!base || !quote || more.length > 0) return null;
  return { market, kind: 'spot', quote, ...canonical(base) };
}

/** Tickers of what has ever traded: `a`, the last price, is null where nothing has. */
export const tradedOf = (body: unknown) =>
  bulk(dataOf(body), 'tickers').filter((row) => !isRecord(row) || row.a !== null);

/**
 * `a` last, `c` change as a fraction, `vv` turnover in US dollars whatever the quote: dollar quotes are within a
 * few thousandths of it.
 */
export const tickers: Reader<Named, PriceRow> = {
  id: by('i'),
  fromId,
  read(row, market) {
    const change = required(row.c) * 100;
    return priceOf(market, {
      last: positive(row.a),
      volume: required(row.vv),
      change,
      stated: optionalNonZero(row.t),
    });
  },
};

/** One side, in base; the list of tickers has no mark price, so the last one values it. */
export const interest: Reader<Named, OpenInterestRow> = {
  id: by('i'),
  read: (row, market) =>
    openInterestOf(market, {
      base: required(row.oi),
      value: NaN,
      mark: positive(row.a),
      stated: optionalNonZero(row.t),
    }),
};

const hour = intervals['1h'];

/** `{ instrument_name, data: [{ v, t }] }`, flat. */
export function valuation(body: unknown): WireRow {
  const result = isRecord(body) && isRecord(body.result) ? body.result : {};
  const [newest] = Array.isArray(result.data) ? result.data : [];
  return { ...(isRecord(newest) && newest), i: result.instrument_name };
}

/**
 * A fraction per hour, charged at every full hour. Mark and index price would be a request each and market
 * more, and are left out.
 */
export const rates = (received: number): Reader<Named, DerivativeRow> => ({
  id: by('i'),
  read: (row, market) =>
    derivativeOf(market, {
      mark: NaN,
      index: NaN,
      rate: required(row.v),
      hours: 1,
      next: (Math.floor(received / hour) + 1) * hour,
      stated: optionalNonZero(row.t),
    }),
});
