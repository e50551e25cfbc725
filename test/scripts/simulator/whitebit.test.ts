/** The simulated WhiteBIT has the keys and types of the recorded one. */
import t from 'tap';
import { isRecord } from '../../../actors/read.ts';
import { whitebit } from '../../../scripts/simulator/venues/whitebit.ts';
import { absent, recording } from '../../support/recordings.ts';
import { bothBodies, differences } from '../../support/shape.ts';
import { simulated } from '../../support/simulated-venue.ts';

const simulator = await simulated(whitebit);
t.teardown(() => simulator.close());

/** The tickers are a map by id: their first row. */
const firstOf = (name: string, body: unknown): unknown =>
  name === 'tickers-spot' && isRecord(body) ? Object.values(body)[0] : body;

/** Deliberate: what the venue has added since it was recorded. */
const newer: Readonly<Record<string, readonly string[]>> = {
  futures: ['mark_price', 'funding_cap', 'funding_floor'].map((key) => `$.result[].${key}: added`),
  'order-book': ['$.ticker_id: added'],
};

for (const name of [
  ...['markets', 'tickers-spot', 'futures', 'order-book', 'candles', 'error-unknown-market'],
]) {
  t.test(name, { skip: absent }, async (t) => {
    const { real, ours } = await bothBodies(t, simulator.url, [name, recording('whitebit', name)]);
    const found = differences(firstOf(name, real), firstOf(name, ours));
    t.strictSame(found, newer[name] ?? []);
  });
}

t.test('the refusal of a region', { skip: absent }, async (t) => {
  const recorded = recording('whitebit', 'error-region');
  const { status, body } = whitebit.refusals.ban;
  t.equal(status, recorded?.status);
  t.strictSame(differences(recorded?.response, body), []);
});
