/** Bars of an asset over exchanges, and whole order books. */
import t from 'tap';
import { onDemandRoutes } from '../../../http/routes/on-demand.ts';
import { InstrumentsView } from '../../../http/views/instruments.ts';
import { Markets } from '../../../http/views/markets.ts';
import { PricesView } from '../../../http/views/prices.ts';
import { instrument, levels, now, priceRow, reading } from '../../support/makers.ts';
import { contextFor, views } from '../../support/route-stage.ts';
import { type Replies, rowReader } from '../../support/row-reader.ts';
import { sameRows } from '../../support/table.ts';

const hour = 3_600_000;
const start = Math.floor(now / hour) * hour;
const [prices, instruments] = [new PricesView(), new InstrumentsView()];
const sources = ['binance', 'okx', 'bybit', 'gate'];
for (const [at, source] of sources.entries())
  for (const kind of ['spot', 'perpetual'] as const) {
    // The market of gate is in Bitcoin's own unit of account elsewhere: not dollars.
    const quote = source === 'gate' ? 'EUR' : 'USDT';
    const market = `BTC-${kind}`;
    prices.accept(
      reading([priceRow({ kind, market, quote, volume: 10 - at })], { source, part: kind }),
      now,
    );
    instruments.accept(reading([instrument({ kind, market, quote })], { source, part: kind }));
  }

const candle = (timestamp: number, price: number, volume: number) => ({
  timestamp,
  open: price,
  high: price,
  low: price,
  close: price,
  volume,
  turnover: price * volume,
  closed: true,
});

function stage(reply: Replies) {
  const markets = new Markets({ instruments, prices });
  const exchanges = { ...contextFor(views).exchanges, candles: sources, orderBook: sources };
  const candleIntervals = new Map(
    sources.map((source) => [source, source === 'bybit' ? (['1d'] as const) : (['1h'] as const)]),
  );
  const given = { ...contextFor(views), prices, markets, exchanges, candleIntervals };
  return rowReader(onDemandRoutes(given), { reply });
}

t.test('the bars of all exchanges with the interval, in dollars', async (t) => {
  const asked: string[] = [];
  const read = stage(({ source, params }) => {
    asked.push(`${source} ${'market' in params ? params.market : ''}`);
    const [price, volume] = source === 'binance' ? [100, 1] : [104, 3];
    const candles = [candle(start - hour, price, volume), candle(start, price, volume)];
    return {
      market: 'X',
      kind: 'spot',
      quote: 'USDT',
      candles: candles.slice(source === 'okx' ? 1 : 0),
      received: now,
    };
  });
  const data = Object(await read('/v1/bars?exchange=all&symbol=btcusdt&interval=1h'));
  t.strictSame(
    asked.sort(),
    ['binance BTC-spot', 'okx BTC-spot'],
    'no other length, no other quote',
  );
  t.match(data, { exchange: 'all', symbol: 'BTC', market: 'BTC', kind: 'spot', quote: 'USD' });
  t.strictSame(data.failed_exchanges, []);
  sameRows(t, data.bars)`
    timestamp       open high low close volume volume_usd closed exchange_count
    ${start - hour} 100  100  100 100   1      100        true   1
    ${start}        103  103  103 103   4      412        true   2
  `;
  const [last] = Object(await read('/v1/bars?exchange=all&symbol=BTC&limit=1')).bars;
  t.equal(last.timestamp, start);
});

t.test('an exchange that fails is named; all of them are an error', async (t) => {
  const read = stage(({ source }) =>
    source === 'okx'
      ? {
          market: 'X',
          kind: 'spot',
          quote: 'USDT',
          candles: [candle(start, 104, 3)],
          received: now,
        }
      : null,
  );
  const data = Object(await read('/v1/bars?exchange=all&symbol=BTC'));
  t.strictSame(data.failed_exchanges, ['binance']);
  t.equal(data.bars[0].exchange_count, 1);
  t.match(await stage(() => null)('/v1/bars?exchange=all&symbol=BTC'), {
    error: 'upstream_failed',
  });
  t.match(await read('/v1/bars?exchange=all&symbol=NOSUCH'), { error: 'unknown_symbol' });
  const own = Object(await read('/v1/bars?exchange=okx&symbol=BTC'));
  t.notOk('failed_exchanges' in own);
  t.notOk('exchange_count' in own.bars[0]);
});

t.test('whole books are cut to the depth that is asked for', async (t) => {
  const asked: unknown[] = [];
  const side = (from: number, step: number) =>
    levels(...Array.from({ length: 400 }, (_, i): [number, number] => [from + i * step, 1]));
  const read = stage(({ name, params }) => {
    asked.push({ name, ...params });
    const book = {
      bids: side(1000, -1),
      asks: side(1001, 1),
      timestamp: 7,
      source: 'live',
      sequence: 9,
    };
    return { market: 'BTC-spot', ...book };
  });
  const path = '/v1/orderbook/deep?exchange=okx&symbol=BTC';
  const whole = Object(await read(path));
  t.strictSame(asked, [{ name: 'fullBook', market: 'BTC-spot', kind: 'spot' }]);
  t.match(whole, { market: 'BTC-spot', source: 'live', sequence: 9, mid_price: 1000.5 });
  t.strictSame([whole.bids.length, whole.asks.length], [400, 400]);
  const few = Object(await read(`${path}&depth=120`));
  t.strictSame([few.bids.length, few.bids.at(-1).price, few.asks.at(-1).price], [120, 881, 1120]);
});
