/** Bitstamp: spot and linear perpetuals, what it lists, answers and streams. Source: the venue's public API v2 documentation. */

import { asRow, text } from '../../../actors/read.ts';
import { idsIn, inGroup, order } from '../books/frames.ts';
import { bookChannels } from '../books/wire.ts';
import type { Bar } from '../calendar.ts';
import { openOf, opensUntil } from '../calendar.ts';
import { bookRows, candleRows, isLive, marketRows, tradeRows } from '../exchange.ts';
import { fixed, plain } from '../format.ts';
import { objectOf } from '../liquidations/forced.ts';
import { equities, halted, listing, named, since, slice, without } from '../listing.ts';
import { together } from '../live/moving.ts';
import type { Market } from '../market.ts';
import { type Row, rowsWith } from '../rows.ts';
import { liveTrades } from '../trades/bitstamp.ts';
import type { Ask, Route, SimulatedVenue } from '../venue.ts';
import { Refused } from '../venue.ts';

const sort = { group: 'markets', digits: 10, lots: 8, crossed: 8 };
/** Spot in dollars, euros and coins, and a few perpetuals, in one group. */
const bitstampMarkets = listing(
  'bitstamp',
  without(4, 3),
  {
    spot: { ...sort, kind: 'spot', id: (base, quote) => `${base}${quote}`.toLowerCase() },
    perpetual: { ...sort, id: (base, quote) => `${base}${quote}-perp`.toLowerCase() },
  },
  [
    ['spot', 'USD', 0.02, undefined, since('btcusd', Date.UTC(2011, 7, 18))],
    ['spot', 'EUR', 0.01, slice(0, 12)],
    ['spot', 'BTC', 0.001, slice(1, 3)],
    ['spot', 'USDT', 0.001, slice(0, 3)],
    ['spot', 'USD', 0.02, named('USDC')],
    ['spot', 'USDC', 0, slice(5, 6), halted],
    ['perpetual', 'USD', 0.01, slice(0, 12)],
    ['perpetual', 'USD', 0.01, equities],
  ],
);

const hour = 3_600_000;
/** Every market charges funding every 8 hours. */
const interval = 8 * hour;

const refuse = (status: number, body: unknown): never => {
  throw new Refused(status, body);
};

/** The market named behind `path` in the path of the request. */
function marketOf({ model, path, now }: Ask): Market {
  const id = path.split('/')[4] ?? '';
  const found = model.market('bitstamp', 'markets', id, now);
  return found?.state === 'live' ? found : refuse(404, { message: 'Not found.' });
}

const isContract = ({ kind }: Market) => kind !== 'spot';
const nameOf = (market: Market) =>
  `${market.symbol}/${market.quote}${isContract(market) ? '-PERP' : ''}`;
const seconds = (time: number) => String(Math.floor(time / 1000));

const { row, list } = rowsWith(
  {
    name: ({ market }) => nameOf(market),
    status: ({ market }) => (isLive(market) ? 'Enabled' : 'Disabled'),
    description: ({ market }) => `${market.symbol} / ${market.quote}`,
    sort: ({ market }) => (market.kind === 'other' ? 'EQUITY' : 'CRYPTO'),
    reference: ({ market }) => `${market.symbol} Benchmark Reference Rate`,
    second: ({ now }) => seconds(now),
    midnight: ({ market, now }) =>
      market.price(Math.max(openOf({ ms: 24 * hour }, now), market.listed)),
    tradedSecond: ({ trade: { time } }) => seconds(time),
    sold: ({ trade: { bought } }) => (bought ? '0' : '1'),
    vwap: ({ market, stretch }) => plain(stretch.mean, market.decimals + 4),
    change: ({ market, stretch: { open, close } }) =>
      isLive(market) && open > 0 ? (close / open - 1) * 100 : '',
    opened: ({ candle }) => seconds(candle.time),
  },
  { write: fixed },
);
/** What perpetuals alone have is written without zeros at the end. */
const contractRow = rowsWith({
  value: ({ market, now, interest }) =>
    Number(fixed(interest.base, market.lot)) * market.exact(now),
}).row(`
  index_price=index+3 mark_price=mark+3 open_interest=interest open_interest_value=value.8`);

const described = `
  name market_symbol=id base_currency=symbol base_decimals=lot counter_currency=quote
  counter_decimals=decimals minimum_order_value='10' trading=status
  instant_order_counter_decimals=2 instant_and_market_orders='Enabled' description
  asset_class=sort`;
const pair = row(`${described} market_type='SPOT'`);
const contract = row(`
  ${described} market_type='PERPETUAL' maximum_order_value='500000.00000000'
  minimum_order_amount=step.8 maximum_order_amount='10.00000000' underlying_asset=reference
  payoff_type='Linear' contract_size='1.00000000' isin='EZHKD4DNKHY3'`);
/** The mean is finer than the venue's, so that the turnover is exact. */
const ticker = (type: string) =>
  row(`
    timestamp=second open=midnight+0 high low last volume=quantity vwap=vwap bid=bestBid
    ask=bestAsk side='0' open_24=open percent_change_24=change.2 market_type='${type}' pair=name
    market=name`);
