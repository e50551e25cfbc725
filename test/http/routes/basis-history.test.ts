/** The history of the basis: out of what an exchange replies about its mark and its index, or out of what is recorded. */
import t from 'tap';
import { basisHistoryRoute } from '../../../http/routes/futures/basis-history.ts';
import { InstrumentsView } from '../../../http/views/instruments.ts';
import { Markets } from '../../../http/views/markets.ts';
import { PricesView } from '../../../http/views/prices.ts';
import { seriesReply } from '../../support/http-makers.ts';
import { instrument, now, reading } from '../../support/makers.ts';
import { type Replies, rowReader } from '../../support/row-reader.ts';

const instruments = new InstrumentsView();
const listed = [
  instrument({ symbol: 'BTC', market: 'BTCUSDT', kind: 'perpetual' }),
  instrument({ symbol: 'BTC', market: 'BTCUSDT_260327', kind: 'future', expiry: now + 1 }),
];
instruments.accept(reading(listed, { source: 'binance', part: 'linear' }));
const dated = { symbol: 'BTC', quote: 'USD', inverse: true } as const;
const others = [
  instrument({ ...dated, market: 'BTC-PERPETUAL' }),
  instrument({ ...dated, market: 'BTC-26JUN26', kind: 'future', expiry: now + 1 }),
];
instruments.accept(reading(others, { source: 'deribit', part: 'inverse' }));
const markets = new Markets({ instruments, prices: new PricesView() });

const context = {
  markets,
  registry: [
    { id: 'deribit', kinds: ['spot', 'perpetual'] },
    { id: 'binance', kinds: ['spot', 'perpetual'] },
    { id: 'spotonly', kinds: ['spot'] },
  ],
  exchanges: { orderBook: [], candles: [], loans: [], basisHistory: ['binance'] },
};
const points = [
  { timestamp: now - 7_200_000, mark: 101, index: 100 },
  { timestamp: now - 3_600_000, mark: 99.5, index: 100 },
  { timestamp: now, mark: 102, index: null },
];
const asked: unknown[] = [];
const read = rowReader(basisHistoryRoute(context), {
  reply({ params }) {
    asked.push(params);
    return { market: Object(params).market, points };
  },
});

t.test('mark over index, less one, in percent', async (t) => {
  const data = await read('/v1/futures/basis/history?symbol=BTC&exchange=binance&limit=3');
  t.match(data, {
    symbol: 'BTC',
    exchange: 'binance',
    contract: 'BTCUSDT',
    interval: '1h',
    count: 3,
    origin: 'exchange',
    coverage: undefined,
  });
  const [above, below, none] = data.points;
  t.match(above, { timestamp: now - 7_200_000, mark_price: 101, index_price: 100 });
  t.ok(Math.abs(above.basis_percent - 1) < 1e-9);
  t.ok(Math.abs(below.basis_percent + 0.5) < 1e-9);
  t.match(none, { mark_price: 102, index_price: null, basis_percent: null });
  t.match(asked.at(-1), { market: 'BTCUSDT', kind: 'perpetual', interval: '1h', limit: 3 });
});

t.test('a dated future by its own name; others are unknown', async (t) => {
  const data = await read('/v1/futures/basis/history?symbol=btcusdt_260327');
  t.match(data, { symbol: 'BTC', contract: 'BTCUSDT_260327' });
  t.match(asked.at(-1), { market: 'BTCUSDT_260327' });
  t.equal(Object(asked.at(-1)).kind, undefined);
  const unknown = await read('/v1/futures/basis/history?symbol=NOSUCHCOIN');
  t.match(unknown, { error: 'unknown_symbol', message: /NOSUCHCOIN/ });
});

t.test('the recorded prices of an exchange that keeps none', async (t) => {
  const hour = 3_600_000;
  const times = [now - (now % hour) - hour, now - (now % hour)];
  const questions: object[] = [];
  const reply: Replies = ({ source, name, params }) => {
    questions.push({ source, name, params });
    return seriesReply('basis', hour, Object(params).keys, {
      'deribit/BTC-26JUN26': { times, columns: { mark: [102, 99], index: [100, 100] } },
    });
  };
  const recorded = rowReader(basisHistoryRoute(context), { reply });
  const path = '/v1/futures/basis/history?exchange=deribit';
  const data = await recorded(`${path}&symbol=btc-26jun26&limit=20`);
  const asked = { series: 'basis', keys: ['deribit/BTC-26JUN26'], step: '1h', limit: 20 };
  t.match(questions, [{ source: 'history', name: 'series', params: asked }]);
  t.match(data, { contract: 'BTC-26JUN26', origin: 'recorded', coverage: { present: 2 } });
  t.strictSame(
    data.points.map(Object.values),
    [
      [times[0], 2, 102, 100],
      [times[1], -1, 99, 100],
    ],
    'timestamp, percent, mark, index',
  );
  t.match(await recorded(`${path}&symbol=BTC`), {
    contract: 'BTC-PERPETUAL',
    count: 0,
    note: /recording started at/,
  });
  t.match(await recorded('/v1/futures/basis/history?exchange=spotonly'), {
    error: 'bad_parameter',
    message: /exchange .*binance, deribit$/,
  });
});
