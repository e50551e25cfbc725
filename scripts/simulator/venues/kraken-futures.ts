/** Kraken Futures: numbers are numbers, times are text. https://docs.kraken.com/api/docs/futures-api */
import { crc32 } from 'node:zlib';
import { answersOf } from '../answers.ts';
import type { WireLevel } from '../book.ts';
import { type BookUpdate, books, stepsOf } from '../book-streams.ts';
import { nextOpen } from '../calendar.ts';
import { eachForced, forcedRows, liquidations, pastForced, trades } from '../events.ts';
import { plain } from '../format.ts';
import type { Market } from '../market.ts';
import { Parameters, pageOf, rowsAt } from '../pages.ts';
import { nextHour, type Row, rowsOf, type Sight } from '../rows.ts';
import { type Channel, ticker as tickerChannel, timed } from '../streams.ts';
import { type Ask, Refused } from '../venue.ts';
import { krakenName } from './names.ts';

const hour = 3_600_000;
const iso = (t: number) => new Date(t).toISOString();
const success = (now: number, body: object) => ({
  result: 'success',
  ...body,
  serverTime: iso(now),
});
const listed = ({ model, now }: Ask) => model.markets('kraken', now, 'futures');
const missing = (): never => {
  throw new Refused(404, { errors: [] });
};
const parameters = new Parameters(missing);

/** The contract of an id, in any case. */
const found = (ask: Ask): Market | undefined => {
  const id = ask.query.get('symbol')?.toUpperCase();
  return listed(ask).find((market) => market.id.toUpperCase() === id);
};
const contractOf = (ask: Ask): Market => {
  const market = found(ask);
  if (market) return market;
  const body = { result: 'error', error: 'contractNotFound', serverTime: iso(ask.now) };
  throw new Refused(200, body);
};

const isFunded = ({ kind }: Market) => kind === 'perpetual';
/** What an hour costs that ends so many hours after the running one. */
const hourly =
  (later: number) =>
  ({ market, now }: Sight) =>
    market.fundingRate(nextHour(now) + later * hour) / market.fundingHours;
/** Rates are amounts: USD for a base unit, or base for a contract of one USD. */
const paid = (rate: number, { market, now }: Sight) =>
  rate * (market.inverse ? 1 / market.exact(now) : market.exact(now));
/** Contracts of one side. */
const heldAt = (market: Market, time: number): string => {
  const base = market.openInterest(time);
  return plain(market.inverse ? base * market.exact(time) : base, 4);
};
/** Accounts whose sides are counted. */
const accounts = 2000;
const longs = ({ market, now }: Sight) => Math.round(accounts * market.longShare(now, 0));

const { row, list } = rowsOf('kraken', {
  ended: ({ market: { expires } }) => iso(expires ?? 0),
  ownPair: ({ market }) => `${krakenName(market.symbol)}:${market.quote}`,
  lastTime: ({ market, now }) => iso(now - 1000 * (market.seed % 60)),
  due: (sight) => paid(hourly(0)(sight), sight),
  dueNext: (sight) => paid(hourly(1)(sight), sight),
  relative: hourly(0),
  relativeNext: hourly(1),
  nextHour: ({ now }) => nextHour(now),
  nextHourIso: ({ now }) => iso(nextHour(now)),
  seq: ({ trade }) => trade.id % 1e8,
  longs,
  shorts: (sight) => accounts - longs(sight),
  volume: ({ market, stretch }) => plain(stretch.quantity, market.lot),
  differential: ({ market, stretch }) => plain(stretch.quantity - 2 * stretch.bought, market.lot),
});

/** Contracts of one dollar, or base units. */
const held = 'isInverse?#interestValue.0:#interest.8';
const described = `
  symbol=id tickSize=@tick contractSize=@contract contractValueTradePrecision=lot tradeable=isLive
  base=symbol quote pair='{symbol}:{quote}' lastTradingTime=isDated?ended:-`;
const instruments = {
  inverse: row(described, 'futures-instruments instruments.0'),
  linear: row(described, 'futures-instruments instruments.1'),
};
const instrumentOf: Row = (market, at) =>
  instruments[market.inverse ? 'inverse' : 'linear'](market, at);
const tickerRow = row(`
  tag=isPerpetual:perpetual/quarter fundingRate=isPerpetual?due:-
  fundingRatePrediction=isPerpetual?dueNext:- pair=ownPair
  symbol=id markPrice=@mark bid=@bestBid bidSize=@bestBidSize ask=@bestAsk askSize=@bestAskSize
  vol24h=#quantity open24h=@open indexPrice=@index last=@last lastTime lastSize=@step
  suspended=isHalted postOnly=false change24h=#percent openInterest=${held} volumeQuote=isInverse?#quantity.4:#turnover.4
  high24h=@high low24h=@low`);

