/** Gate: spot, and perpetuals settled in USDT and in BTC, API v4. https://www.gate.com/docs/developers/apiv4 */
import { positive, required, text } from '../read.ts';
import type { DerivativeRow, Instrument, OpenInterestRow, PriceRow } from '../topics.ts';
import type { Api, UpstreamRequest } from '../upstream/request.ts';
import {
  contractCandle,
  contractOf,
  fault,
  fromId,
  fundingHours,
  isLeveraged,
  milliseconds,
  readContract,
  type Settle,
  spotCandle,
} from './gate-rows.ts';
import {
  bars,
  bulk,
  by,
  derivativeOf,
  field,
  instrument,
  instrumentRows,
  levels,
  list,
  marketRows,
  type Named,
  openInterestOf,
  priceOf,
  type Reader,
  sizeOf,
  type WireRow,
} from './rows.ts';
import { defineVenue, type Part } from './venue.ts';

/** 200 in 10 s and address, each path by itself. */
const api = (...hosts: string[]): Api => ({
  hosts,
  budgets: Object.fromEntries(
    ['default', 'list', 'tickers', 'books', 'candles'].map((name) => [
      name,
      { weight: 200, per: 10_000 },
    ]),
  ),
  fault,
});

const get = (
  part: string,
  path: string,
  budget: string,
  query: UpstreamRequest['query'] = {},
): UpstreamRequest => ({
  api: part === 'spot' ? 'spot' : 'futures',
  path: `/api/v4/${part === 'spot' ? part : `futures/${part}`}/${path}`,
  budget,
  query,
});

/** Two pages of 1000 are more than there are. */
const pages = (part: Settle): UpstreamRequest[] =>
  [0, 1000].map((offset) => get(part, 'contracts', 'list', { limit: 1000, offset }));

/** The rows of all pages, the first of which holds some. */
const together = ([first, ...more]: readonly unknown[]): unknown[] =>
  bulk(first, 'contracts').concat(...more.map((page) => list(page, 'contracts')));

const spotInstruments: Part<Instrument> = {
  requests: () => [get('spot', 'currency_pairs', 'list')],
  parse: ([body]) =>
    instrumentRows(bulk(body, 'pairs'), 'id', (row, market) => {
      const base = text(row.base);
      const kind = row.trade_status === 'tradable' && !isLeveraged(base) ? 'spot' : 'other';
      return instrument({
        market,
        kind,
        base,
        quote: text(row.quote),
        contract: 1,
        inverse: false,
      });
    }),
};

const instruments = (settle: Settle): Part<Instrument> => ({
  requests: () => pages(settle),
  parse: (bodies) =>
    instrumentRows(together(bodies), 'name', (row, market) => readContract(row, market, settle)),
});

/** No row has a time. Turnover can be "nan". */
const ticker = (row: WireRow, market: Named, volume: unknown): PriceRow | null =>
  priceOf(market, {
    last: positive(row.last),
    volume: required(volume),
    change: required(row.change_percentage),
    stated: null,
  });

const spotTickers: Reader<Named, PriceRow> = {
  id: by('currency_pair'),
  fromId: fromId('spot'),
  read: (row, market) => ticker(row, market, row.quote_volume),
};
const tickers: Reader<Named, PriceRow> = {
  id: by('contract'),
  fromId: fromId('perpetual'),
  read: (row, market) => ticker(row, market, row.volume_24h_quote),
};

const spotPrices: Part<PriceRow> = {
  requests: () => [get('spot', 'tickers', 'tickers')],
  parse: ([body], { instruments: markets }) =>
    marketRows(bulk(body, 'tickers'), markets, spotTickers),
  needsInstruments: true,
};

const prices = (settle: Settle): Part<PriceRow> => ({
  requests: () => [get(settle, 'tickers', 'tickers')],
  parse: ([body], { instruments: markets }) => marketRows(bulk(body, 'tickers'), markets, tickers),
  needsInstruments: true,
});

