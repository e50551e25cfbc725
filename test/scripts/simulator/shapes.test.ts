import t from 'tap';
import { startSimulator } from '../../../scripts/simulator/main.ts';
import { absent, recordingsOf } from '../../support/recordings.ts';
import { differences, sameShape } from '../../support/shape.ts';

/** Keys that newer answers have and these older recordings lack; source: the venues' documentation. */
const newer: Readonly<Record<string, readonly string[]>> = {
  'binance/perp-premium-index': ['estimatedSettlePrice'],
  'binance/analytics-fapi-funding-rate': ['markPrice'],
  'binance/spot-exchange-info': ['timezone'],
  'binance/perp-exchange-info': ['timezone'],
  'binance/inverse-exchange-info': ['timezone'],
  'okx/open-interest': ['oiUsd'],
  'okx/analytics-swap-open-interest': ['oiUsd'],
  'okx/funding-current': ['nextFundingRate'],
  'okx/analytics-funding-rate-history': ['method'],
};

/** Endpoints that the simulator does not have, by a part of their path. */
const elsewhere = ['/futures/data/', 'aggTrades', '/rubik/', '/asset/', '/finance/', 'opt-summary'];
const unsupported = (url: URL) =>
  elsewhere.some((part) => url.pathname.includes(part)) ||
  url.pathname.includes('interest-rate-loan-quota') ||
  url.protocol === 'wss:' ||
  (url.pathname.includes('/public/open-interest') && url.searchParams.get('instType') === 'OPTION');

/** Lists of words (such as orderTypes) may be of any length; rows of numbers may not. */
const words = /Types|Modes|timeInForce|Sets|SubType|permissions|CcyList/;

for (const venue of ['binance', 'okx']) {
  t.test(`${venue}: keys and types are those of the recordings`, { skip: absent }, async (t) => {
    const simulator = await startSimulator({ symbols: 120 });
    t.teardown(() => simulator.close());
    let compared = 0;
    for (const [file, recording] of recordingsOf(venue)) {
      if (unsupported(new URL(recording.request.url))) continue;
      const name = `${venue}/${file}`;
      const allowed = { newer: newer[name] ?? [], words };
      await sameShape(t, simulator.url, [name, recording], allowed);
      compared++;
    }
    t.ok(compared >= 10, `${compared} recordings compared`);
  });
}

t.test('the comparison finds what it should', async (t) => {
  const real = { a: '1', rows: [['1', 2]] };
  t.same(differences(real, { a: '1', rows: [['3', 4]] }), []);
  t.equal(differences(real, { a: 1, rows: [['3', 4]] }).length, 1);
  t.equal(differences(real, { rows: [['3', '4']] }).length, 2);
  t.equal(differences(real, { a: '1', rows: [] }).length, 1);
  t.equal(differences(real, { a: '1', b: 2, rows: [['3', 4]] }, { newer: ['b'] }).length, 0);
});