/** `tickers`: every contract, and an index, which has a last value and a time. */
const allTickers = (ask: Ask) => {
  const index = { symbol: 'in_xbtusd', last: 100_000, lastTime: iso(ask.now) };
  const rows = listed(ask).map((market) => tickerRow(market, ask));
  return success(ask.now, { tickers: [...rows, index] });
};
const { book } = answersOf({
  venue: 'kraken',
  parameters,
  marketOf: contractOf,
  ok: (orderBook, ask) => success(ask.now, { orderBook }),
});

/** Seconds, both included, from a start on; at most 2000, oldest first, and whether there are more. */
const range = 'rows 2001; to to; seconds; onward; always';
/** The first 2000 from a start on; the last ones without it. */
const paged = <Made>(rows: readonly Made[], isFrom: boolean) => ({
  rows: isFrom ? rows.slice(0, 2000) : rows.slice(-2000),
  more: isFrom && rows.length > 2000,
});
const candlesOf = (made: Row) => {
  const page = parameters.page(
    made,
    `in resolution 1m 5m 15m 30m 1h 4h 12h 1d 1w=7d; from from; ${range}`,
  );
  return (ask: Ask) => {
    const { rows, more } = paged(page(ask, found(ask) ?? missing()), ask.query.has('from'));
    return { candles: rows, more_candles: more };
  };
};
const flat = (price: string) =>
  row(`time=start open=${price} high=${price} low=${price} close=${price} volume='0'`);

const analytics = {
  'long-short-info': row('longCount=longs shortCount=shorts'),
  'trade-volume': row('value=volume'),
  'aggressor-differential': row('value=differential'),
} as const;
const chartPage = pageOf(`
  in interval 60=1m 300=5m 900=15m 1800=30m 3600=1h 14400=4h 43200=12h 86400=1d 604800=7d;
  from since; ${range}`);
/** `analytics/{symbol}/{type}?since=&to=&interval=`: lists side by side, times in seconds. */
const charts = (ask: Ask) => {
  const market = found(ask) ?? missing();
  const type = ask.query.get('type') ?? '';
  const { bar, opens } = parameters.times(chartPage, ask, market);
  const { rows: times, more } = paged(opens, ask.query.has('since'));
  const made = Object.entries(analytics).find(([name]) => name === type)?.[1];
  if (!made && type !== 'open-interest') missing();
  const rows = made ? rowsAt(made, market, { bar, opens: times }, { ask, points: 'taken' }) : [];
  const interest = () =>
    times.map((time) => {
      const end = Math.min(ask.now, nextOpen(bar, time));
      return [time, time, end, end].map((at) => heldAt(market, at));
    });
  const sides = () => ({
    longCount: rows.map((one) => one.longCount),
    shortCount: rows.map((one) => one.shortCount),
  });
  const others = () => (made ? rows.map(({ value }) => value) : interest());
  const data = type === 'long-short-info' ? sides() : others();
  return { result: { timestamp: times.map((time) => time / 1000), more, data }, errors: [] };
};

/** `historicalfundingrates?symbol=`: 2001 hours by their starts, ascending, about a year less than there are; amounts and fractions. */
const charged = parameters.page(
  row('timestamp=iso fundingRate=due relativeFundingRate=relative'),
  'every 1h; rows 2001; points; always',
);

const uid = '00000000-0000-4000-8000-{tradeId}';
const tradeOf = (type: string) =>
  row(`
    feed='trade' product_id=id uid='${uid}' side=taker type='${type}' seq time=traded qty=@tradeSize
    price=@tradePrice`);
const pastTrade = row(`
  time=tradedIso trade_id=seq price=@tradePrice size=@tradeSize side=taker type='liquidation' uid='${uid}'`);
/** `history?symbol=&lastTime=`: the hundred trades before a time, of half an hour, all of them liquidations. */
function history(ask: Ask) {
  const to = Date.parse(ask.query.get('lastTime') ?? '') || ask.now;
  const bounds = { from: to - 1_800_000, to, limit: 10_000 };
  const all = pastForced(ask, { venue: 'kraken', wants: isFunded }, bounds);
  const own = all.filter(({ market }) => market.id === ask.query.get('symbol'));
  return { result: 'success', history: forcedRows(pastTrade, own.slice(0, 100), ask) };
}

/** What each path answers. */
export const answers = {
  '/derivatives/api/v3/instruments': (ask: Ask) =>
    success(ask.now, { instruments: listed(ask).map((market) => instrumentOf(market, ask)) }),
  '/derivatives/api/v3/tickers': allTickers,
  '/derivatives/api/v3/orderbook': book({
    row: row('bids asks'),
    level: list('@price #size'),
    depth: 200,
  }),
  '/derivatives/api/v3/history': history,
  '/derivatives/api/v4/historicalfundingrates': (ask: Ask) =>
    success(ask.now, { rates: charged(ask, contractOf(ask)) }),
  '/api/charts/v1/trade/{symbol}/{resolution}': candlesOf(
    row('time=start open high low close volume=quantity'),
  ),
  '/api/charts/v1/mark/{symbol}/{resolution}': candlesOf(flat('markThen')),
  '/api/charts/v1/spot/{symbol}/{resolution}': candlesOf(flat('indexThen')),
  '/api/charts/v1/analytics/{symbol}/{type}': charts,
};

