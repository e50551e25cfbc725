import t from 'tap';
import { deribit } from '../../../../actors/venues/deribit/index.ts';
import { askFor, contextOf } from '../fixtures.ts';
import { wholeVenue } from '../suite/index.ts';

const { queries } = deribit;
const now = 1_750_000_000_000;

t.test('depths are legal, candles have a range', async (t) => {
  const ask = askFor(deribit, 'inverse', 'BTC-PERPETUAL');
  for (const [depth, legal] of [
    [1, 1],
    [2, 5],
    [20, 20],
    [21, 50],
    [50, 50],
  ] as const) {
    t.match(queries.orderBook.request({ ...ask, depth, now }).query, { depth: legal });
  }
  const bars = { ...ask, interval: '60', limit: 3, now: 1_750_000_000_000 };
  t.match(queries.candles.request(bars), {
    path: '/api/v2/public/get_tradingview_chart_data',
    query: {
      instrument_name: 'BTC-PERPETUAL',
      resolution: '60',
      start_timestamp: 1_750_000_000_000 - 3 * 3_600_000 + 1,
      end_timestamp: 1_750_000_000_000,
    },
  });
  const day = 86_400_000;
  const older = { ...ask, interval: '1D', limit: 2, now, before: 20_000 * day };
  t.match(queries.candles.request(older).query, {
    start_timestamp: 19_998 * day,
    end_timestamp: 20_000 * day - 1,
  });
});

t.test('what is followed: active crypto, spot and perpetual', async (t) => {
  const kinds = (part: string) =>
    Object.fromEntries(
      [...contextOf(deribit, part).instruments].map(([id, { kind }]) => [id, kind]),
    );
  t.strictSame(kinds('spot'), {
    BTC_USDC: 'spot',
    ETH_USDT: 'spot',
    ETH_BTC: 'spot',
    NEW_USDC: 'spot',
    OLD_USDC: 'other', // halted
  });
  t.strictSame(kinds('linear'), {
    'BTC_USDC-PERPETUAL': 'perpetual',
    '1000PEPE_USDC-PERPETUAL': 'perpetual',
    'SOL_USDC-PERPETUAL': 'perpetual',
    'BTC_USDC-27JUN25': 'future',
    'TSLA_USDC-PERPETUAL': 'other', // an equity
    'OLD_USDC-PERPETUAL': 'other', // halted
  });
  t.strictSame(kinds('inverse'), {
    'BTC-PERPETUAL': 'perpetual',
    'BTC-27JUN25': 'future',
    'ETH-PERPETUAL': 'perpetual',
  });
});

t.test('no_data is an empty page', async (t) => {
  const ask = askFor(deribit, 'spot', 'BTC_USDC');
  t.strictSame(queries.candles.parse({ result: { status: 'no_data' } }, ask), []);
  t.throws(() => queries.candles.parse({ result: { status: 'ok' } }, ask), { name: 'ShapeError' });
});

wholeVenue(t, deribit);
