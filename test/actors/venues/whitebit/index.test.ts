import t from 'tap';
import { whitebit } from '../../../../actors/venues/whitebit/index.ts';
import { contextOf } from '../fixtures.ts';
import { wholeVenue } from '../suite/index.ts';

const futures = contextOf(whitebit, 'futures');

t.test('a contract whose values do not change counts every five seconds', async (t) => {
  const params = [['BTC_PERP', '104000', '104001', '0.0001', 1_750_003_200_000, 1_750_000_000.9]];
  const message = { method: 'premiumIndex_update', params, id: null };
  const context = { ...futures, connection: {} };
  const found = [0, 4_999, 5_000, 9_999].map(
    (at) =>
      whitebit.live.derivatives.futures.parse(message, { ...context, received: at })?.derivatives
        ?.rows.length,
  );
  t.strictSame(found, [1, 0, 1, 0]);
});

wholeVenue(t, whitebit);
