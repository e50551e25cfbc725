/** Crypto.com Exchange: spot, perpetuals, futures. https://exchange-docs.crypto.com/exchange/v1 */
import { asRow } from '../../../actors/read.ts';
import { answersOf } from '../answers.ts';
import { bookMessages } from '../book-streams.ts';
import { exchange, refusalsOf, under } from '../exchange.ts';
import { fixed, plain } from '../format.ts';
import { date, dated, without } from '../listing.ts';
import type { Market } from '../market.ts';
import { Parameters } from '../pages.ts';
import { rowsOf, whileLive } from '../rows.ts';
import { ordered, subscribing, textsOf, ticker, timed } from '../streams.ts';
import { type Ask, Refused } from '../venue.ts';

const venue = 'cryptocom';
const hour = 3_600_000;

const parameters = new Parameters((name) => {
  throw new Refused(400, { code: 40_004, message: `Invalid ${name}` });
});
const ok = (result: unknown, { path }: Ask) => {
  return { id: -1, method: path.replace('/exchange/v1/', ''), code: 0, result };
};
const nameIn = (ask: Ask) => ask.query.get('instrument_name') ?? '';
const marketOf = (ask: Ask): Market =>
  ask.model.market(venue, 'all', nameIn(ask), ask.now) ?? parameters.refuse('instrument_name', ask);

const form = { venue, parameters, marketOf };
const { book } = answersOf({ ...form, ok });
const { all, one } = answersOf({ ...form, ok: (data, ask) => ok({ data: [data].flat() }, ask) });
const { page } = answersOf({
  ...form,
  ok: (data, ask) => {
    const interval = ask.query.get('timeframe') ?? '1m';
    return ok({ interval, data, instrument_name: nameIn(ask) }, ask);
  },
});

const isSpot = ({ kind }: Market) => kind === 'spot';
const typeOf = (market: Market): string => {
  if (isSpot(market)) return 'CCY_PAIR';
  return market.expires === undefined ? 'PERPETUAL_SWAP' : 'FUTURE';
};
const indexOf = ({ symbol, quote }: Market) => `${symbol}${quote}-INDEX`;

const { row } = rowsOf(venue, {
  // What does not trade has null for its prices.
  ...whileLive(null, 'high low close fraction'),
  bid: ({ best }) => best.bid?.price ?? null,
  ask: ({ best }) => best.ask?.price ?? null,
  type: ({ market }) => typeOf(market),
  levels: ({ query }) => Number(query?.get('depth') ?? 50),
  /** Dollars. */
  value: ({ market, model, stretch, now }) =>
    stretch.turnover * (market.dollars ?? model.dollarsOf(market.quote, now)),
});
const instrument = row(
  `symbol=id inst_type=type display_name=id base_ccy=symbol quote_ccy=quote quote_decimals=decimals
  quantity_decimals=lot price_tick_size=tick qty_tick_size=step tradable=isLive
  expiry_timestamp_ms=expires product_type=isShare:EQUITY/DIGITAL_CURRENCIES
  contract_size=isSpot?-:'1'`,
  'all-instruments result.data',
);
const tickerOf = row(
  `i=id h=high l=low a=close v=base vv=value.2f c=fraction.4f b=bid k=ask t=now
  oi=isSpot?-:interest.8`,
);
/** `get-tickers`, with `instrument_name` only that one. */
const tickers = (ask: Ask) =>
  (ask.query.has('instrument_name') ? one(tickerOf) : all(tickerOf))(ask);

/** Funding as a fraction per hour: the rate of the interval that `t` is in, divided by its hours. */
const hourly = (market: Market, t: number) =>
  plain(market.fundingRate(market.fundingTimes(t).next) / market.fundingHours, 15);
type Value = (market: Market, now: number) => readonly [v: string, t: number];
const values: Readonly<Record<string, Value>> = {
  mark_price: (market, now) => [plain(market.exact(now), market.decimals + 2), now],
  index_price: (market, now) => [plain(market.index(now), market.decimals + 2), now],
  estimated_funding_rate: (market, now) => [hourly(market, now + 4 * hour), now],
  funding_rate: (market, now) => [hourly(market, now), Math.floor(now / hour) * hour],
};

/** The contract of a valuation; an index price is also to be had by the name of the index. */
function valued(ask: Ask, type: string): Market {
  const isIndex = type === 'index_price' && nameIn(ask).endsWith('-INDEX');
  const all = isIndex ? ask.model.markets(venue, ask.now) : [];
  const market = all.find((one) => !isSpot(one) && indexOf(one) === nameIn(ask)) ?? marketOf(ask);
  return isSpot(market) ? parameters.refuse('instrument_name', ask) : market;
}

