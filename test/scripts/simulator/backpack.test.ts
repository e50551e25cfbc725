/** The simulated Backpack has the keys and types of the recorded one. */
import t from 'tap';
import { isRecord } from '../../../actors/read.ts';
import { backpack } from '../../../scripts/simulator/venues/backpack.ts';
import { absent, recording } from '../../support/recordings.ts';
import { bothBodies, differences } from '../../support/shape.ts';
import { simulated } from '../../support/simulated-venue.ts';

const simulator = await simulated(backpack);
t.teardown(() => simulator.close());

/** The row of a perpetual where both lists have one: spot rows have other types at some keys. */
const row = (body: unknown): unknown =>
  Array.isArray(body)
    ? (body.find((one) => isRecord(one) && one.symbol === 'SOL_USDC_PERP') ?? body[0])
    : body;

/** Deliberate: the recording of 2025 has text; numbers of ms since. */
const known = ['$.fundingInterval: number, not string'];

for (const name of [
  ...['markets', 'tickers', 'mark-prices', 'open-interest', 'order-book', 'candles'],
  ...['error-bad-limit', 'error-invalid-symbol'],
]) {
  t.test(name, { skip: absent }, async (t) => {
    const { real, ours } = await bothBodies(t, simulator.url, [name, recording('backpack', name)]);
    const found = differences(row(real), row(ours));
    t.strictSame(found, name === 'markets' ? known : []);
  });
}
