import t from 'tap';
import { deribit } from '../../../../actors/venues/deribit/index.ts';
import { askFor } from '../fixtures.ts';
import { listed } from '../stream-suite.ts';
import { wholeVenue } from '../suite/index.ts';

const { queries } = deribit;

t.test('the answer to an end of a subscription is no acknowledgement', async (t) => {
  const { channels, unsubscribe, acknowledges } = deribit.live.prices.linear;
  const list = listed([{ market: 'BTC_USDC-PERPETUAL', quote: 'USDC' }]);
  const answers = [...channels(list), ...(unsubscribe?.(list, {}) ?? [])].map((sent) => {
    const { id, method, params } = JSON.parse(sent);
    return [
      method,
      params.channels,
      acknowledges?.({ jsonrpc: '2.0', id, result: params.channels }),
    ];
  });
  const ticker = ['ticker.BTC_USDC-PERPETUAL.100ms'];
  t.strictSame(answers, [
    ['public/subscribe', ticker, 1],
    ['public/unsubscribe', ticker, 0],
  ]);
});

t.test('no_data is an empty page', async (t) => {
  const ask = askFor(deribit, 'spot', 'BTC_USDC');
  t.strictSame(queries.candles.parse({ result: { status: 'no_data' } }, ask), []);
  t.throws(() => queries.candles.parse({ result: { status: 'ok' } }, ask), { name: 'ShapeError' });
});

wholeVenue(t, deribit);
