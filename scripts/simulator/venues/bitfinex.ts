/** Bitfinex: spot and perpetuals, every row an array. Source: the venue's public API v2 documentation. */

import { books, reply } from '../books/bitfinex.ts';
import { opensFrom, opensUntil } from '../calendar.ts';
import { barsOf, bookRows, candleRows, tradeRows } from '../exchange.ts';
import { plain } from '../format.ts';
import { channels } from '../liquidations/bitfinex.ts';
import { bitfinexMarkets } from '../listings/aster-bybit.ts';
import { statesBy, tickerReply, tickersBy } from '../live/bitfinex.ts';
import { together } from '../live/moving.ts';
import type { Market } from '../market.ts';
import { rowsWith } from '../rows.ts';
import { trades as tradeStream, tradesReply } from '../trades/bitfinex.ts';
import type { Ask, Route, SimulatedVenue } from '../venue.ts';
import { Refused } from '../venue.ts';
import { fundingStats, fundingTickers, stats } from './bitfinex-funding.ts';
import { ownNames } from './names.ts';

const venue = 'bitfinex';
const minute = 60_000;
const hour = 60 * minute;

const error = (code: number, message: string) => ['error', code, message];
const refuse = (message: string): never => {
  throw new Refused(500, error(10_020, message));
};
const all = ({ model, now }: Ask) => model.markets(venue, now, 'all');
const trading = (ask: Ask) => all(ask).filter((market) => market.state === 'live');

/** Funding per 8 hours. */
const eightHours = (market: Market, at: number) =>
  (market.fundingRate(at) * 8) / market.fundingHours;
const settling = (now: number) => (Math.floor(now / (8 * hour)) + 1) * 8 * hour;

const { list } = rowsWith({
  amount: ({ trade }) => (trade.bought ? 1 : -1) * trade.quantity,
  askAmount: ({ level }) => -(level?.quantity ?? 0),
  mid: ({ market, now }) => market.round(market.exact(now)),
  next: ({ now }) => settling(now),
  charged: ({ market, now }) => eightHours(market, settling(now) - 8 * hour),
  accrued: ({ market, now }) =>
    eightHours(market, settling(now)) * (1 - (settling(now) - now) / (8 * hour)),
});

const ticker = list(`
  id #bestBid @bestBidSize #bestAsk @bestAskSize #rise #fraction.8 @close #base @high @low`);
/** At 12 what the last of the three times a day has charged, at 9 what has accrued since for the next. */
const status = list(`
  id now null mid #index null 36950860.76010306 null next #accrued.12 82 null #charged.12 null null
  #mark null null #interest.8 null null null 0.0005 0.0025`);
const [bidLevel, askLevel] = [list('#price orders #size.8'), list('#price orders #askAmount.8')];
const candle = list('start @open @close @high @low #base');
const trade = list('tradeId traded #amount.8 @tradePrice');

const spotInfo = (low: string) => [null, null, null, low, '100000.0', ...Array(7).fill(null)];
const futureInfo = (low: string) => [
  null,
  null,
  null,
  low,
  '5000.0',
  null,
  null,
  null,
  0.01,
  0.005,
];

function config(ask: Ask, name: string): unknown {
  const of = (kind: Market['kind']) => all(ask).filter((market) => market.kind === kind);
  const low = (market: Market) => plain(10 / market.exact(ask.now), 8);
  const info = (kind: Market['kind'], facts: (low: string) => unknown[]) =>
    of(kind).map((market) => [market.id.slice(1), facts(low(market))]);
  if (name === 'pub:info:pair') {
    return [...info('spot', spotInfo), ['TESTBTC:TESTUSD', spotInfo('0.001')]];
  }
  if (name === 'pub:info:pair:futures') return info('perpetual', futureInfo);
  if (name === 'pub:list:pair:securities') return ['TITAN1:USD'];
  if (name !== 'pub:map:currency:sym') return refuse('config: invalid');
  // Upper and lower case as the venue has it: USDt.
  return [...ownNames].map(([usual, own]) => [own, usual === 'USDT' ? 'USDt' : usual]);
}

/** `conf/<names, separated by commas>`: one value for each. */
const configs = (ask: Ask) =>
  (ask.path.split('/')[3] ?? '').split(',').map((name) => config(ask, decodeURIComponent(name)));

/** `tickers?symbols=`: `ALL`, or some of them; unknown ones are left out. */
function tickers(ask: Ask): unknown {
  const symbols = ask.query.get('symbols') ?? refuse('symbols: invalid');
  const wanted = symbols === 'ALL' ? null : new Set(symbols.split(','));
  const rows = [...trading(ask).map((market) => ticker(market, ask)), ...fundingTickers(ask)];
  return rows.filter(([id]) => wanted?.has(String(id)) ?? true);
}

/** A contract that ended long ago stays in the answer. */
const gone = [
  ...[
    'tOLDF0:USTF0',
    1_650_000_000_000,
    null,
    1,
    1,
    null,
    0,
    null,
    1_650_002_400_000,
    0,
    0,
    null,
    0,
  ],
  ...[null, null, 1, null, null, 5, null, null, null, 0.0005, 0.0025],
];

