/** Recorded series and events that are copied from one store to another. */
import t from 'tap';
import { copySeries } from '../../../actors/history/copy.ts';
import { events, type LogRange, type StoredEvent } from '../../../actors/history/logs.ts';
import { SqliteStore } from '../../../actors/history/sqlite.ts';
import { event, eventWrite, interest, sums, writing } from '../../support/events.ts';

const day = 86_400_000;
const step = 300_000;
/** The start of a block of five minutes. */
const time = 1_800_000_000_000 - (1_800_000_000_000 % (96 * step));
const stored = [interest, sums];

t.test('series are copied with their marks, beginnings and events, as far as kept', async (t) => {
  const [from, to] = [new SqliteStore(':memory:', stored), new SqliteStore(':memory:', stored)];
  t.teardown(() => Promise.all([from.close(), to.close()]));
  const put = (at: number, value: number, backfilled = false) =>
    writing(interest, step, [['moved', at, value, 10 * value]], { backfilled });
  const positions = [
    { name: 'recorded:open-interest', to: '7' },
    { name: 'log:liquidations', to: '8' },
    { name: 'combined:open-interest:1h', to: '6' },
    { name: 'another', to: '9' },
  ];
  const moved = event('moved', { timestamp: time });
  await from.write({ writes: [put(time, 1)], positions });
  await from.write({ writes: [], events: eventWrite([moved]) });
  await from.write({ writes: [put(time - step, 2, true), put(time - 30 * day, 3)] });
  await from.write({ writes: [put(time - 30 * day - step, 4), put(time + step, 5)] });
  await to.write({ writes: [put(time, 6)] });
  const tiers: string[] = [];
  const onTier = (name: string, rows: number) => void tiers.push(`${name} ${rows}`);
  await copySeries({ from, to, series: [interest], now: time, onTier });
  await copySeries({ from, to, series: [interest], now: time });
  t.strictSame(tiers, ['liquidation events 1', 'open-interest 5m 4', 'open-interest 1h 0']);
  const range = { from: time - 40 * day, to: time + day };
  t.match((await to.read(interest, step, ['moved'], range)).get('moved'), {
    times: [time - 30 * day, time - step, time, time + step],
    columns: [[3, 2, 6, 5]],
    backfilled: [false, true, false, false],
  });
  const places = positions.map(({ name }) => to.position(name));
  t.strictSame(await Promise.all(places), ['7', '8', '6', null]);
  t.same(await to.log(events, { from: time, to: time, limit: 2 }), [moved]);
});

t.test('events are copied a page at a time, also those of one millisecond', async (t) => {
  const to = new SqliteStore(':memory:', stored);
  t.teardown(() => to.close());
  // Newest first: the first page ends among equal times, the second one is full of them.
  const times = [...Array(4_998).fill(9), ...Array(5_000).fill(8), ...Array(4_999).fill(7)];
  const all: StoredEvent[] = times.map((at, i) => event(`${i}`, { timestamp: time + at }));
  const asked: number[] = [];
  const log = async (_: unknown, { to: until, limit }: LogRange) => {
    asked.push(until - time, limit);
    return all.filter(({ timestamp }) => timestamp <= until).slice(0, limit);
  };
  const from = Object.assign(new SqliteStore(':memory:', stored), {
    log: log as SqliteStore['log'],
  });
  const copied: number[] = [];
  const onTier = (_: string, rows: number) => void copied.push(rows);
  await copySeries({ from, to, series: [], now: time + 10, onTier });
  t.strictSame([asked, copied], [[10, 5_000, 8, 5_000, 7, 5_000], [14_997]]);
  t.equal((await to.log(events, { from: time, to: time + 10, limit: 20_000 })).length, 14_997);
});
