/** Kraken: spot (a list of errors and a result keyed by pair) and futures. https://docs.kraken.com/api */
import { asRow, text } from '../../../actors/read.ts';
import { bookRows, isLive, tradeRows } from '../answers.ts';
import { books } from '../book-streams.ts';
import { openOf } from '../calendar.ts';
import { trades } from '../events.ts';
import { exchange, refusalsOf, under } from '../exchange.ts';
import { fixed } from '../format.ts';
import { date, dated, sortOf, without } from '../listing.ts';
import type { Market, Stretch } from '../market.ts';
import { Parameters, pageOf } from '../pages.ts';
import { type Row, rowsOf, type Sight, whileLive } from '../rows.ts';
import { ordered, subscribing, textsOf, ticker, timed } from '../streams.ts';
import { type Ask, Refused } from '../venue.ts';
import * as futures from './kraken-futures.ts';
import { krakenId, krakenName, prefixed, shortName, slashName } from './names.ts';

const venue = 'kraken';
const day = 86_400_000;
const ok = (result: object) => ({ error: [], result });
const refuse = (error: string): never => {
  throw new Refused(200, { error: [error] });
};
const parameters = new Parameters((name) => refuse(`EGeneral:Invalid arguments:${name}`));
const spot = ({ model, now }: Pick<Ask, 'model' | 'now'>) => model.markets(venue, now, 'spot');

/** By id, short name or name with a slash. */
function pairOf(ask: Ask): Market {
  const name = ask.query.get('pair') ?? refuse('EGeneral:Invalid arguments');
  const found = spot(ask).find((market) =>
    [market.id, shortName(market), slashName(market)].includes(name),
  );
  return found ?? refuse('EQuery:Unknown asset pair');
}
/** Version 2 of the streams has the usual names of assets. */
const nameOf = ({ symbol, quote }: Market) => `${symbol}/${quote}`;

const today = (of: (stretch: Stretch) => number) => (sight: Sight) =>
  isLive(sight.market) ? of(sight.market.stretch(openOf({ ms: day }, sight.now), sight.now)) : 0;
const { row, list } = rowsOf(
  venue,
  {
    ...whileLive(0, 'base mean low high'),
    altname: ({ market }) => shortName(market),
    wsname: ({ market }) => slashName(market),
    baseName: ({ market }) => prefixed(market.symbol),
    quoteName: ({ market }) => prefixed(market.quote),
    bidLots: ({ best }) => Math.ceil(best.bid?.quantity ?? 0),
    askLots: ({ best }) => Math.ceil(best.ask?.quantity ?? 0),
    baseToday: today(({ base }) => base),
    meanToday: today(({ mean }) => mean),
    lowToday: today(({ low }) => low),
    highToday: today(({ high }) => high),
    openToday: today(({ open }) => open),
    tradesToday: today((stretch) => stretch.trades),
    side: ({ trade }) => (trade.bought ? 'b' : 's'),
    meanOrNone: ({ stretch: { quantity, mean } }) => (quantity > 0 ? mean : 0),
  },
  { write: fixed },
);
const pair = row(
  `altname wsname base=baseName quote=quoteName pair_decimals=decimals lot_decimals=lot
  tick_size=tick status=isLive:online/cancel_only`,
  'spot-instruments result.XXBTZUSD',
);
const tickerRow = row(`
  a[ bestAsk $askLots bestAskSize.3 ] b[ bestBid $bidLots bestBidSize.3 ] c[ last bestBidSize.8 ]
  v[ baseToday.8 base ] p[ meanToday+4 mean+4 ] t[ tradesToday trades ] l[ lowToday+0 low ]
  h[ highToday+0 high ] o=openToday+0`);
const level = list('price size.8 seconds');
const trade = list("tradePrice tradeSize.8 tradedSeconds side 'l' '' tradeId");

const byId = (markets: readonly Market[], made: Row, ask: Ask) =>
  ok(Object.fromEntries(markets.map((market) => [market.id, made(market, ask)])));

const depth = (ask: Ask) => {
  const market = pairOf(ask);
  const count = parameters.count(ask, ['count', 100, 500]);
  const { bids, asks } = bookRows(level, market, ask, count);
  return ok({ [market.id]: { asks, bids } });
};
const recentTrades = (ask: Ask) => {
  const market = pairOf(ask);
  const count = parameters.count(ask, ['count', 1000, 1000]);
  const rows = tradeRows(trade, market, ask, count).reverse();
  return ok({ [market.id]: rows, last: `${ask.now}000000` });
};
const candlePage = `
  in interval:1 1=1m 5=5m 15=15m 30=30m 60=1h 240=4h 1440=1d 10080=7d 21600=15d; rows 720`;
