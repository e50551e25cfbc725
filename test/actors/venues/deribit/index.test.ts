import t from 'tap';
import { deribit } from '../../../../actors/venues/deribit/index.ts';
import { sameRows } from '../../../support/table.ts';
import { askFor, contextOf, derivativesOf, instrumentOf } from '../fixtures.ts';
import { rounded } from '../stream-suite.ts';
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

const stated = 1_750_000_000_321;

t.test('instruments', async (t) => {
  sameRows(t, [
    instrumentOf(deribit, 'spot', 'BTC_USDC'),
    instrumentOf(deribit, 'linear', '1000PEPE_USDC-PERPETUAL'),
    instrumentOf(deribit, 'inverse', 'BTC-PERPETUAL'),
  ])`
    market                  kind      symbol quote scale contract inverse funding_hours tick
    BTC_USDC                spot      BTC    USDC  1     1        false   - 0.5
    1000PEPE_USDC-PERPETUAL perpetual PEPE   USDC  1000  1        false   - 0.5/1000
    BTC-PERPETUAL           perpetual BTC    USD   1     1        true    - 0.5 // contract: amounts are dollars: the 10 of contract_size are only their step
  `;
});

t.test('funding accrues: the rate is per 8 hours and has no next time', async (t) => {
  const { rows, dropped } = derivativesOf(deribit, 'linear');
  t.strictSame(dropped, []);
  sameRows(t, rounded(rows[1]))`
    market                  symbol quote mark      index      funding_rate funding_hours funding_rate_8h next_funding stated
    // mark: 0.0126 for a thousand
    1000PEPE_USDC-PERPETUAL PEPE   USDC  0.0000126 0.00001255 0.00013      8             0.00013         -            ${stated}
  `;
  t.equal(rows.length, 3, 'a market without a last price has a mark');
  t.match(derivativesOf(deribit, 'inverse').rows, [
    { market: 'BTC-PERPETUAL', mark: 100_010, index: 100_020, funding_rate: 0.00012 },
    { market: 'ETH-PERPETUAL', mark: 2500.25, index: 2501, funding_rate: -0.00003 },
  ]);
});

wholeVenue(t, deribit);
