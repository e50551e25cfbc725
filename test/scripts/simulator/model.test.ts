import t from 'tap';
import { bookOf } from '../../../scripts/simulator/book.ts';
import type { Bar } from '../../../scripts/simulator/calendar.ts';
import { monday, nextOpen, openOf } from '../../../scripts/simulator/calendar.ts';
import type { Market, MarketCandle } from '../../../scripts/simulator/market.ts';
import { Model } from '../../../scripts/simulator/model.ts';
import { venues as registry } from '../../../scripts/simulator/registry.ts';
import { movingMarkets } from '../../../scripts/simulator/streams.ts';

const now = Date.UTC(2026, 7, 14, 13, 37, 21);
const venues = Object.values(registry);
const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const world = (seed = 5, at = now) =>
  new Model({ seed, symbols: 40, clock: { now: () => at }, venues });
const model = world();

const marketOf = (venue: string, group: string, id: string, from = model): Market => {
  const market = from.market(venue, group, id, now);
  if (!market) throw new Error(`no market ${venue} ${id}`);
  return market;
};

const candles = (market: Market, bar: Bar, from: number, to: number): MarketCandle[] => {
  const list: MarketCandle[] = [];
  for (let open = from; open < to; open = nextOpen(bar, open)) {
    list.push(market.candle(open, nextOpen(bar, open), now));
  }
  return list;
};
const sum = (values: number[]) => values.reduce((a, b) => a + b, 0);

/** What keeps `whole` from being what the `parts` make together. */
function differences(whole: MarketCandle | undefined, parts: MarketCandle[]): string[] {
  if (!whole || parts.length === 0) return ['no candles'];
  const total = (read: (c: MarketCandle) => number) => sum(parts.map(read));
  const near = (a: number, b: number, within: number) => Math.abs(a - b) <= within * Math.abs(b);
  const checks = {
    open: whole.open === parts[0]?.open,
    close: whole.close === parts.at(-1)?.close,
    high: whole.high === Math.max(...parts.map((c) => c.high)),
    low: whole.low === Math.min(...parts.map((c) => c.low)),
    quantity:
      whole.quantity > 0 &&
      near(
        total((c) => c.quantity),
        whole.quantity,
        1e-12,
      ),
    bought: near(
      total((c) => c.bought),
      whole.bought,
      1e-12,
    ),
    trades: whole.trades > 0 && total((c) => c.trades) === whole.trades,
    // Mean prices are those of the time, and volume comes in waves.
    turnover: near(
      total((c) => c.turnover),
      whole.turnover,
      0.002,
    ),
  };
  return Object.entries(checks).flatMap(([name, right]) => (right ? [] : [name]));
}

const samples = [
  marketOf('binance', 'spot', 'BTCUSDT'),
  marketOf('binance', 'spot', 'ETHBTC'),
  marketOf('binance', 'fapi', '1000PEPEUSDT'),
  marketOf('binance', 'dapi', 'BTCUSD_PERP'),
  marketOf('okx', 'SWAP', 'ETH-USDT-SWAP'),
];

t.test('a longer candle is the aggregate of the shorter ones', async (t) => {
  const today = Math.floor(now / day) * day;
  for (const market of samples) {
    const from = today - day;
    const minutes = candles(market, { ms: minute }, from, today);
    for (const length of [3, 15, 120, 480, 1440]) {
      const parts = minutes.slice(0, length);
      const [whole] = candles(market, { ms: length * minute }, from, from + 1);
      t.same(differences(whole, parts), [], `${market.id} ${length}m`);
    }
    const running = candles(market, { ms: day }, today, today + 1)[0];
    const until = candles(market, { ms: minute }, today, now);
    t.same(differences(running, until), [], `${market.id} running day`);
    t.equal(running?.closed, false);
    t.equal(running?.close, market.price(now), 'its close is the last price');
  }
});

/** Prices and means that a closed candle should hold and does not, and ends that do not meet. */
function breaks(market: Market, c: MarketCandle, previous: number): string[] {
  const tick = 10 ** -market.decimals;
  const times = Array.from({ length: 9 }, (_, i) => c.time + i * 7000 + 137);
  const outside = times.map((t) => market.price(t)).filter((p) => p > c.high || p < c.low);
  return [
    ...outside.map((price) => `${price} outside ${c.low} to ${c.high}`),
    ...(c.open === previous ? [] : ['open is not the close before']),
    ...(c.close === market.price(c.end) ? [] : ['close is not the price at the end']),
    ...(c.mean <= c.high + tick && c.mean >= c.low - tick ? [] : ['mean outside']),
  ];
}

t.test('candles join, hold what is within, and end at the price of their end', async (t) => {
  for (const market of samples) {
    const from = Math.floor((now - day) / minute) * minute;
    const list = candles(market, { ms: minute }, from, from + 6 * hour);
    const found = list.flatMap((c, i) => breaks(market, c, list[i - 1]?.close ?? c.open));
    t.same(found, [], market.id);
    t.equal(list.length, 360);
  }
});

t.test('weeks and months', async (t) => {
  const market = marketOf('binance', 'spot', 'SOLUSDT');
  const month: Bar = { months: 1 };
  const july = Date.UTC(2026, 6, 1);
  t.equal(openOf(month, july + 12 * day), july);
  t.equal(nextOpen(month, july), Date.UTC(2026, 7, 1));
  const [whole] = candles(market, month, july, july + 1);
  const days = candles(market, { ms: day }, july, nextOpen(month, july));
  t.same(differences(whole, days), [], '1M');
  const week: Bar = { ms: 7 * day, origin: monday };
  const open = openOf(week, now);
  t.equal(new Date(open).getUTCDay(), 1);
  const [seven] = candles(market, week, open - 7 * day, open);
  t.same(differences(seven, candles(market, { ms: hour }, open - 7 * day, open)), [], '1w');
  const east: Bar = { months: 1, origin: -8 * hour };
  t.equal(openOf(east, july + day), july - 8 * hour, 'a month of UTC+8');
});

