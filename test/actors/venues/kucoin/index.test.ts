import t from 'tap';
import { kucoin } from '../../../../actors/venues/kucoin/index.ts';
import { wholeVenue } from '../suite/index.ts';

t.test('the connection: acknowledgements', async (t) => {
  const { acknowledges, url } = kucoin.live.prices.futures;
  t.equal(url, 'wss://x-push-futures.kucoin.com');
  const said = { id: '1', result: true };
  t.strictSame(
    [said, { ...said, id: '2' }, { ...said, result: false }, null].map((message) =>
      acknowledges?.(message),
    ),
    [1, 0, 0, 0],
  );
});

wholeVenue(t, kucoin);
