/** What every store must do with events. */
import type { Test } from 'tap';
import { defineSeries, exact, last, type Series, summed } from '../../actors/history/define.ts';
import { deliveries, events, type StoredEvent } from '../../actors/history/logs.ts';
import type { EventWrite, Mode, Store, Write } from '../../actors/history/store.ts';
import type { AlertDelivery } from '../../actors/topics/index.ts';

const step = 300_000;
const day = 86_400_000;
const start = 1_800_000_000_000;
const everything = { from: start - day, to: start + 100 * day };

export const sums = defineSeries({
  name: 'liquidations',
  key: 'k',
  columns: {
    long_usd: summed('US dollars'),
    short_usd: summed('US dollars'),
    count: summed('count'),
    largest_usd: { ...last('US dollars'), combine: 'max' },
  },
  tiers: [{ step: '5m', keep: '30d' }],
});

/** A series of two tiers. */
export const interest = defineSeries({
  name: 'open-interest',
  key: 'k',
  columns: { base: last('base asset'), usd: exact('US dollars') },
  tiers: [
    { step: '5m', keep: '30d' },
    { step: '1h', keep: '400d' },
  ],
});

/** A write of rows: the key, the time, and the values of the columns in their order. */
export const writing = (
  series: Series,
  step: number,
  rows: readonly (readonly [key: string, time: number, ...values: number[]])[],
  { mode = 'put', backfilled = false }: { mode?: Mode; backfilled?: boolean } = {},
): Write => ({
  series,
  step,
  mode,
  rows: rows.map(([key, time, ...cells]) => ({ key, time, cells, backfilled })),
});

export const event = (id: string, more: Partial<StoredEvent> = {}): StoredEvent => ({
  exchange: 'okx',
  symbol: 'BTC',
  contract: 'BTC-USDT-SWAP',
  side: 'long',
  price: 100.5,
  price_kind: 'bankruptcy',
  quantity_base: 2,
  value_usd: 201,
  timestamp: start,
  id,
  ...more,
});

const totals = (fresh: readonly StoredEvent[]): number[] => {
  const values = fresh.map(({ value_usd }) => value_usd);
  return [values.reduce((sum, value) => sum + value, 0), 0, fresh.length, Math.max(...values)];
};

/** Events with what is summed of the new ones: dollars of longs, how many, and the largest. */
export const eventWrite = (rows: readonly StoredEvent[]): EventWrite => ({
  rows,
  sums: (fresh) =>
    fresh.length === 0
      ? []
      : [writing(sums, step, [['okx/BTC', start, ...totals(fresh)]], { mode: 'add' })],
});

const order = {
  price: 100,
  average_price: 100.5,
  type: 'LIMIT',
  time_in_force: 'IOC',
  status: 'FILLED',
};

export function storesEvents(t: Test, store: () => Store): void {
  t.test('an event is stored once, and summed once', async (t) => {
    const full = event('a', { order: order, bankruptcy_loss: null, quantity_contracts: 3 });
    const later = event('b', { timestamp: start + 2, value_usd: 99 });
    const elsewhere = event('a', { exchange: 'gate', timestamp: start + 1, value_usd: 500 });
    await store().write({ writes: [], events: eventWrite([full, later]) });
    await store().write({ writes: [], events: eventWrite([later, elsewhere, full]) });
    await store().write({ writes: [], events: eventWrite([full]) });
    const all = { from: start, to: start + 2, limit: 10 };
    t.same(await store().log(events, all), [later, elsewhere, full]);
    t.same(await store().log(events, { ...all, owner: 'okx', limit: 1 }), [later]);
    t.same(await store().log(events, { ...all, to: start }), [full]);
    const found = await store().read(sums, step, ['okx/BTC'], everything);
    t.same(found.get('okx/BTC')?.columns, [[800], [0], [3], [500]]);
  });

  t.test('events are moved with the position, or neither', async (t) => {
    const one = event('c', { timestamp: start + 3 });
    const stale = { name: 'liquidations', from: '1-0', to: '9-0' };
    const batch = { writes: [], events: eventWrite([one]), positions: [stale] };
    await t.rejects(store().write(batch), { code: 'superseded' });
    t.same(await store().log(events, { from: start + 3, to: start + 3, limit: 1 }), []);
    const { columns } =
      (await store().read(sums, step, ['okx/BTC'], everything)).get('okx/BTC') ?? {};
    t.same(columns?.[2], [3]);
  });

  t.test('events that are no longer kept go', async (t) => {
    await store().write({
      writes: [],
      events: eventWrite([event('d', { timestamp: start + 2 * day })]),
    });
    await store().pruneLog(events, start + day + 1);
    const left = await store().log(events, { from: 0, to: start + 3 * day, limit: 10 });
    t.same(
      left.map(({ id }) => id),
      ['d'],
    );
  });

  t.test(
    'deliveries of alerts: each attempt once, by alert, with their position, until they are not kept any more',
    async (t) => {
      const attempt = (more: Partial<AlertDelivery>): AlertDelivery => ({
        event_id: 'evt_1',
        alert_id: 'al_1',
        account: 'alice',
        target: 'a.example.com',
        receiver: 'webhook',
        attempt: 1,
        at: start,
        took_ms: 7,
        outcome: 'failed',
        status: 503,
        error: 'answered 503',
        ...more,
      });
      const first = attempt({});
      const second = attempt({
        attempt: 2,
        at: start + 5,
        outcome: 'delivered',
        status: 200,
        error: null,
      });
      const other = attempt({ alert_id: 'al_2' });
      const deliveriesOf = (owner: string, limit: number) =>
        store().log(deliveries, { from: start, to: start + day, owner, limit });
      await store().write({ writes: [], deliveries: [first, other] });
      await store().write({ writes: [], deliveries: [first, second] });
      t.same(await deliveriesOf('al_1', 10), [second, first]);
      t.same(await deliveriesOf('al_1', 1), [second]);
      t.same(await deliveriesOf('al_3', 10), []);
      const stale = { name: 'log:alert-deliveries', from: '1-0', to: '9-0' };
      const batch = { writes: [], deliveries: [attempt({ alert_id: 'al_3' })], positions: [stale] };
      await t.rejects(store().write(batch), { code: 'superseded' });
      t.same(await deliveriesOf('al_3', 10), []);
      await store().pruneLog(deliveries, start + 1);
      t.same(await deliveriesOf('al_1', 10), [second]);
    },
  );
}
