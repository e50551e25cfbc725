/**
 * Kraken: spot, and Kraken Futures with linear (`PF_`) and inverse (`PI_`) perpetuals in one list.
 * https://docs.kraken.com/api
 */

import { ShapeError } from '../../failure.ts';
import { bulk, field, isRecord, positive, required, text, type WireRow } from '../../read.ts';
import { defineVenue, everyHalfMinute, everyHour, type MarketPoll } from '../../sources/venue.ts';
import type { Instrument, PriceRow } from '../../topics/index.ts';
import { by, instrument, instrumentRows, listPoll, priceOf, type Reader } from '../rows.ts';
import { isWhole, neverTraded } from '../wire.ts';
import { depth, fundingHistory } from './analytics.ts';
import { type Ask, apis } from './api.ts';
import { books } from './books.ts';
import { series } from './charts.ts';
import {
  assetOf,
  derivatives,
  futuresInstruments,
  futuresPrices,
  openInterest,
} from './futures.ts';
import { liquidations } from './liquidations.ts';
import { live } from './live.ts';
import { candles, orderBook } from './queries.ts';

/** Entries of an object that maps ids to rows. */
function entries(value: unknown, what: string): [string, WireRow][] {
  if (!isRecord(value)) throw new ShapeError(`${what}: no object`);
  return Object.entries(value).map(([id, row]) => [id, isRecord(row) ? row : {}]);
}

/**
 * Ids are the keys of the map, `XXBTZUSD` (`X` before the older coins, `Z` before currencies); requests take
 * the short `XBTUSD` as well. `wsname` states base and quote without prefixes.
 */
const spotInstruments: MarketPoll<Instrument, Ask> = {
  requests: () => [{ api: 'spot', path: '/0/public/AssetPairs' }],
  parse([body]) {
    const pairs = entries(field(body, 'result'), 'pairs');
    const rows = pairs.map(([id, row]) => ({ ...row, id }));
    return instrumentRows(bulk(rows, 'pairs'), 'id', (row, market) => {
      const [base = '', quote = ''] = text(row.wsname).split('/');
      const [price, quantity] = [required(row.pair_decimals), required(row.lot_decimals)];
      const coins = (text(row.aclass_base) || 'currency') === 'currency';
      return instrument({
        market,
        kind: row.status === 'online' && coins ? 'spot' : 'other',
        base: assetOf(base),
        quote: assetOf(quote),
        ...(price >= 0 && quantity >= 0 && { decimals: { price, quantity } }),
      });
    });
  },
};

/**
 * The value at `index` of a pair; undefined, which no reader takes for a number, where it is none: a last price may be
 * missing before its quantity.
 */
const at = (value: unknown, index: 0 | 1): unknown =>
  Array.isArray(value) && isWhole(value, 2) ? value[index] : undefined;

/** Lists hold today's value and that of the last 24 h; `o` opened the UTC day, so there is no change. */
const spotTickers: Reader<Instrument, PriceRow> = {
  id: by(0),
  isUntraded: ({ 1: row }) => isRecord(row) && neverTraded(at(row.c, 0), at(row.v, 1)),
  read(entry, market) {
    const row = isRecord(entry[1]) ? entry[1] : {};
    const base = required(at(row.v, 1));
    return priceOf(market, {
      last: positive(at(row.c, 0)),
      volume: base * required(at(row.p, 1)),
      change: required(null),
      stated: null,
      bid: positive(at(row.b, 0)),
      ask: positive(at(row.a, 0)),
      high: positive(at(row.h, 1)),
      low: positive(at(row.l, 1)),
      base,
    });
  },
};

const spotPrices: MarketPoll<PriceRow, Ask> = listPoll(
  { api: 'spot', path: '/0/public/Ticker' },
  (body) => bulk(entries(field(body, 'result'), 'tickers'), 'tickers'),
  spotTickers,
);

export const kraken = defineVenue({
  id: 'kraken',
  name: 'Kraken',
  kinds: ['spot', 'perpetual'],
  example: 'XXBTZUSD',
  apis,
  parts: ['spot', 'futures'],
  partOf: (market) => (/^[PF][FIV]_/.test(market) ? 'futures' : 'spot'),
  feeds: {
    instruments: everyHour({ spot: spotInstruments, futures: futuresInstruments }),
    prices: everyHalfMinute({ spot: spotPrices, futures: futuresPrices }),
    derivatives: everyHalfMinute({ futures: derivatives }),
    openInterest: everyHalfMinute({ futures: openInterest }),
  },
  events: { liquidations },
  live,
  books,
  queries: { ...series, orderBook, candles, fundingHistory, depth },
});