/** `status/deriv/<symbol>/hist?limit=&start=&end=`: a row a minute, newest first, without the symbol. */
function statusHistory(ask: Ask, symbol: string): unknown {
  const market = marketOf(ask, symbol);
  const limit = Math.min(time(ask, 'limit', 100), 5_000);
  const from = Math.max(market.listed, time(ask, 'start', 0));
  const until = Math.min(ask.now, time(ask, 'end', ask.now));
  const minutes = market.state === 'live' ? opensUntil({ ms: minute }, from, until, limit) : [];
  return minutes.reverse().map((at) => status(market, { model: ask.model, now: at }).slice(1));
}

/** `status/deriv?keys=`: `ALL`, or some of them. */
function statuses(ask: Ask): unknown {
  const [, , , , symbol] = ask.path.split('/');
  if (symbol !== undefined) return statusHistory(ask, symbol);
  const keys = ask.query.get('keys') ?? refuse('keys: invalid');
  const rows = trading(ask).filter((market) => market.kind === 'perpetual');
  if (keys === 'ALL') return [...rows.map((market) => status(market, ask)), gone];
  const wanted = new Set(keys.split(','));
  return rows.filter(({ id }) => wanted.has(id)).map((market) => status(market, ask));
}

const marketOf = (ask: Ask, id: string): Market =>
  ask.model.market(venue, 'all', decodeURIComponent(id), ask.now) ?? refuse('symbol: invalid');

/** `book/<symbol>/P0?len=`: bids, then asks with negative amounts; 25 levels when absent. */
function book(ask: Ask): unknown {
  const market = marketOf(ask, ask.path.split('/')[3] ?? '');
  const length = Number(ask.query.get('len') ?? 25);
  if (![1, 25, 100].includes(length)) refuse('len: invalid');
  const { bids } = bookRows(bidLevel, market, ask, length);
  return [...bids, ...bookRows(askLevel, market, ask, length).asks];
}

const bars = barsOf('1m 5m 15m 30m 1h 3h 6h 12h 1D=1d 1W=1w 14D=2w 1M');

function time({ query }: Ask, name: string, fallback: number): number {
  const text = query.get(name);
  if (text === null) return fallback;
  return /^\d{1,16}$/.test(text) ? Number(text) : refuse(`${name}: invalid`);
}

/** `candles/trade:<bar>:<symbol>/hist?limit=&start=&end=&sort=`: the newest first, or the oldest where `sort` is 1. */
function candles(ask: Ask): unknown {
  const [, word = '', ...symbol] = decodeURIComponent(ask.path.split('/')[3] ?? '').split(':');
  const market = marketOf(ask, symbol.join(':'));
  const bar = bars[word] ?? refuse('key: invalid');
  const limit = Math.min(time(ask, 'limit', 100), 10_000);
  const from = Math.max(market.listed, time(ask, 'start', 0));
  const until = Math.min(ask.now, time(ask, 'end', ask.now));
  const isAscending = ask.query.get('sort') === '1';
  const opensOf = isAscending ? opensFrom : opensUntil;
  const opens = market.state === 'live' ? opensOf(bar, from, until, limit) : [];
  const rows = candleRows(candle, market, { bar, opens }, ask);
  return isAscending ? rows : rows.reverse();
}

/** `trades/<symbol>/hist?limit=`: newest first; 125 when absent. */
function trades(ask: Ask): unknown {
  const market = marketOf(ask, ask.path.split('/')[3] ?? '');
  return tradeRows(trade, market, ask, Math.min(time(ask, 'limit', 125), 10_000));
}

/** First word below `/v2`, requests a minute, answer. */
const table: readonly (readonly [word: string, limit: number, answer: Route['answer']])[] = [
  ['conf', 90, configs],
  ['tickers', 90, tickers],
  ['status', 90, statuses],
  ['book', 240, book],
  ['candles', 90, candles],
  ['trades', 15, trades],
  ['stats1', 15, stats],
  ['funding', 90, fundingStats],
];

const routes: ReadonlyMap<string, Route> = new Map(
  table.map(([word, , answer]) => [word, { bucket: word, weight: () => 1, answer }]),
);

const tooMany = { status: 429, body: error(11_010, 'ratelimit: error') };

/** The simulated venue. */
export const bitfinex: SimulatedVenue = {
  id: venue,
  hosts: ['api-pub.bitfinex.com', 'api.bitfinex.com'],
  markets: bitfinexMarkets,
  route(path) {
    const [, version, word = ''] = path.split('/');
    return version === 'v2' ? routes.get(word) : undefined;
  },
  buckets: Object.fromEntries(table.map(([word, weight]) => [word, { weight, per: minute }])),
  refusals: {
    rate_limit: tooMany,
    ban: { ...tooMany, status: 403 },
    server_error: { status: 500, body: error(20_060, 'maintenance') },
  },
  channels: together(channels, tickersBy(ticker), statesBy(status), tradeStream, books),
  /** A subscription is acknowledged with its channel. */
  reply(frame) {
    const message: unknown = JSON.parse(frame);
    if (typeof message !== 'object' || message === null || !('event' in message)) return [];
    if (message.event === 'conf' || message.event === 'unsubscribe') return [];
    const named = [...reply(frame), ...tickerReply(frame), ...tradesReply(frame)];
    if (named.length > 0) return named;
    if (message.event === 'ping') return [JSON.stringify({ ...message, event: 'pong' })];
    return [JSON.stringify({ ...message, event: 'subscribed', chanId: 386_841 })];
  },
};
