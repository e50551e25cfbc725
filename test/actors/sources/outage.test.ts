/** Seven minutes of one venue failing in each of the ways there are, beside two that do not. */
import t, { type Test } from 'tap';
import type { Venue } from '../../../actors/sources/venue.ts';
import { binance } from '../../../actors/venues/binance/index.ts';
import { bybit } from '../../../actors/venues/bybit/index.ts';
import { okx } from '../../../actors/venues/okx/index.ts';
import { venueStage } from '../../support/venue-stage.ts';

// Each scenario mostly waits for sockets; they share nothing.
t.jobs = 6;

const healthy: readonly Venue[] = [binance, bybit];
const ill: Venue = okx;
const minute = 60_000;

interface Data {
  exchanges: Record<string, { updated_at: number }>;
  stale_exchanges: string[];
}

async function stage(t: Test) {
  const { clock, simulator, pass, statuses, prices } = await venueStage(
    t,
    [...healthy, ill],
    [ill],
  );
  const read = (): Data => prices();
  const told = () =>
    [...statuses.values()].filter(({ source, topic }) => source === ill.id && topic === 'prices');
  return { clock, simulator, pass, read, told };
}

const hosts = ['www.okx.com', 'openapi.okx.com'];

for (const [kind, code] of [
  ['stall', 'timeout'],
  ['garbage', 'shape'],
  ['server_error', 'unavailable'],
  ['rate_limit', 'rate_limited'],
] as const) {
  t.test(`seven minutes of ${kind}`, async (t) => {
    const { clock, simulator, pass, read, told } = await stage(t);
    await pass(10_000);
    t.same(Object.keys(read().exchanges).sort(), ['binance', 'bybit', 'okx']);
    simulator.faults.set(hosts.map((host) => ({ host, kind, retryAfter: 30 })));
    const last = read().exchanges.okx?.updated_at ?? 0;
    let oldest = 0;
    let goneEarly = false;
    await pass(7 * minute, () => {
      const { exchanges } = read();
      for (const { id } of healthy) {
        oldest = Math.max(oldest, clock.now() - (exchanges[id]?.updated_at ?? 0));
      }
      goneEarly ||= clock.now() - last <= 5 * minute && !('okx' in exchanges);
    });
    t.ok(oldest <= 35_000, `the others were never older than one poll: ${oldest} ms`);
    t.notOk(goneEarly, 'its last value stays for five minutes');
    t.notOk('okx' in read().exchanges, 'then it has left');
    t.same(read().stale_exchanges, ['okx'], 'and is named');
    t.ok(told().every(({ state, last_error }) => state === 'failing' && last_error !== null));
    t.ok(
      told().some(({ last_error }) => last_error?.code === code),
      `the story says ${code}`,
    );
    simulator.faults.clear();
    await pass(3 * minute);
    t.ok('okx' in read().exchanges, 'it is back once it answers again');
    t.same(read().stale_exchanges, []);
  });
}