/** Reads the contracts, where funding times and the one-sided open interest are; tickers lack both. */
const contracts =
  <Row>(read: Reader<Named, Row>['read']) =>
  (settle: Settle): Part<Row> => ({
    requests: () => pages(settle),
    parse: (bodies, { instruments: markets }) =>
      marketRows(together(bodies), markets, { id: by('name'), fromId: fromId('perpetual'), read }),
    needsInstruments: true,
  });

const derivatives = contracts<DerivativeRow>((row, market) => {
  return derivativeOf(market, {
    mark: positive(row.mark_price),
    index: positive(row.index_price),
    rate: required(row.funding_rate),
    hours: fundingHours(row),
    next: milliseconds(row.funding_next_apply, 1000),
    stated: null,
  });
});

/** `position_size` counts contracts of one side; `total_size` of the tickers may count both. */
const openInterest = contracts<OpenInterestRow>((row, market) => {
  const size = required(row.position_size) * contractOf(row);
  const mark = positive(row.mark_price);
  const [base, value] = row.type === 'inverse' ? [size / mark, size] : [size, size * mark];
  return openInterestOf(market, { base, value, mark, stated: null });
});

const minute = 60;
/** Seconds of each interval. */
const lengths: Readonly<Record<string, number>> = {
  '1m': minute,
  '5m': 5 * minute,
  '15m': 15 * minute,
  '30m': 30 * minute,
  '1h': 60 * minute,
  '4h': 240 * minute,
  '8h': 480 * minute,
  '1d': 1440 * minute,
};

export const gate = defineVenue({
  id: 'gate',
  name: 'Gate',
  kinds: ['spot', 'perpetual'],
  example: 'BTC_USDT',
  apis: {
    spot: api('https://api.gateio.ws'),
    futures: api('https://api.gateio.ws', 'https://fx-api.gateio.ws'),
  },
  parts: ['spot', 'usdt', 'btc'],
  partOf: (market) => (market.endsWith('_USD') ? 'btc' : 'spot'),
  feeds: {
    instruments: {
      every: 3_600_000,
      parts: { spot: spotInstruments, usdt: instruments('usdt'), btc: instruments('btc') },
    },
    prices: {
      every: 30_000,
      parts: { spot: spotPrices, usdt: prices('usdt'), btc: prices('btc') },
    },
    derivatives: { every: 30_000, parts: { usdt: derivatives('usdt'), btc: derivatives('btc') } },
    openInterest: {
      every: 30_000,
      parts: { usdt: openInterest('usdt'), btc: openInterest('btc') },
    },
  },
  queries: {
    orderBook: {
      cap: 50,
      request({ part, market, depth }) {
        const name = part === 'spot' ? 'currency_pair' : 'contract';
        return get(part, 'order_book', 'books', { [name]: market, limit: depth, with_id: 'true' });
      },
      parse(body, ask) {
        const spot = ask.part === 'spot';
        const size = sizeOf(ask, !spot);
        const keys = spot ? ([0, 1] as const) : (['p', 's'] as const);
        return {
          bids: levels(field(body, 'bids'), size, ...keys),
          asks: levels(field(body, 'asks'), size, ...keys),
          stated: milliseconds(field(body, 'current'), spot ? 1 : 1000),
        };
      },
    },
    candles: {
      // No 3m, 6h, 12h, 3d; 2h is not documented. Weeks of `7d` open on Thursdays, months exist on spot only.
      intervals: Object.fromEntries(Object.keys(lengths).map((name) => [name, name])),
      page: 1000,
      request({ part, market, interval, limit, before }) {
        const query = { [part === 'spot' ? 'currency_pair' : 'contract']: market, interval };
        const length = lengths[interval];
        if (before === undefined || length === undefined) {
          return get(part, 'candlesticks', 'candles', { ...query, limit });
        }
        // A range, which may not stand beside `limit`, includes both of its ends.
        const range = { from: before / 1000 - limit * length, to: before / 1000 - length };
        return get(part, 'candlesticks', 'candles', { ...query, ...range });
      },
      parse(body, ask) {
        const size = sizeOf(ask, ask.part !== 'spot');
        return bars(body, size.scale, ask.part === 'spot' ? spotCandle : contractCandle(size));
      },
    },
  },
});