t.test('the same seed gives the same world, whatever was asked before', async (t) => {
  const a = marketOf('binance', 'spot', 'ETHBTC', world());
  const b = marketOf('binance', 'spot', 'ETHBTC', world());
  candles(b, { ms: hour }, now - 30 * day, now - 20 * day);
  b.stretch(now - 400 * day, now - 390 * day);
  t.same(a.stretch(now - 3 * day - 17_123, now), b.stretch(now - 3 * day - 17_123, now));
  t.not(a.price(now), marketOf('binance', 'spot', 'ETHBTC', world(6)).price(now));
});

t.test('venues agree on a price within some basis points', async (t) => {
  const truths = [...model.truths('binance'), ...model.truths('okx')];
  for (const symbol of ['BTC', 'ETH', 'SOL', 'PEPE', 'SHIB', 'BONK', 'USDC']) {
    const prices = truths
      .filter(({ kind }) => kind === 'spot' || kind === 'perpetual')
      .filter((row) => row.symbol === symbol && row.price > 0)
      .filter((row) => row.quote !== 'BTC' && row.quote !== 'EUR')
      .map((row) => row.priceUsd);
    t.ok(prices.length >= 3, `${symbol} has ${prices.length} markets`);
    const spread = Math.max(...prices) / Math.min(...prices) - 1;
    t.ok(spread < (symbol === 'BTC' ? 0.001 : 0.002), `${symbol} spread ${spread}`);
  }
  for (const coin of ['USDC', 'USDT']) {
    const price = model.truth('okx', `${coin}-USD`)?.price ?? 0;
    t.ok(Math.abs(price - 1) < 0.001, `${coin} at ${price}`);
  }
  const rate = model.truth('okx', 'USDT-USD')?.price ?? 0;
  const inTether = marketOf('binance', 'spot', 'BTCUSDT').index(now) * rate;
  const inDollars = marketOf('okx', 'SPOT', 'BTC-USD').index(now);
  t.ok(Math.abs(inTether / inDollars - 1) < 0.0003, 'a stablecoin converts at its own rate');
  const cross = marketOf('binance', 'spot', 'ETHBTC').index(now);
  const eth = marketOf('binance', 'spot', 'ETHUSDT').index(now);
  const btc = marketOf('binance', 'spot', 'BTCUSDT').index(now);
  t.ok(Math.abs((cross * btc) / eth - 1) < 1e-6, 'ETHBTC is ETH in BTC');
});

t.test('prices are of about the real size and move like it', async (t) => {
  const btc = marketOf('binance', 'spot', 'BTCUSDT');
  const list = candles(btc, { ms: day }, Math.floor((now - 300 * day) / day) * day, now - day);
  for (const c of list) if (c.close < 50_000 || c.close > 200_000) t.fail(`BTC at ${c.close}`);
  const moves = list.map((c) => Math.log(c.close / c.open) ** 2);
  const volatility = Math.sqrt(sum(moves) / moves.length);
  t.ok(volatility > 0.01 && volatility < 0.05, `BTC moves ${volatility} a day`);
});

t.test('nothing exists before the listing or after the expiry', async (t) => {
  const market = marketOf('binance', 'spot', 'BTCUSDT');
  t.equal(market.listed, Date.UTC(2017, 7, 17));
  const first = market.stretch(market.listed - 30 * day, market.listed + day);
  t.same(first, market.stretch(market.listed, market.listed + day));
  t.equal(market.stretch(market.listed - day, market.listed).quantity, 0);
  t.equal(model.market('binance', 'fapi', 'BTCUSDT_260925', now)?.kind, 'future');
  t.equal(model.market('binance', 'fapi', 'BTCUSDT_260925', Date.UTC(2026, 8, 25, 8)), undefined);
  t.equal(world(5, Date.UTC(2022, 1, 1)).markets('okx', Date.UTC(2022, 1, 1)).length, 0);
});

t.test('order books', async (t) => {
  for (const market of [...samples, marketOf('binance', 'spot', 'PEPEUSDT')]) {
    const { bids, asks } = bookOf(market, now, 400);
    t.equal(bids.length, 400, market.id);
    t.equal(asks.length, 400, market.id);
    t.ok((bids[0]?.price ?? 0) < (asks[0]?.price ?? 0), 'best bid below best ask');
    const falls = bids.every((l, i) => i === 0 || l.price < (bids[i - 1]?.price ?? 0));
    const rises = asks.every((l, i) => i === 0 || l.price > (asks[i - 1]?.price ?? 0));
    t.ok(falls && rises, 'ladders are sorted');
    t.ok([...bids, ...asks].every((l) => l.price > 0 && l.quantity > 0));
    const last = market.price(now);
    t.ok(Math.abs((bids[0]?.price ?? 0) / last - 1) < 0.001, 'around the last price');
    t.same(bookOf(market, now, 5).bids, bids.slice(0, 5), 'depth only cuts');
  }
});

t.test('streams tell of the largest assets in every second, in all quotes', async (t) => {
  for (const second of [0, 1, 2, 3]) {
    const moving = movingMarkets({ model, now: now + second * 1_000 }, 'cryptocom', 'all');
    const ids = new Set(moving.map(({ id }) => id));
    for (const id of ['BTC_USDT', 'BTC_USD', 'BTCUSD-PERP', 'ETH_USD'])
      t.ok(ids.has(id), `${id} in second ${second}`);
  }
});
