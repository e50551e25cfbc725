/** The simulated WOO X has the keys and types of the recorded one. */
import t from 'tap';
import { woo } from '../../../scripts/simulator/venues/woo.ts';
import { absent, recording } from '../../support/recordings.ts';
import { sameShape } from '../../support/shape.ts';
import { simulated } from '../../support/simulated-venue.ts';

const simulator = await simulated(woo);
t.teardown(() => simulator.close());

for (const name of [
  ...['instruments', 'futures', 'funding-current', 'order-book', 'candles'],
  'error-invalid-symbol',
]) {
  t.test(name, { skip: absent }, (t) =>
    sameShape(t, simulator.url, [name, recording('woo', name)]),
  );
}

t.test('what the gateway says', { skip: absent }, async (t) => {
  const { status, body } = woo.refusals.server_error;
  const recorded = recording('woo', 'error-gateway-200');
  t.strictSame([status, body], [recorded?.status, recorded?.response]);
});
