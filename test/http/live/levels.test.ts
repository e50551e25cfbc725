/** The levels of a live book that change: a client that applies them has the book of the exchange. */
import t, { type Test } from 'tap';
import { snapshotOf } from '../../../http/answers/snapshots.ts';
import { apiError } from '../../../http/wire/errors.ts';
import { type BookLevel, bookOf } from '../../../scripts/simulator/book.ts';
import { Model } from '../../../scripts/simulator/model.ts';
import { venues } from '../../../scripts/simulator/registry.ts';
import { clientOf, type Sent, stage } from './stage.ts';

const start = 1_800_000_000_000;
const depth = 200;

/** The book of a simulated market, as the answer has it. */
function truth() {
  const clock = { now: () => start };
  const model = new Model({ seed: 7, symbols: 8, clock, venues: [venues.binance] });
  const market = model
    .markets('binance', start)
    .find(({ kind, symbol }) => kind === 'spot' && symbol === 'BTC');
  if (!market) throw new Error('no market');
  return (second: number, source = 'live') => {
    const now = start + second * 1_000;
    const { bids, asks, updateId: sequence } = bookOf(market, now, depth);
    // As the simulator writes it.
    const bare = ({ wire: [price, quantity] }: BookLevel) => ({
      price: Number(price),
      quantity: Number(quantity),
    });
    return { bids: bids.map(bare), asks: asks.map(bare), timestamp: now, source, sequence };
  };
}
type Data = ReturnType<ReturnType<typeof truth>>;

/** CRC-32 bit by bit, after its definition (ISO 3309): reflected, polynomial 0x04C11DB7. */
function crc(text: string): number {
  let value = ~0;
  for (const byte of Buffer.from(text)) {
    value ^= byte;
    for (let bit = 0; bit < 8; bit++) value = (value >>> 1) ^ (value & 1 ? 0xed_b8_83_20 : 0);
  }
  return ~value >>> 0;
}

/** A client that knows docs/streaming.md only: two tables of price and quantity. */
class Kept {
  version: unknown = null;
  sequence: unknown = null;
  readonly bids = new Map<number, number>();
  readonly asks = new Map<number, number>();

  take(message: Sent): void {
    const isWhole = message.type === 'snapshot';
    const of = Object(isWhole ? message.data : message);
    const follows = message.from === this.version && of.from_sequence === this.sequence;
    if (!isWhole && !follows) throw new Error('a hole');
    this.sequence = isWhole ? of.sequence : of.to_sequence;
    this.version = message.version;
    for (const side of ['bids', 'asks'] as const) {
      if (isWhole) this[side].clear();
      for (const level of of[side]) this.#set(side, level);
    }
  }

  #set(side: 'bids' | 'asks', level: object): void {
    const { price, quantity } = Object(level);
    const [at, size] = Array.isArray(level) ? level : [price, quantity];
    if (size === 0) this[side].delete(at);
    else this[side].set(at, size);
  }

  side(side: 'bids' | 'asks') {
    const sign = side === 'bids' ? -1 : 1;
    const rows = [...this[side]].sort(([a], [b]) => sign * (a - b));
    return rows.map(([price, quantity]) => ({ price, quantity }));
  }

  get checksum(): number {
    const [bids, asks] = [this.side('bids'), this.side('asks')];
    const parts: number[] = [];
    for (let i = 0; i < 25; i++)
      for (const level of [bids[i], asks[i]]) if (level) parts.push(level.price, level.quantity);
    return crc(parts.join(':'));
  }
}

async function scene() {
  const all = stage();
  const bookAt = truth();
  const { state, follow, session } = clientOf(all);
  const kept = new Kept();
  let read = 0;
  const show = async (data: Data) => {
    all.answers.set('asked', snapshotOf(data));
    await all.clock.advance(5_000);
  };
  /** Applies what has come, and compares the book and its checksum. The messages without their data. */
  const take = (t: Test, data: Data) => {
    const came = state.sent.slice(read);
    read = state.sent.length;
    for (const one of came) kept.take(one);
    t.strictSame([kept.side('bids'), kept.side('asks')], [data.bids, data.asks]);
    t.equal(came.at(-1)?.checksum, kept.checksum);
    return came.map(({ type, reason }) => (reason === undefined ? type : `${type} ${reason}`));
  };
  return { ...all, bookAt, state, follow, session, show, take };
}

t.test('a book is rebuilt out of a snapshot and the changes', async (t) => {
  const { bookAt, follow, show, take, clock, answers } = await scene();
  answers.set('asked', snapshotOf(bookAt(0)));
  await follow('/v1/asked', { mode: 'levels' });
  await clock.advance(0);
  t.same(take(t, bookAt(0)), ['snapshot first']);
  for (let second = 1; second <= 65; second += 1) {
    await show(bookAt(second));
    t.same(take(t, bookAt(second)), ['levels']);
  }
});

t.test('a book that was lost, or is not live, is sent whole, and why is said', async (t) => {
  const { bookAt, follow, show, take, clock, answers, state } = await scene();
  answers.set('asked', snapshotOf(bookAt(0)));
  await follow('/v1/asked', { mode: 'levels' });
  await clock.advance(0);
  take(t, bookAt(0));
  await show(bookAt(1, 'request'));
  t.same(take(t, bookAt(1)), ['snapshot not_live']);
  await show(bookAt(2, 'request'));
  t.same(take(t, bookAt(2)), ['snapshot not_live']);
  await show(bookAt(3));
  t.same(take(t, bookAt(3)), ['snapshot lost']);
  await show(bookAt(4));
  t.same(take(t, bookAt(4)), ['levels']);
  await show({ ...bookAt(5), sequence: 5 });
  t.same(take(t, bookAt(5)), ['snapshot lost'], 'it is counted anew');
  answers.set('asked', apiError('upstream_failed'));
  await clock.advance(5_000);
  t.equal(state.sent.pop()?.type, 'error');
  await show(bookAt(7));
  t.same(take(t, bookAt(7)), ['snapshot lost']);
});

t.test('a client that reads slowly, or comes back, gets the whole book', async (t) => {
  const { bookAt, follow, show, take, clock, answers, state, session } = await scene();
  answers.set('asked', snapshotOf(bookAt(0)));
  await follow('/v1/asked', { mode: 'levels' });
  await clock.advance(0);
  take(t, bookAt(0));
  state.full = true;
  await show(bookAt(1));
  await show(bookAt(2));
  state.full = false;
  session.flush();
  await clock.advance(0);
  t.same(take(t, bookAt(2)), ['snapshot missed']);
  const version = String(state.sent.at(-1)?.version);
  await follow('/v1/asked', { mode: 'levels', resume: version }, 'same');
  await follow('/v1/asked', { mode: 'levels', resume: 'other' }, 'other');
  await clock.advance(0);
  t.match(state.sent.slice(-2), [
    { id: 'same', type: 'current', recovered: true },
    { id: 'other', type: 'snapshot', reason: 'missed' },
  ]);
});

t.test('only order books have levels', async (t) => {
  const { follow } = await scene();
  t.match(await follow('/v1/prices', { mode: 'levels' }), /order books of one market/);
});
