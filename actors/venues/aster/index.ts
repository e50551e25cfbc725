/** Aster: spot and linear perpetuals, each an API of its own in the manner of Binance. https://github.com/asterdex/api-docs */
import { hour } from '../../../config/time.ts';
import {
  bulk,
  field,
  isRecord,
  list,
  positive,
  required,
  text,
  time,
  type WireRow,
} from '../../read.ts';
import type { Apis, RequestOf } from '../../sources/define.ts';
import { sameWords } from '../../sources/queries/candles.ts';
import { byPart, defineVenue, everyHalfMinute, everyTenMinutes } from '../../sources/venue.ts';
import type { Instrument } from '../../topics/index.ts';
import type { Api, Query } from '../../upstream/request.ts';
import { mayFail } from '../apis.ts';
import {
  budgets,
  candleForm,
  candleQuery,
  candleWeight,
  faultsOf,
  futuresBookWeight,
  futuresDepth,
  interests,
  premium,
  ticker,
} from '../binance/form.ts';
import { tickIn } from '../binance/rules.ts';
import { depthStream, liquidationsAt, marksAt, pricesAt } from '../binance/streams.ts';
import { book, byPartOf, candles } from '../levels-and-bars.ts';
import { listing } from '../listings.ts';
import { markets } from '../markets.ts';
import { buyerIsMaker, recentTrades } from '../trades.ts';

type PartName = 'spot' | 'linear';

const api = (host: string, weight: number) =>
  ({ hosts: [host], budgets: budgets(weight), faults: faultsOf('Aster') }) as const satisfies Api;

const apis = {
  // The documentation's examples disagree, from 1200 to 6000; the header corrects it.
  spot: api('https://sapi.asterdex.com', 1200),
  linear: api('https://fapi.asterdex.com', 2400),
} as const satisfies Apis;

type Ask = RequestOf<typeof apis>;

const get = (part: PartName, path: string, weight: number, query: Query = {}): Ask => ({
  api: part,
  path: `${part === 'spot' ? '/api/v3' : '/fapi/v3'}${path}`,
  query,
  weight,
});

/** TEST and what begins so are the venue's own test symbols. */
function kindOf(row: WireRow, part: PartName): Instrument['kind'] {
  const base = text(row.baseAsset);
  if (row.status !== 'TRADING' || base === '' || base.startsWith('TEST')) return 'other';
  if (part === 'spot') return 'spot';
  return row.contractType === 'PERPETUAL' ? 'perpetual' : 'other';
}

/** Some contracts state no base: they keep their symbol as one, unfollowed. */
const instruments = (part: PartName) =>
  listing({
    venue: 'aster',
    requests: get(part, '/exchangeInfo', 1),
    rows: 'symbols',
    id: 'symbol',
    read: (row, market) => ({
      kind: kindOf(row, part),
      base: text(row.baseAsset) || market,
      quote: text(row.quoteAsset),
    }),
    tick: tickIn,
  });

const tickers = markets(ticker);

/**
 * The hours between fundings that a row of `fundingInfo` states. It is not documented that the list has every symbol: one that is
 * missing (`listed` is false) has the usual 8 hours, if its next funding is at a time that those can give; else they are unknown, as
 * they all are without the list (`listed` is null).
 */
function hoursOf({ listed, fundingIntervalHours, nextFundingTime }: WireRow): number {
  if (listed === true) return positive(fundingIntervalHours);
  const next = time(nextFundingTime);
  return listed === false && next !== null && next % (8 * hour) === 0 ? 8 : required(null);
}

/** The marks with what `fundingInfo` says of their symbols. */
function withHours(index: unknown, info: unknown): readonly WireRow[] {
  const rows = info === undefined ? null : list(info, 'funding info').filter(isRecord);
  const stated = rows && new Map(rows.map((row) => [text(row.symbol), row.fundingIntervalHours]));
  return bulk(index, 'premium index')
    .map((row) => (isRecord(row) ? row : {}))
    .map((row) => ({
      ...row,
      listed: stated?.has(text(row.symbol)) ?? null,
      fundingIntervalHours: stated?.get(text(row.symbol)),
    }));
}

const derivatives = markets({
  ...premium,
  rows: ([index, info]) => withHours(index, info),
  derivative: { ...premium.derivative, hours: hoursOf },
}).poll(() => [get('linear', '/premiumIndex', 1), mayFail(get('linear', '/fundingInfo', 1))]);

/** `openInterest` is not documented, but answers: one symbol at a time, one side (the venue's pages show two). */
const openInterest = interests(get('linear', '/premiumIndex', 1), (symbol) =>
  get('linear', '/openInterest', 1, { symbol }),
);

const addresses = {
  spot: 'wss://sstream.asterdex.com/ws',
  linear: 'wss://fstream.asterdex.com/ws',
} as const;

const live = {
  prices: { spot: pricesAt(addresses.spot), linear: pricesAt(addresses.linear) },
  derivatives: { linear: marksAt(addresses.linear) },
};

const liquidations = { linear: liquidationsAt(addresses.linear) };

const depth = (part: PartName, pace: number) =>
  depthStream({ url: addresses[part], rule: 'chained', pace }, (symbol, limit) =>
    get(part, '/depth', futuresBookWeight(limit), { symbol, limit }),
  );

const books = { spot: depth('spot', 250), linear: depth('linear', 150) };

/** The newest fills; the weight is not documented and taken from Binance's. */
const tradesOf = (part: PartName) => ({
  most: 1000,
  request: ({ market, limit }: { market: string; limit: number }) =>
    get(part, '/trades', 5, { symbol: market, limit }),
  rows: '',
  columns: {
    ...{ id: 'id', at: 'time', price: 'price', quantity: 'qty' },
    bought: buyerIsMaker('isBuyerMaker'),
  },
});

export const aster = defineVenue({
  id: 'aster',
  name: 'Aster',
  kinds: ['spot', 'perpetual'],
  example: 'BTCUSDT',
  apis,
  parts: ['spot', 'linear'],
  // Both write BTCUSDT: the form states no part.
  feeds: {
    instruments: everyTenMinutes(byPart(instruments, 'spot', 'linear')),
    prices: everyHalfMinute(
      byPart((part) => tickers.poll(get(part, '/ticker/24hr', 40)), 'spot', 'linear'),
    ),
    derivatives: everyHalfMinute({ linear: derivatives }),
    openInterest: everyHalfMinute({ linear: openInterest }),
  },
  live,
  books,
  events: { liquidations },
  queries: {
    orderBook: {
      cap: 50,
      most: 1000,
      request: ({ part, market, depth }) =>
        get(part, '/depth', futuresBookWeight(depth), {
          symbol: market,
          limit: futuresDepth(depth),
        }),
      // T is when the book was so, E when that was sent.
      parse: book({ stated: (body) => time(field(body, 'T')) ?? field(body, 'E') }),
    },
    candles: {
      intervals: sameWords,
      page: 1500,
      forward: ['spot', 'linear'],
      request: (ask) => get(ask.part, '/klines', candleWeight(ask.limit), candleQuery(ask)),
      // Rows of spot end with what takers bought, and have no twelfth value.
      parse: byPartOf({ spot: candles({ ...candleForm, width: 11 }) }, candles(candleForm)),
    },
    recentTrades: recentTrades<Ask>(byPart(tradesOf, 'spot', 'linear')),
  },
});