const spotTicker = ticker('SPOT');
const perpetualTicker = ticker('PERPETUAL');
const level = list('price size');
const candle = row('high timestamp=opened volume=quantity low close open');

const all = (made: Row) => (ask: Ask) => marketRows(made, ask, { venue: 'bitstamp' });
const markets = all((market, at) => (isContract(market) ? contract : pair)(market, at));
const tickers = all((market, at) =>
  isContract(market)
    ? { ...perpetualTicker(market, at), ...contractRow(market, at) }
    : spotTicker(market, at),
);

/** The estimate for the end of the 8 hours. */
function fundingRate(ask: Ask) {
  const market = marketOf(ask);
  if (!isContract(market)) return refuse(404, { message: 'Not found.' });
  const next = (Math.floor(ask.now / interval) + 1) * interval;
  return {
    funding_rate: plain((market.fundingRate(next) * 8) / market.fundingHours, 8),
    timestamp: seconds(ask.now),
    market: nameOf(market),
    next_funding_time: seconds(next),
  };
}

/** `order_book/<id>/`: the whole book, here of 200 levels. */
function orderBook(ask: Ask) {
  const { bids, asks } = bookRows(level, marketOf(ask), ask, 200);
  return { timestamp: seconds(ask.now), microtimestamp: `${ask.now}000`, bids, asks };
}

const publicTrade = row(
  'date=tradedSecond tid=$tradeId price=tradePrice type=sold amount=tradeSize',
);

/** `transactions/<id>/?time=`: newest first, here the newest two hundred. */
const transactions = (ask: Ask) => tradeRows(publicTrade, marketOf(ask), ask, 200);

const steps = [60, 180, 300, 900, 1800, 3600, 7200, 14_400, 21_600, 43_200, 86_400, 259_200];

/** `ohlc/<id>/?step=&limit=&start=&end=`: the newest rows, or those that open within the seconds given. */
function candles(ask: Ask) {
  const market = marketOf(ask);
  const { query, now } = ask;
  const limit = Number(query.get('limit') ?? 0);
  const invalid = { status: 'error', reason: 'Invalid parameters', code: 'API0018' };
  if (!steps.includes(Number(query.get('step'))) || !(limit >= 1 && limit <= 1000)) {
    return refuse(400, invalid);
  }
  const bar: Bar = { ms: Number(query.get('step')) * 1000 };
  const from = Math.max(openOf(bar, market.listed), Number(query.get('start') ?? 0) * 1000);
  const until = Math.min(now, Number(query.get('end') ?? now) * 1000);
  const opens = opensUntil(bar, from, until, limit);
  const ohlc = candleRows(candle, market, { bar, opens }, ask);
  return { data: { pair: nameOf(market), ohlc } };
}

const answers: Readonly<Record<string, Route['answer']>> = {
  markets,
  ticker: tickers,
  funding_rate: fundingRate,
  order_book: orderBook,
  transactions,
  ohlc: candles,
};

const tooMany = {
  status: 'error',
  reason: 'Request rate limit exceeded',
  response_code: '400.002',
};

/** `order_book_<market>`: whole books. */
const books = bookChannels({
  ...{ venue: 'bitstamp', depth: 100, every: 4_000, whole: true },
  asked({ event, data }) {
    const on = order('bts:subscribe', 'bts:unsubscribe')(event);
    const ids = idsIn([text(asRow(data).channel)], /^order_book_(.+)$/);
    return on === null ? null : { on, markets: inGroup('', ids) };
  },
  find: (markets, { id }) => markets.find((one) => one.id === id),
  tell({ market, now, bids, asks }) {
    const times = { timestamp: `${now / 1_000}`, microtimestamp: `${now}000` };
    return {
      data: { ...times, bids, asks },
      channel: `order_book_${market.id}`,
      event: 'data',
    };
  },
});

/** The simulated venue. */
export const bitstamp: SimulatedVenue = {
  id: 'bitstamp',
  hosts: ['www.bitstamp.net', 'ws.bitstamp.net'],
  markets: bitstampMarkets,
  route(path) {
    const answer = answers[/^\/api\/v2\/(\w+)\//.exec(path)?.[1] ?? ''];
    return answer && { bucket: 'address', weight: () => 1, answer };
  },
  buckets: { address: { weight: 10_000, per: 600_000 } },
  refusals: {
    rate_limit: { status: 400, body: tooMany },
    ban: { status: 403, body: { status: 'error', reason: 'Forbidden', code: '403.001' } },
    server_error: { status: 503, body: { status: 'error', reason: 'Busy', code: '503.001' } },
  },
  channels: together(liveTrades, books),
  /** A subscription is confirmed with the name of its channel. */
  reply(frame) {
    const { channel } = asRow(objectOf(frame).data);
    const event = 'bts:subscription_succeeded';
    return channel === undefined ? [] : [JSON.stringify({ event, channel, data: {} })];
  },
};
