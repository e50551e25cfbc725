/** How long values took from their receipt to the followers of an answer, by a clock that is moved by hand. */
import t from 'tap';
import { snapshotOf } from '../../../http/answers/snapshots.ts';
import { Received } from '../../../http/views/received.ts';
import { clientOf, stage } from './stage.ts';

const path = '/v1/prices?symbol=BTC';

/** Two clients that follow a price, and exchanges whose readings change it. Changes leave 100 ms after the first one. */
async function setUp() {
  const received = new Received();
  const world = stage({ deliveries: received });
  const { clock, answers, changes } = world;
  const say = (price: number) => answers.set('BTC', snapshotOf({ price }));
  say(1);
  const clients = [clientOf(world), clientOf(world)];
  for (const { follow } of clients) await follow(path);
  await clock.advance(1_000);
  /** A reading whose rows were received so many milliseconds ago, the newest ones at `ages.at(-1)`. */
  const reading = (source: string, ages: readonly [symbol: string, ms: number][]) => {
    const rows = ages.map(([symbol, ms]) => ({ symbol, received: clock.now() - ms }));
    return { source, received: clock.now() - (ages.at(-1)?.[1] ?? 0), rows };
  };
  const take = (topic: string) =>
    received.taking(topic, ({ rows }: ReturnType<typeof reading>) =>
      changes.change(rows.map(({ symbol }) => symbol)),
    );
  const read = () => received.deliveries(clock.now());
  return { ...world, clients, say, reading, take, read };
}

t.test(
  'once for each version, from the receipt of the newest row of the symbol, whoever follows',
  async (t) => {
    const { clock, clients, say, reading, take, read } = await setUp();
    const changed = take('priceChanges');
    say(2);
    // At once: the last look at what has changed was long ago. BTC came 40 ms ago, and before that 90 ms ago.
    changed(
      '',
      reading('okx', [
        ['BTC', 90],
        ['BTC', 40],
        ['ETH', 3],
      ]),
    );
    await clock.advance(0);
    t.strictSame(read(), { 'okx/priceChanges': { 40: 1 } });
    // The next look is 100 ms after the last one; of two changes the newest value is written.
    say(3);
    changed('', reading('okx', [['BTC', 5]]));
    await clock.advance(30);
    changed('', reading('okx', [['BTC', 1]]));
    changed('', reading('gate', [['BTC', 10]]));
    await clock.advance(70);
    // 1 + 70 ms lies in the step to 80, 10 + 70 is its end.
    t.strictSame(read(), { 'okx/priceChanges': { 40: 1, 80: 1 }, 'gate/priceChanges': { 80: 1 } });
    t.strictSame(
      clients.map(({ state }) => state.sent.length),
      [3, 3],
      'to both clients',
    );
  },
);

t.test(
  'an answer that stays equal, and a change that no reading has caused, are not measured',
  async (t) => {
    const { clock, say, set, reading, take, read } = await setUp();
    take('priceChanges')('', reading('okx', [['BTC', 40]]));
    await clock.advance(100);
    t.strictSame(read(), {}, 'nothing was written');
    await set('BTC', { price: 4 });
    t.strictSame(read(), {}, 'the equal answer before it is not the cause');
    say(5);
    take('priceChanges')('', reading('okx', [['ETH', 4]]));
    await set('BTC', { price: 6 });
    t.strictSame(read(), {}, 'of another symbol');
  },
);

t.test('of a whole reading by its own receipt: its rows may be older ones', async (t) => {
  const { clock, say, reading, take, read } = await setUp();
  say(2);
  take('prices')(
    '',
    reading('okx', [
      ['BTC', 9_000],
      ['ETH', 7],
    ]),
  );
  await clock.advance(0);
  t.strictSame(read(), { 'okx/prices': { 8: 1 } });
});
