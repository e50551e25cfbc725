/** Margin positions over time: which pair is asked about, and the ratio of its sides. */
import t from 'tap';
import { marginHistoryRoute } from '../../../http/routes/analytics/long-short.ts';
import { InstrumentsView } from '../../../http/views/instruments.ts';
import { Markets } from '../../../http/views/markets.ts';
import { PricesView } from '../../../http/views/prices.ts';
import { instrument, now, priceRow, reading } from '../../support/makers.ts';
import { rowReader } from '../../support/row-reader.ts';

const spot = { symbol: 'BTC', kind: 'spot' } as const;
const instruments = new InstrumentsView();
const listed = [
  instrument({ ...spot, market: 'tBTCUSD', quote: 'USD' }),
  instrument({ ...spot, market: 'tBTCUST', quote: 'USDT' }),
];
instruments.accept(reading(listed, { source: 'bitfinex' }));
const prices = new PricesView();
const traded = [
  priceRow({ ...spot, market: 'tBTCUSD', quote: 'USD', volume: 1 }),
  priceRow({ ...spot, market: 'tBTCUST', volume: 1_000 }),
];
prices.accept(reading(traded, { source: 'bitfinex' }), now);
const markets = new Markets({ instruments, prices });
const exchanges = { orderBook: [], candles: [], loans: [], marginHistory: ['bitfinex'] };

const asked: object[] = [];
const hour = 3_600_000;
const read = rowReader(marginHistoryRoute({ markets, exchanges }), {
  reply({ source, name, params }) {
    asked.push({ source, name, ...params });
    const points = [
      { timestamp: now - hour, long_size: 80, short_size: 20 },
      { timestamp: now, long_size: 81, short_size: 0 },
    ];
    return { market: Object(params).market, points };
  },
});
const path = '/v1/analytics/bitfinex/margin-history';

t.test('the pair of an asset with US dollars, whatever trades most', async (t) => {
  const data = await read(`${path}?symbol=btc&from=${now - hour}&to=${now}&limit=2`);
  t.match(asked.at(-1), { source: 'bitfinex', name: 'marginHistory', market: 'tBTCUSD', limit: 2 });
  t.match(asked.at(-1), { kind: 'spot', interval: '1h', from: now - hour, to: now });
  t.match(data, { symbol: 'BTC', exchange: 'bitfinex', pair: 'tBTCUSD', interval: '1h', count: 2 });
  t.strictSame(data.points, [
    { timestamp: now - hour, long_size: 80, short_size: 20, long_short_ratio: 4 },
    { timestamp: now, long_size: 81, short_size: 0, long_short_ratio: null },
  ]);
});

t.test('a pair by its own name; others are unknown', async (t) => {
  await read(`${path}?symbol=tBTCUST`);
  t.match(asked.at(-1), { market: 'tBTCUST' });
  t.match(await read(`${path}?symbol=NOSUCH`), { error: 'unknown_symbol', message: /NOSUCH/ });
});
