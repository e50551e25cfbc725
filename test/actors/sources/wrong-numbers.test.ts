/** Exchanges whose numbers are wrong by orders of magnitude: what the answers say meanwhile. */
import t from 'tap';
import { binance } from '../../../actors/venues/binance/index.ts';
import { bitget } from '../../../actors/venues/bitget/index.ts';
import { bybit } from '../../../actors/venues/bybit/index.ts';
import { gate } from '../../../actors/venues/gate/index.ts';
import { okx } from '../../../actors/venues/okx/index.ts';
import { venueStage } from '../../support/venue-stage.ts';

const minute = 60_000;

t.test('two exchanges, one of them wrong by 1000 in its last price', async (t) => {
  const { simulator, pass, prices, statuses } = await venueStage(t, [binance, okx]);
  await pass(60_000);
  const before = prices();
  t.equal(before.exchange_count, 2);
  t.notOk('disputed' in before);
  t.same(before.suspect, []);
  simulator.faults.set([
    { host: 'www.okx.com', kind: 'multiplied', fields: ['last'] },
    { host: 'openapi.okx.com', kind: 'multiplied', fields: ['last'] },
  ]);
  let worst = 0;
  let named = false;
  await pass(4 * minute, () => {
    const { average_price, suspect } = prices();
    worst = Math.max(worst, average_price / before.average_price);
    named ||= suspect.some(({ exchange }: { exchange: string }) => exchange === 'okx');
  });
  t.ok(worst < 1.1, `the mean was never far off: ${worst} times`);
  t.ok(named, 'the markets are named in the answer');
  const told = [...statuses.values()].filter(({ source }) => source === 'okx');
  t.ok(told.some(({ topic, suspect = [] }) => topic === 'prices' && suspect.length > 0));
  t.ok(told.every(({ suspect = [] }) => suspect.length <= 20));
  await pass(3 * minute);
  t.same(Object.keys(prices().exchanges), ['binance'], 'its last good price has become too old');
  simulator.faults.clear();
  await pass(2 * minute);
  t.match(prices(), { exchange_count: 2, suspect: [], stale_exchanges: [] }, 'and it is back');
});

/** Fields of OKX's answers that hold prices, or sums of them. */
const prices = ['last', 'bidPx', 'askPx', 'open24h', 'markPx', 'idxPx'];
const sums = ['volCcy24h'];

t.test('two exchanges, one of them wrong by 1000 in all of its prices', async (t) => {
  const { simulator, pass, prices: read } = await venueStage(t, [binance, okx]);
  await pass(60_000);
  const before = read();
  const fields = [...prices, ...sums];
  simulator.faults.set([{ host: '*', path: '/api/v5', kind: 'multiplied', fields }]);
  const steps: string[] = [];
  await pass(3 * minute, () => {
    const { average_price, disputed = false, suspect } = read();
    const absurd = average_price > 2 * before.average_price;
    const step = `${absurd ? 'absurd' : 'right'}${disputed ? ', disputed' : ''}${suspect.length > 0 ? ', held' : ''}`;
    if (steps.at(-1) !== step) steps.push(step);
  });
  t.ok(steps.includes('right, held'), 'it is held back at first');
  t.equal(steps.at(-1), 'absurd, disputed', 'it goes on saying so: shown, and marked');
  t.notOk(steps.some((step) => step.startsWith('absurd') && !step.includes('disputed')));
  t.ok(read().exchanges.okx.price > 100 * read().exchanges.binance.price, 'both are shown');
});

t.test("one of five exchanges' open interest times a million", async (t) => {
  const venues = [binance, bitget, bybit, gate, okx];
  const { simulator, pass, openInterest, statuses } = await venueStage(t, venues);
  await pass(2 * minute);
  const before = openInterest();
  t.equal(before.exchange_count, 5);
  simulator.faults.set([
    { host: '*', path: '/api/v2/mix', kind: 'multiplied', fields: ['holdingAmount'], factor: 1e6 },
  ]);
  let worst = 0;
  const excluded = new Set<string>();
  let named = false;
  await pass(15 * minute, () => {
    const { total_oi_usd, exchanges, suspect } = openInterest();
    worst = Math.max(worst, total_oi_usd / before.total_oi_usd);
    for (const [exchange, entry] of Object.entries<{ excluded?: true }>(exchanges)) {
      if (entry.excluded) excluded.add(exchange);
    }
    named ||= suspect.some(({ exchange }: { exchange: string }) => exchange === 'bitget');
  });
  t.ok(worst < 1.3, `the total was never far off: ${worst} times`);
  t.ok(named, 'first held back');
  t.same([...excluded], ['bitget'], 'then, as it goes on, left out of the total');
  t.ok([...statuses.values()].some(({ source }) => source === 'bitget'));
});
