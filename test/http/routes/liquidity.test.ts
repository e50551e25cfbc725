/** Liquidity of sampled books: the newest, and as it was recorded. */
import t from 'tap';
import type { BookSample } from '../../../actors/topics/index.ts';
import { bookRoutes } from '../../../http/routes/books/index.ts';
import { BooksView } from '../../../http/views/books.ts';
import { InstrumentsView } from '../../../http/views/instruments.ts';
import { Markets } from '../../../http/views/markets.ts';
import { PricesView } from '../../../http/views/prices.ts';
import { FakeClock } from '../../support/clock.ts';
import { seriesReply } from '../../support/http-makers.ts';
import { instrument, now, priceRow, reading } from '../../support/makers.ts';
import { contextFor, views } from '../../support/route-stage.ts';
import { type Replies, rowReader } from '../../support/row-reader.ts';
import { sameRows } from '../../support/table.ts';

const minute = 60_000;
const [prices, instruments] = [new PricesView(), new InstrumentsView()];
for (const source of ['binance', 'okx'])
  for (const kind of ['spot', 'perpetual'] as const) {
    const market = `BTC-${kind}`;
    prices.accept(reading([priceRow({ kind, market })], { source, part: kind }), now);
    instruments.accept(reading([instrument({ kind, market })], { source, part: kind }));
  }

/** A sample whose numbers all follow from one. */
const sample = (unit: number, received = now - 5): BookSample => ({
  market: `M${unit}`,
  symbol: 'BTC',
  mid: 100,
  bids: [],
  asks: [],
  bands: [],
  reach: 1,
  received,
  liquidity: {
    mid_price: 100 + unit,
    spread_percent: unit / 100,
    depth: [1, 2, 3, 4, 5].map((at) => ({
      bid_usd: at * unit,
      ask_usd: at === 5 ? null : at * unit + 1,
    })),
    slippage: [1_000, 10_000, 100_000, 1_000_000].map((usd, at) => ({
      usd,
      buy: at === 3 ? null : (at * unit) / 1_000,
      sell: (at * unit) / 500,
    })),
  },
});

function stage(reply: Replies = () => null) {
  const clock = new FakeClock(now);
  const books = new BooksView();
  const tell = (source: string, part: string, ...rows: BookSample[]) =>
    books.acceptSamples(`${source}/${part}`, { source, part, asked: now, received: now, rows });
  const markets = new Markets({ instruments, prices });
  const given = { ...contextFor(views), prices, instruments, markets, books, clock };
  return { clock, books, tell, read: rowReader(bookRoutes(given), { reply, clock }) };
}

t.test('the newest samples of an asset, by exchange', async (t) => {
  const { books, tell, read } = stage();
  const path = '/v1/liquidity?symbol=btc';
  t.match(await read(path), { error: 'warming_up' });
  tell('okx', 'spot', sample(3));
  tell('binance', 'perpetual', sample(5));
  tell('binance', 'spot', sample(2));
  const data = await read(path);
  t.match(data, { symbol: 'BTC', count: 3 });
  t.match(
    data.items.map((one: Record<string, unknown>) => [one.exchange, one.kind, one.market]),
    [
      ['binance', 'spot', 'M2'],
      ['binance', 'perpetual', 'M5'],
      ['okx', 'spot', 'M3'],
    ],
  );
  t.strictSame(data.items[2], {
    exchange: 'okx',
    market: 'M3',
    kind: 'spot',
    mid_price: 103,
    spread_percent: 0.03,
    depth: {
      '0.1': { bid_usd: 3, ask_usd: 4 },
      '0.5': { bid_usd: 6, ask_usd: 7 },
      '1': { bid_usd: 9, ask_usd: 10 },
      '2': { bid_usd: 12, ask_usd: 13 },
      '5': { bid_usd: 15, ask_usd: null },
    },
    slippage: [
      { usd: 1_000, buy: 0, sell: 0 },
      { usd: 10_000, buy: 0.003, sell: 0.006 },
      { usd: 100_000, buy: 0.006, sell: 0.012 },
      { usd: 1_000_000, buy: null, sell: 0.018 },
    ],
    as_of: now - 5,
  });
  t.match(await read(`${path}&kind=perpetual`), { count: 1, items: [{ market: 'M5' }] });
  t.match(await read(`${path}&exchange=okx`), { count: 1, items: [{ market: 'M3' }] });
  t.match(await read(`${path}&exchange=okx&kind=perpetual`), { count: 0 });
  const { items } = await read(`${path}&exchange=gate`);
  t.strictSame(items, [], 'an exchange whose book is not sampled');
  let changes = 0;
  books.source.listen(['BTC'], () => changes++);
  tell('okx', 'spot', sample(4));
  t.equal(changes, 1, 'a new sample is announced');
});

t.test('samples older than three minutes are left out, and that is announced', async (t) => {
  const { clock, books, tell, read } = stage();
  tell('okx', 'spot', sample(3, now - 3 * minute + 10));
  tell('binance', 'spot', sample(2));
  t.match(await read('/v1/liquidity'), { count: 2 });
  let changes = 0;
  books.source.listen(['BTC'], () => changes++);
  await clock.advance(10);
  books.expire(clock.now());
  t.equal(changes, 0);
  await clock.advance(1);
  books.expire(clock.now());
  t.equal(changes, 1);
  t.match(await read('/v1/liquidity'), { count: 1, items: [{ exchange: 'binance' }] });
});

t.test('as it was recorded, at one distance and one size', async (t) => {
  const times = [minute, 2 * minute];
  const columns = {
    spread: [0.02, 0.03],
    bid_100: [11, 12],
    ask_100: [13, null],
    bid_50: [5, 6],
    ask_50: [7, 8],
    buy_100000: [0.001, 0.002],
    sell_100000: [0.003, null],
    buy_1000: [0.0001, 0.0002],
    sell_1000: [0.0003, 0.0004],
  };
  let asked: unknown;
  const { read } = stage(({ params }) => {
    asked = params;
    return seriesReply('liquidity', minute, Object(params).keys, {
      'binance/spot/BTC': { times, columns },
    });
  });
  const path = '/v1/liquidity/history?symbol=BTC&exchange=binance&interval=5m';
  const data = await read(path);
  t.match(data, {
    symbol: 'BTC',
    exchange: 'binance',
    kind: 'spot',
    depth_percent: 1,
    order_usd: 100_000,
  });
  t.match(asked, { series: 'liquidity', keys: ['binance/spot/BTC'], step: '5m', limit: 100 });
  sameRows(t, data.points)`
    timestamp     spread_percent bid_depth_usd ask_depth_usd slippage_buy slippage_sell
    ${minute}     0.02           11            13            0.001        0.003
    ${2 * minute} 0.03           12            -             0.002        -
  `;
  const near = await read(`${path}&depth_percent=0.5&order_usd=1000`);
  t.match(near.points[1], { bid_depth_usd: 6, ask_depth_usd: 8, slippage_buy: 0.0002 });
  t.match(await read(`${path}&depth_percent=3`), {
    message: 'depth_percent must be one of 0.1, 0.5, 1, 2, 5',
  });
  t.match(await read(`${path}&order_usd=5`), { message: /^order_usd must be one of 1000, / });
  t.match(await read('/v1/liquidity/history?symbol=NOSUCH'), {
    error: 'unknown_symbol',
    message: /NOSUCH/,
  });
});
