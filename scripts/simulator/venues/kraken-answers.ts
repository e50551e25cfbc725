/** The answers of Kraken spot: a list of errors and a result keyed by pair. */
import { bookOf } from '../book.ts';
import type { Bar } from '../calendar.ts';
import { nextOpen, openOf, opensUntil } from '../calendar.ts';
import { fixed } from '../format.ts';
import type { Market } from '../market.ts';
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

const price = (market: Market, value: number) => fixed(value, market.decimals);

const pair = (market: Market) => ({
  altname: shortName(market),
  wsname: slashName(market),
  aclass_base: 'currency',
  base: prefixed(market.symbol),
  aclass_quote: 'currency',
  quote: prefixed(market.quote),
  lot: 'unit',
  cost_decimals: 5,
  pair_decimals: market.decimals,
  lot_decimals: market.lot,
  lot_multiplier: 1,
  leverage_buy: [2, 3, 4, 5, 6, 7, 8, 9, 10],
  leverage_sell: [2, 3, 4, 5, 6, 7, 8, 9, 10],
  fees: [
    [0, 0.4],
    [10_000, 0.35],
  ],
  fees_maker: [
    [0, 0.25],
    [10_000, 0.2],
  ],
  fee_volume_currency: 'ZUSD',
  margin_call: 80,
  margin_stop: 40,
  ordermin: '0.00005',
  costmin: '0.5',
  tick_size: fixed(10 ** -market.decimals, market.decimals),
  status: market.state === 'live' ? 'online' : 'cancel_only',
  long_position_limit: 80,
  short_position_limit: 80,
});

/** `AssetPairs`. */
export const assetPairs = (ask: Ask) =>
  ok(Object.fromEntries(spot(ask).map((market) => [market.id, pair(market)])));

function ticker(market: Market, { model, now }: Ask): object {
  const live = market.state === 'live';
  const last24h = model.last24h(market, now);
  const today = market.stretch(Math.floor(now / day) * day, now);
  const { bids, asks } = bookOf(market, now, 1);
  const side = (level = { price: 0, quantity: 0 }) => [
    price(market, level.price),
    String(Math.ceil(level.quantity)),
    fixed(level.quantity, 3),
  ];
  const both = (read: (stretch: typeof today) => number, decimals: number) =>
    [today, last24h].map((stretch) => fixed(live ? read(stretch) : 0, decimals));
  return {
    a: side(asks[0]),
    b: side(bids[0]),
    c: [price(market, market.price(now)), fixed(bids[0]?.quantity ?? 0, 8)],
    v: both((stretch) => stretch.base, 8),
    p: both((stretch) => stretch.mean, market.decimals + 4),
    t: [today.trades, last24h.trades],
    l: both((stretch) => stretch.low, market.decimals),
    h: both((stretch) => stretch.high, market.decimals),
    o: price(market, live ? today.open : 0),
  };
}

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
  const { bids, asks } = bookOf(market, ask.now, count);
  const rows = (levels: typeof bids) =>
    levels.map((l) => [price(market, l.price), fixed(l.quantity, 8), ask.now / 1000]);
  return ok({ [market.id]: { asks: rows(asks), bids: rows(bids) } });
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
  const candles = rows
    .filter((time) => time > since)
    .map((time) => {
      const c = market.candle(time, nextOpen(bar, time), ask.now);
      const prices = [c.open, c.high, c.low, c.close].map((value) => price(market, value));
      const mean = fixed(c.quantity > 0 ? c.mean : 0, market.decimals);
      return [time / 1000, ...prices, mean, fixed(c.quantity, 8), c.trades];
    });
  return ok({ [market.id]: candles, last: (opens.at(-2) ?? ask.now) / 1000 });
};
