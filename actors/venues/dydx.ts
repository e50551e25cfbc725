/**
 * dYdX v4: linear perpetuals, quoted in USD and settled in USDC, as its indexer tells them.
 * https://docs.dydx.xyz/indexer-client/http
 */
import { isRecord, positive, required } from '../read.ts';
import {
  type DerivativeRow,
  type Failure,
  type FailureCode,
  type Instrument,
  intervals,
  type OpenInterestRow,
  type PriceRow,
} from '../topics.ts';
import type { UpstreamRequest } from '../upstream/request.ts';
import { openOf } from './candles.ts';
import { timeOf, timeText } from './iso.ts';
import {
  bars,
  bulk,
  by,
  changeOf,
  derivativeOf,
  field,
  instrumentRows,
  levels,
  marketRows,
  type Named,
  openInterestOf,
  priceOf,
  type Reader,
  sizeOf,
  type WireRow,
} from './rows.ts';
import { canonical } from './symbols.ts';
import { defineVenue, type Part, type SharedPart } from './venue.ts';

/** `{errors: [{msg, param?, code?}]}`; of all parameters only the ticker is a client's. */
function fault(status: number, body: unknown): Failure | null {
  if (!isRecord(body) || !Array.isArray(body.errors)) return null;
  const about = body.errors.some((error) => isRecord(error) && error.param === 'ticker');
  return { code: faultCode(status, about), message: `dYdX error ${status}`, status };
}

function faultCode(status: number, aboutTicker: boolean): FailureCode {
  // Order books have 404 for an unknown ticker, candles 400.
  if (status === 404 || (status === 400 && aboutTicker)) return 'unknown_instrument';
  if (status === 429) return 'rate_limited';
  if (status === 403 || status === 451) return 'blocked';
  return status >= 500 ? 'unavailable' : 'refused';
}

const get = (path: string, query: UpstreamRequest['query'] = {}): UpstreamRequest => ({
  api: 'indexer',
  path: `/v4/${path}`,
  query,
});

/** Tickers may hold commas and what a client sent. */
const quoted = (market: string) => encodeURIComponent(market.toWellFormed());

/** `BTC-USD`; a coin of a decentralised exchange is `NAME,DEX,ADDRESS-USD`. */
function fromId(market: string): Named | null {
  const dash = market.lastIndexOf('-');
  const [base = ''] = market.slice(0, Math.max(0, dash)).split(/[,-]/);
  const quote = market.slice(dash + 1);
  if (base === '' || quote === '') return null;
  return { market, kind: 'perpetual', quote, ...canonical(base) };
}

const all = () => [get('perpetualMarkets')];

function rowsOf(body: unknown): readonly unknown[] {
  const markets = field(body, 'markets');
  return bulk(isRecord(markets) ? Object.values(markets) : markets, 'markets');
}

/** True for a market that does not trade (PAUSED, FINAL_SETTLEMENT, …): its price is that of its end. */
const isStopped = (row: unknown) => isRecord(row) && row.status !== 'ACTIVE';

const reader = <Row>(read: Reader<Named, Row>['read']): Reader<Named, Row> => ({
  id: by('ticker'),
  fromId,
  read,
});

const trading = (body: unknown) =>
  bulk(
    rowsOf(body).filter((row) => !isStopped(row)),
    'active markets',
  );

const instruments: Part<Instrument> = {
  requests: all,
  parse: ([body]) =>
    instrumentRows(rowsOf(body), 'ticker', (row, market) => {
      const named = fromId(market);
      const kind = isStopped(row) ? 'other' : 'perpetual';
      return named && { ...named, kind, contract: 1, inverse: false, funding_hours: 1 };
    }),
};

/** No last trade is published in bulk: the oracle's price, which is also what the margin is reckoned with. */
function price(row: WireRow, market: Named): PriceRow | null {
  const last = positive(row.oraclePrice);
  return priceOf(market, {
    last,
    volume: required(row.volume24H),
    // An absolute difference, in USD.
    change: changeOf(last, last - required(row.priceChange24H)),
    stated: null,
  });
}

const prices: Part<PriceRow> = {
  requests: all,
  parse: ([body], context) =>
    marketRows<Named, PriceRow>(trading(body), context.instruments, reader(price)),
};

/** `nextFundingRate` is the running rate of the hour; it is charged when the hour is full. */
const derivatives: SharedPart<DerivativeRow> = {
  bodiesOf: 'prices',
  parse([body], context) {
    const next = openOf(context.received, '1h') + intervals['1h'];
    const read = (row: WireRow, market: Named) => {
      const oracle = positive(row.oraclePrice);
      const rate = required(row.nextFundingRate);
      return derivativeOf(market, {
        mark: oracle,
        index: oracle,
        rate,
        hours: 1,
        next,
        stated: null,
      });
    };
    return marketRows<Named, DerivativeRow>(trading(body), context.instruments, reader(read));
  },
};

/** Base units of one side; `baseOpenInterest` beside it is a parameter of the margin. */
const interest = (row: WireRow, market: Named): OpenInterestRow | null =>
  openInterestOf(market, {
    base: required(row.openInterest),
    value: NaN,
    mark: positive(row.oraclePrice),
    stated: null,
  });

const openInterest: SharedPart<OpenInterestRow> = {
  bodiesOf: 'prices',
  parse: ([body], context) =>
    marketRows<Named, OpenInterestRow>(trading(body), context.instruments, reader(interest)),
};

export const dydx = defineVenue({
  id: 'dydx',
  name: 'dYdX',
  kinds: ['perpetual'],
  example: 'BTC-USD',
  apis: {
    indexer: {
      hosts: ['https://indexer.dydx.trade'],
      budgets: { default: { weight: 100, per: 10_000 } },
      fault,
    },
  },
  parts: ['perp'],
  partOf: () => 'perp',
  feeds: {
    instruments: { every: 3_600_000, parts: { perp: instruments } },
    prices: { every: 30_000, parts: { perp: prices } },
    derivatives: { every: 30_000, parts: { perp: derivatives } },
    openInterest: { every: 30_000, parts: { perp: openInterest } },
  },
  queries: {
    orderBook: {
      // 100 levels a side, whatever is asked for.
      cap: 50,
      request: ({ market }) => get(`orderbooks/perpetualMarket/${quoted(market)}`),
      parse(body, ask) {
        const size = sizeOf(ask, false);
        return {
          bids: levels(field(body, 'bids'), size, 'price', 'size'),
          asks: levels(field(body, 'asks'), size, 'price', 'size'),
          stated: null,
        };
      },
    },
    candles: {
      // No 3m, 2h, 6h, 8h, 12h, 3d, 1w, 1M.
      intervals: {
        '1m': '1MIN',
        '5m': '5MINS',
        '15m': '15MINS',
        '30m': '30MINS',
        '1h': '1HOUR',
        '4h': '4HOURS',
        '1d': '1DAY',
      },
      page: 1000,
      request({ market, interval, limit, before }) {
        // The end is exclusive.
        const query: UpstreamRequest['query'] = {
          resolution: interval,
          limit,
          ...(before !== undefined && { toISO: timeText(before) }),
        };
        return get(`candles/perpetualMarkets/${quoted(market)}`, query);
      },
      parse: (body, ask) =>
        bars(field(body, 'candles'), sizeOf(ask, false).scale, (row) => ({
          timestamp: timeOf(row.startedAt) ?? NaN,
          open: positive(row.open),
          high: positive(row.high),
          low: positive(row.low),
          close: positive(row.close),
          volume: required(row.baseTokenVolume),
          turnover: required(row.usdVolume),
        })),
    },
  },
});
