/**
 * Kraken: spot, and Kraken Futures with linear (`PF_`) and inverse (`PI_`) perpetuals in one list.
 * https://docs.kraken.com/api
 */
import { ShapeError } from '../failure.ts';
import { isRecord, positive, required, text } from '../read.ts';
import type { Failure, FailureCode, Instrument, PriceRow } from '../topics.ts';
import {
  assetOf,
  derivatives,
  futuresFault,
  futuresInstruments,
  futuresPrices,
  openInterest,
} from './kraken-futures.ts';
import { candles, orderBook } from './kraken-queries.ts';
import {
  bulk,
  by,
  field,
  instrument,
  instrumentRows,
  marketRows,
  priceOf,
  type Reader,
  type WireRow,
} from './rows.ts';
import { defineVenue, type Part } from './venue.ts';

const spotFaults: readonly (readonly [prefix: string, code: FailureCode])[] = [
  ['EQuery:Unknown asset', 'unknown_instrument'],
  ['EQuery:Invalid asset', 'unknown_instrument'],
  ['EGeneral:Too many requests', 'rate_limited'],
  ['EGeneral:Temporary lockout', 'rate_limited'],
  ['EAPI:Rate limit exceeded', 'rate_limited'],
  ['EGeneral:Permission denied', 'blocked'],
  ['EGeneral:Internal error', 'unavailable'],
  ['EDatabase:', 'unavailable'],
  ['EService:', 'unavailable'],
];

/** Spot refuses inside a 200, with a list of errors in place of a result. */
function spotFault(status: number, body: unknown): Failure | null {
  const [first] = isRecord(body) && Array.isArray(body.error) ? body.error : [];
  if (typeof first !== 'string') return null;
  const [, code = 'refused'] = spotFaults.find(([prefix]) => first.startsWith(prefix)) ?? [];
  // The words before the second colon are Kraken's own, what follows may repeat ours.
  return { code, message: first.split(':', 2).join(':'), status };
}

/** Entries of an object that maps ids to rows. */
function entries(value: unknown, what: string): [string, WireRow][] {
  if (!isRecord(value)) throw new ShapeError(`${what}: no object`);
  return Object.entries(value).map(([id, row]) => [id, isRecord(row) ? row : {}]);
}

/**
 * Ids are the keys of the map, `XXBTZUSD` (`X` before the older coins, `Z` before currencies); requests take
 * the short `XBTUSD` as well. `wsname` states base and quote without prefixes.
 */
const spotInstruments: Part<Instrument> = {
  requests: () => [{ api: 'spot', path: '/0/public/AssetPairs' }],
  parse([body]) {
    const pairs = entries(field(body, 'result'), 'pairs');
    const rows = pairs.map(([id, row]) => ({ ...row, id }));
    return instrumentRows(bulk(rows, 'pairs'), 'id', (row, market) => {
      const [base = '', quote = ''] = text(row.wsname).split('/');
      const coins = (text(row.aclass_base) || 'currency') === 'currency';
      return instrument({
        market,
        kind: row.status === 'online' && coins ? 'spot' : 'other',
        base: assetOf(base),
        quote: assetOf(quote),
        contract: 1,
        inverse: false,
      });
    });
  },
};

/** The value at `index` of a list; undefined, which no reader takes for a number, where there is none. */
const at = (value: unknown, index: number): unknown =>
  Array.isArray(value) ? value[index] : undefined;

/** Lists hold today's value and that of the last 24 h; `o` opened the UTC day, so there is no change. */
const spotTickers: Reader<Instrument, PriceRow> = {
  id: by(0),
  read(entry, market) {
    const row = isRecord(entry[1]) ? entry[1] : {};
    const volume = required(at(row.v, 1)) * required(at(row.p, 1));
    return priceOf(market, {
      last: positive(at(row.c, 0)),
      volume,
      change: required(null),
      stated: null,
    });
  },
};

const spotPrices: Part<PriceRow> = {
  requests: () => [{ api: 'spot', path: '/0/public/Ticker' }],
  parse: ([body], { instruments }) =>
    marketRows(
      bulk(entries(field(body, 'result'), 'tickers'), 'tickers'),
      instruments,
      spotTickers,
    ),
  needsInstruments: true,
};

export const kraken = defineVenue({
  id: 'kraken',
  name: 'Kraken',
  kinds: ['spot', 'perpetual'],
  example: 'XXBTZUSD',
  apis: {
    spot: {
      hosts: ['https://api.kraken.com'],
      // One request a second and address; OHLC counts by itself, for each pair.
      budgets: { default: { weight: 5, per: 5000 }, ohlc: { weight: 5, per: 5000 } },
      fault: spotFault,
    },
    futures: {
      hosts: ['https://futures.kraken.com'],
      // No limit is documented for what needs no key.
      budgets: { default: { weight: 5, per: 1000 } },
      fault: futuresFault,
    },
  },
  parts: ['spot', 'futures'],
  partOf: (market) => (/^[PF][FIV]_/.test(market) ? 'futures' : 'spot'),
  feeds: {
    instruments: {
      every: 3_600_000,
      parts: { spot: spotInstruments, futures: futuresInstruments },
    },
    prices: { every: 30_000, parts: { spot: spotPrices, futures: futuresPrices } },
    derivatives: { every: 30_000, parts: { futures: derivatives } },
    openInterest: { every: 30_000, parts: { futures: openInterest } },
  },
  queries: { orderBook, candles },
});
