/** The simulated WOO X has the keys and types of the recorded one. */
import t from 'tap';
import { woo } from '../../../scripts/simulator/venues/woo.ts';
import { absent, recording } from '../../support/recordings.ts';
import { differences } from '../../support/shape.ts';
import { simulated } from '../../support/simulated-venue.ts';

const simulator = await simulated(woo);
t.teardown(() => simulator.close());

for (const name of [
  ...['instruments', 'futures', 'funding-current', 'order-book', 'candles'],
  'error-invalid-symbol',
]) {
  t.test(name, { skip: absent }, async (t) => {
    const recorded = recording('woo', name);
    if (!recorded) throw new Error(`no recording ${name}`);
    const { host, pathname, search } = new URL(recorded.request.url);
    const response = await fetch(`${simulator.url}/${host}${pathname}${search}`);
    t.equal(response.status, recorded.status);
    t.strictSame(differences(recorded.response, await response.json()), []);
  });
}

t.test('what the gateway says', { skip: absent }, async (t) => {
  const { status, body } = woo.refusals.server_error;
  const recorded = recording('woo', 'error-gateway-200');
  t.strictSame([status, body], [recorded?.status, recorded?.response]);
});