/** `get-valuations?instrument_name=&valuation_type=&count=`; an index answers under its own name. */
function valuations(ask: Ask) {
  const type = ask.query.get('valuation_type') ?? '';
  const market = valued(ask, type);
  const count = parameters.count(ask, ['count', 25, 300]);
  const last = Math.floor(ask.now / hour) * hour;
  const hours = Array.from({ length: count }, (_, i) => last - (count - 1 - i) * hour);
  const value = Object.hasOwn(values, type) ? values[type] : undefined;
  if (!value && type !== 'funding_hist') parameters.refuse('valuation_type', ask);
  const data = value ? [value(market, ask.now)] : hours.map((t) => [hourly(market, t), t] as const);
  const instrument_name = type === 'index_price' ? indexOf(market) : market.id;
  return ok({ data: data.map(([v, t]) => ({ v, t })), instrument_name }, ask);
}

const candles = page(
  row('o=open+0f h=high+0f l=low+0f c=close+0f v=base.8f t=start'),
  `in timeframe:1m 1m 5m 15m 30m 1h 4h 6h 12h 1D=1d 7D=7d 14D=14d 1M; rows count 25 300;
  from start_ts; to end_ts`,
);

/** A message about a market, under the name that it has in the channel. */
const message = (channel: string, topic: string, instrument_name: string, more: object) => {
  const result = { instrument_name, subscription: topic, channel, ...more };
  return { id: -1, method: 'subscribe', code: 0, result };
};
/** Channels of one value each. */
const valueChannel = (name: string, type: string, every: number, idOf = ({ id }: Market) => id) =>
  ticker(
    (market, { now }) => {
      const [v, t] = values[type]?.(market, now) ?? ['', 0];
      return message(name, `${name}.${idOf(market)}`, idOf(market), { data: [{ v, t }] });
    },
    { every, id: (market) => (market.kind === 'perpetual' ? idOf(market) : '-') },
  );

const bookMessage = (channel: string, data: string) =>
  row(`
    id=-1 method='subscribe' code=0 result{ instrument_name=id subscription='book.{id}.50'
    channel='${channel}' depth=50 data[ { ${data} t=now tt=now u=sequence cs=1 } ] }`);
const wholeBook = bookMessage('book', 'asks bids');
const bookUpdate = bookMessage('book.update', 'update{ asks bids } pu=previous');

/** The simulated exchange. */
export const cryptocom = exchange({
  id: venue,
  hosts: ['api.crypto.com', 'stream.crypto.com'],
  lists: without(5, 4),
  sorts: { spot: '{base}_{quote} spot=all', perpetual: '{base}{quote}-PERP group=all' },
  lines: `
    spot USDT 0.01
    spot USD 0.02 0..60
    spot USD 0.01 stables
    spot BTC 0.002 1..4
    perpetual USD 0.02 70% halted@999
    perpetual USD 0.02 equities
    perpetual USD 0.0005 0..2 dated`,
  more: { dated: dated(date('-', '-PERP')) },
  refusals: refusalsOf(
    (code: number, message) => ({ code, message }),
    [429, 42_901, 'TOO_MANY_REQUESTS'],
    [403, 42_901, 'TOO_MANY_REQUESTS'],
    [503, 9_010_001, 'SYSTEM_MAINTENANCE'],
  ),
  routes: under('/exchange/v1/public/get-', {
    instruments: all(instrument),
    tickers,
    book: book({
      row: row('depth=levels data[ { bids asks t=now } ] instrument_name=id'),
      level: rowsOf(venue, {}, { write: fixed }).list('price size $orders'),
      depth: ['depth', 50, 150],
    }),
    valuations,
    candlestick: candles,
  }),
  topics: ({ method, params }) =>
    ordered(method, subscribing, [...textsOf(asRow(params).channels), 'heartbeat']),
  group: () => 'all',
  channels: {
    'ticker.{id}': ticker((market, at) =>
      message('ticker', `ticker.${market.id}`, market.id, { data: [tickerOf(market, at)] }),
    ),
    'mark.{id}': valueChannel('mark', 'mark_price', 1),
    'index.{id}': valueChannel('index', 'index_price', 1, indexOf),
    'funding.{id}': valueChannel('funding', 'funding_rate', 60),
    heartbeat: timed(30, ({ now }) => [{ id: now, method: 'public/heartbeat', code: 0 }]),
    'book.{id}.50': bookMessages(
      (market, at) => (at.book?.whole ? wholeBook : bookUpdate)(market, at),
      { every: 2, level: ([price, size]) => [price, size, size === '0' ? '0' : '1'] },
    ),
  },
  /** A subscription is acknowledged with its id. */
  reply: ({ method, id = -1 }) =>
    method === undefined || method === 'public/respond-heartbeat' ? [] : [{ id, method, code: 0 }],
});
