import t from 'tap';
import { deribit } from '../../../../actors/venues/deribit/index.ts';
import { askFor } from '../fixtures.ts';
import { wholeVenue } from '../suite/index.ts';

const { queries } = deribit;

t.test('no_data is an empty page', async (t) => {
  const ask = askFor(deribit, 'spot', 'BTC_USDC');
  t.strictSame(queries.candles.parse({ result: { status: 'no_data' } }, ask), []);
  t.throws(() => queries.candles.parse({ result: { status: 'ok' } }, ask), { name: 'ShapeError' });
});

wholeVenue(t, deribit);