/** Rates are fractions an hour. */
const funding = `
  relative_funding_rate=isPerpetual?relative:-
  relative_funding_rate_prediction=isPerpetual?relativeNext:-`;
const streamed = row(`
  time=now product_id=id feed='ticker' bid=@bestBid ask=@bestAsk last=@last suspended=isHalted
  tag=isPerpetual:perpetual/quarter volume=#quantity change=#percent index=@index markPrice=@mark
  openInterest=${held} pair=ownPair volumeQuote=isInverse?#quantity.4:#turnover.4 ${funding}
  next_funding_rate_time=isPerpetual?nextHour:-`);

/** Messages of one update: as many as there are changes at most, the last of them again where there are fewer. */
const depth = 10;
const every = 4;
const perUpdate = 4 * depth;
const levelOf = ([price, qty]: WireLevel) => ({ price: Number(price), qty: Number(qty) });
/** A message for every level, counted by product. */
function bookMessages(update: BookUpdate): unknown[] {
  const { market, now: timestamp, whole, bids, asks } = update;
  const product_id = market.id;
  const end = (Math.floor(timestamp / (every * 1_000)) + 1) * perUpdate;
  if (whole) {
    const about = { feed: 'book_snapshot', product_id, timestamp, seq: end - 1, tickSize: null };
    return [{ ...about, bids: bids.map(levelOf), asks: asks.map(levelOf) }];
  }
  const rows = stepsOf(update).map(([of, level]) => {
    return { side: of === 'bids' ? 'buy' : 'sell', ...levelOf(level) };
  });
  return Array.from({ length: perUpdate }, (_, i) => {
    const row = rows[Math.min(i, rows.length - 1)];
    return { feed: 'book', product_id, seq: end - perUpdate + i, timestamp, ...row };
  });
}

/** The digits of a number without its point and leading zeros. */
const digits = (value: string, decimals: number): string =>
  Number(value).toFixed(decimals).replace('.', '').replace(/^0+/, '');
/** That of the ten best levels of each side, as version 2 of the protocol has it. */
const checksumOf = ({ market, top }: BookUpdate): number => {
  const lot = Math.max(0, market.lot);
  const textOf = (levels: readonly WireLevel[]) =>
    levels.map(([price, size]) => digits(price, market.decimals) + digits(size, lot)).join('');
  return crc32(textOf(top.asks.slice(0, 10)) + textOf(top.bids.slice(0, 10)));
};
/** Version 2 of the protocol; documents do not name the fields behind the change. */
const unifiedTicker = row(`
  channel='ticker' type='update' data[ { symbol=id bid=@bestBid ask=@bestAsk last=@last volume=#quantity low=@low high=@high
  change_pct=#percent mark_price=@mark index_price=@index open_interest=${held} timestamp=iso
  ${funding} next_funding_rate_time=isPerpetual?nextHourIso:- } ]`);
const unifiedPair = row(`
  symbol=id base=symbol quote status=isLive:online/cancel_only qty_precision=lot price_increment=@tick`);
const unifiedTrade = row(`
  symbol=id side=taker price=@tradePrice qty=@tradeSize trade_id=tradeId timestamp=tradedIso`);
/** A book under the name of its market, with its checksum: the form of spot too. */
export const bookWith =
  (nameOf: (market: Market) => string) =>
  (update: BookUpdate): unknown[] => {
    const { market, now, whole, bids, asks } = update;
    const sides = { bids: bids.map(levelOf), asks: asks.map(levelOf) };
    const about = { symbol: nameOf(market), checksum: checksumOf(update), timestamp: iso(now) };
    const type = whole ? 'snapshot' : 'update';
    return [{ channel: 'book', type, data: [{ ...about, ...sides }] }];
  };
const group = () => 'futures';
/** What is sent on each topic. */
export const channels: Readonly<Record<string, Channel>> = {
  'futures ticker {id}': tickerChannel(streamed, { group }),
  'futures trade {id}': liquidations(eachForced(tradeOf('liquidation')), ({ id }) => `spot ${id}`),
  'futures fill {id}': trades(tradeOf('fill'), undefined, { group }),
  'heartbeat trade': timed(5, ({ now: time }) => [{ time, feed: 'heartbeat' }]),
  'futures book {id}': books({ depth, every, group, tell: bookMessages }),
  // In the form of spot.
  'unified instrument': {
    messages(_, at) {
      if (!at.first) return [];
      const pairs = at.model
        .markets('kraken', at.now, 'futures')
        .map((market) => unifiedPair(market, at));
      return [{ channel: 'instrument', type: 'snapshot', data: { assets: [], pairs } }];
    },
  },
  'unified ticker {id}': tickerChannel(unifiedTicker, { group }),
  'unified trade {id}': trades(
    unifiedTrade,
    (data) => [{ channel: 'trade', type: 'update', data }],
    { group },
  ),
  'unified book {id}': books({ group, tell: bookWith(({ id }) => id) }),
};
