/** The live point, made of the last closes alone. */
import t from 'tap';
import { priced, untimed } from '../../../../actors/market/bitcoin/model.ts';
import { type HistoryDay, prepend } from '../../../../indicators/market/daily-closes.ts';
import { dayLength, dayOf } from '../../../../indicators/market/days.ts';
import { piCycle, piCycleCrosses, piCycleSeries } from '../../../../indicators/market/pi-cycle.ts';
import { closesOf } from '../fixtures.ts';

const first = dayOf('2020-01-01');
const days = (count: number, close = (at: number) => 100 + at): HistoryDay[] =>
  closesOf(Array.from({ length: count }, (_, at) => close(at))).map((row, at) => ({
    ...row,
    source: at < 5 ? 'old' : 'new',
  }));

t.test('the live price is the point of the day after the last close', async (t) => {
  const rows = days(10);
  const next = first + 10 * dayLength;
  const at = next + 60_000;
  const found = (now: number, price = 120) =>
    priced({ rows, at }, { now, live: { price, at: now - 1_000 } }, 6);
  const usual = found(next + 3_600_000);
  t.same(usual?.closes.at(-1), { day: next, close: 120, provisional: true });
  t.equal(usual?.closes.length, 7);
  t.same(usual?.source, ['exchanges', 'new', 'old']);
  t.equal(usual?.updated_at, next + 3_599_000);
  t.equal(found(next + dayLength + 600_000)?.closes.at(-1)?.day, next, 'its close is late');
  const late = found(next + dayLength + 3_600_000);
  t.same([late?.closes.length, late?.updated_at, late?.received_at], [6, next, at], 'too late');
  const edges = [next - 1, next, next + dayLength + 3_599_999].map(
    (now) => found(now)?.closes.length,
  );
  t.strictSame(edges, [6, 7, 7]);
  const ahead = priced({ rows, at }, { now: next, live: { price: 120, at: next + 5 } }, 6);
  t.equal(ahead?.received_at, next, 'a price of a clock that is ahead is one of now');
  t.strictSame(untimed({ timestamp: 1, provisional: true, value: 2 }), { value: 2 });
  t.equal(found(next + 5, 1_200)?.closes.length, 6, 'ten times off');
  t.equal(priced({ rows: [], at }, { now: next, live: null }, 6), null);
});

t.test('Pi Cycle of the last days is that of all of them', async (t) => {
  const rows = days(900, (at) => 100 * Math.exp(1.5 * Math.sin(at / 60)));
  const crosses = piCycleCrosses(piCycleSeries(rows));
  t.ok(crosses.length > 2);
  const live = { day: first + 900 * dayLength, close: 500, provisional: true as const };
  for (const closes of [rows, [...rows, live], rows.slice(0, 351), rows.slice(0, 350)]) {
    const known = piCycleCrosses(piCycleSeries(closes));
    const [whole, part] = [piCycle(closes), piCycle(closes.slice(-352), known)];
    if (!whole.ok || !part.ok) t.same(part, whole);
    else {
      t.ok(Math.abs(part.value.gap_pct - whole.value.gap_pct) < 1e-9, `${closes.length} days`);
      const rest = { gap_pct: 0, ma_111d_usd: 0, ma_350d_x2_usd: 0 };
      t.same({ ...part.value, ...rest }, { ...whole.value, ...rest });
    }
  }
});

t.test('older days are taken where they lead up to the first one', async (t) => {
  const stored = days(10).slice(6);
  const older = { source: 'b', rows: days(8, () => 105) };
  const found = prepend(stored, [older], first).history;
  t.equal(found.length, 10);
  t.same(
    found.map((row) => row.source),
    [...Array(6).fill('b'), ...Array(4).fill('new')],
  );
  t.same(found.slice(6), stored);
  const far = { source: 'b', rows: days(8, () => 10) };
  t.equal(prepend(stored, [far], first).history, stored, 'ten times off');
  t.equal(prepend(stored, [], first).history, stored);
  t.same(prepend([], [older], first).history, []);
  const holed = { source: 'b', rows: days(4, () => 105) };
  t.same(
    prepend(stored, [holed], first).history.flatMap((row) => (row.filled ? [row.day] : [])),
    [first + 4 * dayLength, first + 5 * dayLength],
    'a hole before the first one is filled and marked',
  );
});