const candleRows = parameters.page(
  list('startSeconds open high low close meanOrNone+0 quantity.8 trades'),
  `${candlePage}; from since; seconds; after`,
);
const ohlc = (ask: Ask) => {
  const market = pairOf(ask);
  const rows = candleRows(ask, market);
  const { opens } = parameters.times(pageOf(`${candlePage}; always`), ask, market);
  return ok({ [market.id]: rows, last: (opens.at(-2) ?? ask.now) / 1000 });
};

const { row: streamRow } = rowsOf(venue);
const pairTicker = streamRow(`
  channel='ticker' type='update' data[ { symbol='{symbol}/{quote}' bid=#bestBid ask=#bestAsk last=#last
  volume=#base vwap=#mean+4 low=#low high=#high change=#rise change_pct=#percent timestamp=iso } ]`);
const pairTrade = streamRow(`
  symbol='{symbol}/{quote}' side=taker price=#tradePrice qty=#tradeSize trade_id=tradeId timestamp=tradedIso`);

/** Pairs are those of the spot address, products those of the futures. */
const on = (group: string) => () => group;

/** The unified address, which has derivatives alone. */
const unified = 'uws.kraken.com';

const base = ({ symbol }: { symbol: string }) => krakenName(symbol);

/** The simulated exchange. */
export const kraken = exchange({
  id: venue,
  hosts: ['api.kraken.com', 'futures.kraken.com', 'ws.kraken.com', unified],
  lists: without(7, 6),
  sorts: {
    spot: {
      id: (_, quote, { symbol }) => krakenId({ symbol, quote }),
      digits: 10,
      // Quantities of coins of the smallest prices have fewer decimals, so that no checksum is of more than 15 digits.
      lot: ({ price }) => (price < 1e-3 ? 5 : 8),
    },
    linear: { ...sortOf('PF_{base}USD group=futures'), base },
    inverse: { ...sortOf('PI_{base}USD group=futures inverse'), base },
    fixed: { ...sortOf('FI_{base}USD group=futures inverse'), base },
  },
  lines: `
    spot USD 0.02 * halted@40
    spot USDT 0.004 0..18
    spot EUR 0.004 0..6
    spot BTC 0.001 1..2
    spot USD 0.03 stables
    linear USD 0.01 70%
    inverse USD 0.001 0..4
    fixed USD 0.0002 0..1 dated`,
  more: { dated: dated(date('_')) },
  refusals: refusalsOf(
    (error: string) => ({ error: [error] }),
    [429, 'EGeneral:Too many requests', ''],
    [403, 'EGeneral:Permission denied', ''],
    [503, 'EService:Unavailable', ''],
  ),
  routes: {
    ...under('/0/public/', {
      AssetPairs: (ask) => byId(spot(ask), pair, ask),
      /** Of one pair, or of all. */
      Ticker: (ask) => byId(ask.query.has('pair') ? [pairOf(ask)] : spot(ask), tickerRow, ask),
      Depth: depth,
      Trades: recentTrades,
      OHLC: ohlc,
    }),
    ...futures.answers,
  },
  /** Each pair of a subscription is acknowledged, a subscription to futures with its products, and a ping answered. */
  reply(message) {
    if (message.event === 'subscribe') return [{ ...message, event: 'subscribed' }];
    if (message.method === 'ping') return [{ method: 'pong' }];
    const { symbol: pairs, ...asked } = asRow(message.params);
    if (message.method !== 'subscribe') return [];
    return textsOf(pairs).map((symbol) => {
      return { method: 'subscribe', success: true, result: { snapshot: true, ...asked, symbol } };
    });
  },
  topics({ method, params, event, feed, product_ids }, { host }) {
    const { channel, symbol, asset_class: sort } = asRow(params);
    if (host === unified && sort !== 'derivatives') return null;
    const of = host === unified ? `unified ${text(channel)}` : text(channel);
    const pairs = textsOf(symbol).map((name) => `${of} ${name}`);
    if (of === 'unified instrument') pairs.push(of);
    // Trades are those of the order book and those of liquidations.
    const feeds = feed === 'trade' ? ['trade', 'fill'] : [text(feed)];
    const products = textsOf(product_ids).flatMap((id) =>
      feeds.map((name) => `futures ${name} ${id}`),
    );
    return method === undefined
      ? ordered(event, subscribing, [...products, `heartbeat ${text(feed)}`])
      : ordered(method, subscribing, [...pairs, ...(pairs.length > 0 ? ['heartbeat'] : [])]);
  },
  group: on('spot'),
  channels: {
    'ticker {id}': ticker(pairTicker, { id: nameOf }),
    'trade {id}': trades(pairTrade, (data) => [{ channel: 'trade', type: 'update', data }], {
      id: nameOf,
    }),
    heartbeat: timed(5, () => [{ channel: 'heartbeat' }]),
    'book {id}': books({
      id: nameOf,
      tell: futures.bookWith(nameOf),
    }),
    ...futures.channels,
  },
});
