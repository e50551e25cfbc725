/**
 * dYdX v4: linear perpetuals, quoted in USD and settled in USDC, read from its indexer.
 * https://docs.dydx.xyz/indexer-client/http
 */

import { openOf } from '../../../indicators/market/candles.ts';
import { bulk, field, isRecord, positive, required, type WireRow } from '../../read.ts';
import type { Apis, RequestOf } from '../../sources/define.ts';
import {
  defineVenue,
  everyHalfMinute,
  everyHour,
  type MarketPoll,
  type SharedPoll,
} from '../../sources/venue.ts';
import {
  type DerivativeRow,
  type Instrument,
  intervals,
  type OpenInterestRow,
  type PriceRow,
} from '../../topics/index.ts';
import type { Faults } from '../../upstream/faults.ts';
import type { Query } from '../../upstream/request.ts';
import { timeOf, timeText } from '../iso.ts';
import { barOf, bars, bookOf, sizeOf, spelled } from '../levels-and-bars.ts';
import {
  besidePrices,
  by,
  changeOf,
  derivativeOf,
  instrumentRows,
  marketRows,
  type Named,
  openInterestOf,
  priceOf,
  type Reader,
} from '../rows.ts';
import { canonical } from '../symbols.ts';
import { neverTradedBy } from '../wire.ts';
import { fundingHistory } from './analytics.ts';
import { books } from './books.ts';
import { liquidations } from './liquidations.ts';

/** Where a candle has its numbers. */
const candleKeys = { ...spelled, volume: 'baseTokenVolume', turnover: 'usdVolume' };

/** `{errors: [{msg, param?, code?}]}`; of all parameters only the ticker is a client's. */
const faults: Faults = {
  name: 'dYdX',
  when: ({ errors }) => Array.isArray(errors),
  message: ['errors.0.param', 'errors.1.param'],
  patterns: [
    // Order books have 404 for an unknown ticker, candles 400.
    { status: 404, means: 'unknown_instrument' },
    { status: 400, text: /^ticker$/, means: 'unknown_instrument' },
  ],
};

const apis = {
  indexer: {
    hosts: ['https://indexer.dydx.trade'],
    budgets: { default: { weight: 100, per: 10_000 } },
    faults,
  },
} as const satisfies Apis;

type Ask = RequestOf<typeof apis>;

const get = (path: string, query: Query = {}): Ask => ({
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

const instruments: MarketPoll<Instrument, Ask> = {
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

const prices: MarketPoll<PriceRow, Ask> = {
  requests: all,
  parse: ([body], context) =>
    marketRows<Named, PriceRow>(trading(body), context.instruments, {
      ...reader(price),
      isUntraded: neverTradedBy('oraclePrice', 'volume24H'),
    }),
};

/** `nextFundingRate` is the running rate of the hour; it is charged when the hour is full. */
const derivatives: SharedPoll<DerivativeRow> = {
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

const openInterest: SharedPoll<OpenInterestRow> = besidePrices(trading, reader(interest));

export const dydx = defineVenue({
  id: 'dydx',
  name: 'dYdX',
  kinds: ['perpetual'],
  example: 'BTC-USD',
  apis,
  parts: ['perp'],
  partOf: () => 'perp',
  feeds: {
    instruments: everyHour({ perp: instruments }),
    prices: everyHalfMinute({ perp: prices }),
    derivatives: everyHalfMinute({ perp: derivatives }),
    openInterest: everyHalfMinute({ perp: openInterest }),
  },
  events: { liquidations },
  books,
  queries: {
    orderBook: {
      // 100 levels a side, whatever is asked for.
      cap: 50,
      most: 100,
      request: ({ market }) => get(`orderbooks/perpetualMarket/${quoted(market)}`),
      parse(body, ask) {
        const size = sizeOf(ask, false);
        return bookOf(body, size, null, { price: 'price', quantity: 'size' });
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
        const query: Query = {
          resolution: interval,
          limit,
          ...(before !== undefined && { toISO: timeText(before) }),
        };
        return get(`candles/perpetualMarkets/${quoted(market)}`, query);
      },
      parse: (body, ask) =>
        bars(field(body, 'candles'), sizeOf(ask, false).scale, (row) =>
          barOf(row, timeOf(row.startedAt) ?? NaN, candleKeys),
        ),
    },
    fundingHistory: fundingHistory(get),
  },
});
