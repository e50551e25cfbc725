import t from 'tap';
import { deribit } from '../../../../actors/venues/deribit/index.ts';
import { sameRows } from '../../../support/table.ts';
import { askFor, contextOf, instrumentOf } from '../fixtures.ts';
import { wholeVenue } from '../suite/index.ts';

const { queries } = deribit;

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

wholeVenue(t, deribit);
