/** The answers of Kraken spot: a list of errors and a result keyed by pair. */
import type { Bar } from '../calendar.ts';
import { openOf, opensUntil } from '../calendar.ts';
import { bookRows, candleRows, isLive, tradeRows } from '../exchange.ts';
import { fixed } from '../format.ts';
import type { Market, Stretch } from '../market.ts';
import { rowsWith, type Sight, whileLive } from '../rows.ts';
import type { Ask } from '../venue.ts';
import { Refused } from '../venue.ts';
import { prefixed, shortName, slashName } from './names.ts';

const day = 86_400_000;
const ok = (result: object) => ({ error: [], result });
const refuse = (error: string): never => {
  throw new Refused(200, { error: [error] });
};

const spot = ({ model, now }: Ask) => model.markets('kraken', now, 'spot');

/** By id, short name or name with a slash. */
function pairOf(ask: Ask): Market {
  const name = ask.query.get('pair') ?? refuse('EGeneral:Invalid arguments');
  const found = spot(ask).find((market) =>
    [market.id, shortName(market), slashName(market)].includes(name),
  );
  return found ?? refuse('EQuery:Unknown asset pair');
}

const live = ({ market }: Sight, value: number) => (isLive(market) ? value : 0);
const today = (of: (stretch: Stretch) => number) => (sight: Sight) =>
  live(sight, of(sight.market.stretch(openOf({ ms: day }, sight.now), sight.now)));

const { row, list } = rowsWith(
  {
    ...whileLive(0, 'base mean low high'),
    ...{ altname: ({ market }) => shortName(market), wsname: ({ market }) => slashName(market) },
    baseName: ({ market }) => prefixed(market.symbol),
    quoteName: ({ market }) => prefixed(market.quote),
    status: ({ market }) => (isLive(market) ? 'online' : 'cancel_only'),
    bidLots: ({ best }) => Math.ceil(best.bid?.quantity ?? 0),
    askLots: ({ best }) => Math.ceil(best.ask?.quantity ?? 0),
    baseToday: today(({ base }) => base),
    meanToday: today(({ mean }) => mean),
    lowToday: today(({ low }) => low),
    highToday: today(({ high }) => high),
    openToday: today(({ open }) => open),
    tradesToday: ({ market, now }) => market.stretch(openOf({ ms: day }, now), now).trades,
    side: ({ trade }) => (trade.bought ? 'b' : 's'),
    meanOrNone: ({ stretch: { quantity, mean } }) => (quantity > 0 ? mean : 0),
  },
  { write: fixed },
);

const pair = row(`
  altname wsname aclass_base='currency' base=baseName aclass_quote='currency' quote=quoteName
  lot='unit' cost_decimals=5 pair_decimals=decimals lot_decimals=lot lot_multiplier=1
  leverage_buy=[2,3,4,5,6,7,8,9,10] leverage_sell=[2,3,4,5,6,7,8,9,10] fees=[[0,0.4],[10000,0.35]]
  fees_maker=[[0,0.25],[10000,0.2]] fee_volume_currency='ZUSD' margin_call=80 margin_stop=40
  ordermin='0.00005' costmin='0.5' tick_size=tick status long_position_limit=80
  short_position_limit=80`);
const ticker = row(`
  a[ bestAsk $askLots bestAskSize.3 ] b[ bestBid $bidLots bestBidSize.3 ] c[ last bestBidSize.8 ]
  v[ baseToday.8 base ] p[ meanToday+4 mean+4 ] t[ tradesToday trades ] l[ lowToday+0 low ]
  h[ highToday+0 high ] o=openToday+0`);
const level = list('price size.8 seconds');
const candle = list('startSeconds open high low close meanOrNone+0 quantity.8 trades');

/** `AssetPairs`. */
export const assetPairs = (ask: Ask) =>
  ok(Object.fromEntries(spot(ask).map((market) => [market.id, pair(market, ask)])));

/** `Ticker`: of one pair, or of all. */
export const tickers = (ask: Ask) => {
  const markets = ask.query.has('pair') ? [pairOf(ask)] : spot(ask);
  return ok(Object.fromEntries(markets.map((market) => [market.id, ticker(market, ask)])));
};

/** `Depth?pair=&count=`: 1 to 500 levels, 100 when absent. */
export const depth = (ask: Ask) => {
  const market = pairOf(ask);
  const count = Number(ask.query.get('count') ?? 100);
  if (!(count >= 1 && count <= 500)) refuse('EGeneral:Invalid arguments:count');
  const { bids, asks } = bookRows(level, market, ask, count);
  return ok({ [market.id]: { asks, bids } });
};

const trade = list("tradePrice tradeSize.8 tradedSeconds side 'l' '' tradeId");

/** `Trades?pair=&count=`: the newest ones, ascending. */
export const trades = (ask: Ask) => {
  const market = pairOf(ask);
  const count = Number(ask.query.get('count') ?? 1000);
  if (!(count >= 1 && count <= 1000)) refuse('EGeneral:Invalid arguments:count');
  const rows = tradeRows(trade, market, ask, count).reverse();
  return ok({ [market.id]: rows, last: `${ask.now}000000` });
};

const minutes = [1, 5, 15, 30, 60, 240, 1440, 10_080, 21_600];

/** `OHLC?pair=&interval=`: the newest 720, the running one last. */
export const ohlc = (ask: Ask) => {
  const market = pairOf(ask);
  const interval = Number(ask.query.get('interval') ?? 1);
  if (!minutes.includes(interval)) refuse('EGeneral:Invalid arguments:interval');
  const bar: Bar = { ms: interval * 60_000 };
  const opens = opensUntil(bar, openOf(bar, market.listed), openOf(bar, ask.now), 720);
  const rows = market.state === 'live' ? opens : [];
  const since = Number(ask.query.get('since') ?? 0) * 1000;
  const wanted = rows.filter((time) => time > since);
  const candles = candleRows(candle, market, { bar, opens: wanted }, ask);
  return ok({ [market.id]: candles, last: (opens.at(-2) ?? ask.now) / 1000 });
};
