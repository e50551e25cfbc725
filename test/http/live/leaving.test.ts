/** When messages leave: without timers, in order of accounts, and to many clients at once. */
import t from 'tap';
import { isRecord } from '../../../actors/read.ts';
import { snapshotOf } from '../../../http/answers/snapshots.ts';
import { FakeClock, settle } from '../../support/clock.ts';
import { clientOf, stage } from './stage.ts';

/** A clock whose turns of the event loop are run one by one, and that notes each other delay that is asked for. */
class TurningClock extends FakeClock {
  readonly delays: number[] = [];
  #planned = new Set<() => void>();

  override after(ms: number, fn: () => void) {
    if (ms > 0) {
      this.delays.push(ms);
      return super.after(ms, fn);
    }
    const call = () => fn();
    const planned = this.#planned.add(call);
    return () => void planned.delete(call);
  }

  async turn(): Promise<void> {
    const planned = this.#planned;
    this.#planned = new Set();
    for (const call of planned) call();
    await settle();
  }

  override async advance(ms: number): Promise<void> {
    while (this.#planned.size > 0) await this.turn();
    await super.advance(ms);
    while (this.#planned.size > 0) await this.turn();
  }
}

/** Clients that follow a price, each with its messages. */
async function setUp(clients: number, grouped: boolean) {
  const clock = new TurningClock();
  const world = stage({ clock, every: 'auto', most: clients + 10, symbols: ['BTC'] });
  world.answers.set('BTC', snapshotOf({ price: 1 }));
  const all = Array.from({ length: clients }, () => clientOf(world, { grouped }));
  for (const client of all) await client.follow('/v1/prices?symbol=BTC', {}, 'btc');
  await clock.advance(0);
  clock.delays.length = 0;
  const announce = (price: number, note = '') => {
    world.answers.set('BTC', snapshotOf({ price, note }));
    world.changes.change(['BTC']);
  };
  const change = async (price: number, note = '') => {
    announce(price, note);
    await clock.advance(0);
  };
  return { ...world, clock, all, announce, change };
}

const pricesOf = ({ state }: ReturnType<typeof clientOf>) =>
  state.sent.map(({ data }) => (isRecord(data) ? data.price : null));

t.test('a change with 2,000 followers is out without any timer', async (t) => {
  for (const grouped of [true, false]) {
    const { clock, all, announce, published } = await setUp(2_000, grouped);
    announce(2);
    const haveIt = () => all.filter(({ state }) => state.sent.length === 2).length;
    await clock.turn();
    t.ok(haveIt() >= (grouped ? 2_000 : 10), 'in the turn in which it came');
    for (let turns = 0; turns < 10; turns++) await clock.turn();
    t.equal(haveIt(), 2_000, '200 a turn, where each is told by itself');
    t.strictSame(clock.delays, []);
    t.equal(published.times, grouped ? 1 : 0);
  }
});

t.test('changes that follow each other are not joined while there is time', async (t) => {
  const { all, change, clock } = await setUp(5, true);
  for (const price of [2, 3, 4, 5]) await change(price);
  t.strictSame(new Set(all.map((one) => pricesOf(one).join())), new Set(['1,2,3,4,5']));
  t.strictSame(clock.delays, []);
});

t.test('who cannot take more leaves the group, and gets the newest version only', async (t) => {
  const { clock, all, change, published } = await setUp(6, true);
  const [slow, ...others] = all;
  if (slow === undefined) throw new Error('no client');
  // More than may wait for a client.
  await change(2, 'x'.repeat(65_536));
  slow.state.full = true;
  for (const price of [3, 4]) await change(price);
  slow.state.full = false;
  slow.session.flush();
  await clock.advance(0);
  await change(5);
  t.strictSame(pricesOf(slow), [1, 2, 4, 5]);
  for (const one of others) t.strictSame(pricesOf(one), [1, 2, 3, 4, 5]);
  t.equal(published.times, 4);
});

t.test('who reads again while others are told of a change gets it once', async (t) => {
  const { clock, all, announce, change } = await setUp(300, false);
  const slow = all.at(-1);
  if (slow === undefined) throw new Error('no client');
  slow.state.full = true;
  await change(2);
  announce(3);
  await clock.turn();
  slow.state.full = false;
  slow.session.flush();
  for (let turns = 0; turns < 10; turns++) await clock.turn();
  for (const one of all) t.strictSame(pricesOf(one), one === slow ? [1, 3] : [1, 2, 3]);
});

t.test('one form is one group: another mode, id or pace is told by itself', async (t) => {
  const world = await setUp(4, true);
  const others = [{ mode: 'patch' }, { every: 1 }, {}].map(() =>
    clientOf(world, { grouped: true }),
  );
  const [patches, rare, named] = others;
  await patches?.follow('/v1/prices?symbol=BTC', { mode: 'patch' }, 'btc');
  await rare?.follow('/v1/prices?symbol=BTC', { every: 1 }, 'btc');
  await named?.follow('/v1/prices?symbol=BTC', {}, 7);
  await world.clock.advance(1);
  await world.change(2);
  t.equal(world.published.times, 1);
  for (const { state } of [...world.all, ...others]) t.equal(state.sent.length, 2);
  t.match(
    others.map(({ state }) => state.sent[1]),
    [{ type: 'patch' }, { type: 'update' }, { id: 7 }],
  );
  const [first] = world.all;
  t.ok(first?.unsubscribe('btc'));
  await world.change(3);
  t.equal(first?.state.sent.length, 2, 'nothing after its end');
});

t.test('20,000 messages of one account cost a change of another two turns at most', async (t) => {
  const clock = new TurningClock();
  const symbols = Array.from({ length: 5_000 }, (_, i) => `S${i}`);
  const world = stage({ clock, every: 'auto', most: 1_000, symbols });
  const setAll = (data: object) => {
    for (const symbol of [...symbols, 'BTC']) world.answers.set(symbol, snapshotOf(data));
  };
  setAll({ price: 1 });
  const [many, other] = [clientOf(world), clientOf(world, { address: 'b' })];
  for (const id of [1, 2, 3, 4]) await many.follow('/v1/prices?symbol=*', {}, id);
  await other.follow('/v1/prices?symbol=BTC');
  await clock.advance(0);
  t.strictSame([many.state.sent.length, other.state.sent.length], [20_000, 1]);
  setAll({ price: 2 });
  world.changes.change(symbols);
  await clock.turn();
  t.ok(many.state.sent.length < 21_000, 'its work is under way');
  world.changes.change(['BTC']);
  for (let turns = 0; turns < 2; turns++) await clock.turn();
  t.equal(other.state.sent.length, 2);
  t.ok(many.state.sent.length < 22_000, 'and still is');
  await clock.advance(0);
  t.equal(many.state.sent.length, 40_000);
});
