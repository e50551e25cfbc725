import t from 'tap';
import type { Reading } from '../../../actors/topics/index.ts';
import { SymbolView } from '../../../http/views/symbols.ts';
import { type Fold, foldReadings, type MarketRow } from '../../../indicators/market/fold.ts';

const now = 1_700_000_000_000;

interface Entry {
  price: number;
  updated_at: number;
}

interface Row extends MarketRow {
  market: string;
  price: number;
}

/** A view that counts what it turns into JSON. */
function setUp() {
  let made = 0;
  const rates = new Map([['USD', 1]]);
  const fold = (readings: Iterable<Reading<Row>>, at: number): Fold<Entry> =>
    foldReadings(readings, {
      rates,
      now: at,
      maxAge: 1000,
      add: (entries, row, { received }) =>
        entries.set(row.symbol, { price: row.price, updated_at: received }),
    });
  const view = new SymbolView<Row, Entry, { symbol: string }, { sum: number }>({
    maxAge: 1000,
    fold,
    one: (symbol) => ({ symbol }),
    explain: () => ({ field: 'x', result: 0, method: 'weighted_sum', rule: '', inputs: [] }),
    summary(_symbol, entries) {
      made += 1;
      return { sum: entries.reduce((sum, [, { price }]) => sum + price, 0) };
    },
  });
  const tell = (source: string, symbols: readonly string[], price: number, received = now) => {
    const rows = symbols.map((symbol) => ({ market: symbol, symbol, quote: 'USD', price }));
    view.accept({ source, part: 'spot', asked: received, received, rows }, received);
  };
  const change = (source: string, symbol: string, price: number, received: number) => {
    const rows = [{ market: symbol, symbol, quote: 'USD', price }];
    view.change({ source, part: 'spot', asked: received, received, rows }, received);
  };
  const read = () => JSON.parse(view.all()?.text ?? 'null');
  /** How many summaries were made since it was last called. */
  const fresh = () => {
    const count = made;
    made = 0;
    return count;
  };
  return { change, fresh, tell, read, view };
}

t.test('symbols that leave an exchange are among its own', async (t) => {
  const { fresh, tell, read, view } = setUp();
  tell('a', ['X', 'Y', 'Z'], 1);
  tell('b', ['X'], 2);
  read();
  fresh();
  tell('a', ['Y'], 5, now + 1);
  t.same(read(), { X: { sum: 2 }, Y: { sum: 5 } });
  t.notOk(view.has('Z'));
  tell('a', ['X', 'Y'], 9, now);
  t.same(read(), { X: { sum: 2 }, Y: { sum: 5 } }, 'an older reading changes nothing');
  t.equal(fresh(), 2, 'Z has nothing left to sum up');
});

t.test('a symbol without a fresh row is stale, and its listeners are called', async (t) => {
  const { tell, change, read, view } = setUp();
  const one = (symbol: string) => {
    const found = view.one(symbol);
    return found === null ? view.has(symbol) : JSON.parse(found.text);
  };
  t.strictSame([view.newest(), view.all(), view.isEmpty()], [null, null, true]);
  tell('a', ['X'], 1);
  const calls: (string | null)[] = [];
  view.source.listen(['X'], () => calls.push('X'));
  view.source.listen(undefined, () => calls.push(null));
  const suspect = [{ market: 'NEW-1', symbol: 'NEW' }];
  const rest = { part: 'linear', asked: now, rows: [], suspect };
  view.accept({ ...rest, source: 'a', received: now }, now);
  t.strictSame([one('NEW'), one('Y')], [true, false], 'known, and not');
  t.strictSame(one('X'), { symbol: 'X', stale_exchanges: [], suspect: [] });
  t.strictSame([...view.symbols.all()], ['X', 'NEW']);
  t.strictSame([...view.exchanges()], ['a']);
  t.strictSame([[...view.readings('a')].length, [...view.readings('b')].length], [2, 0]);
  view.expire(now + 1_000);
  t.strictSame(view.entry('a', 'X'), { price: 1, updated_at: now });
  calls.length = 0;
  view.expire(now + 1_001);
  t.strictSame([one('X'), read(), view.entry('a', 'X')], [true, null, undefined]);
  t.strictSame([...new Set(calls)], ['X', null]);
  tell('b', ['X'], 5, now + 900);
  change('a', 'X', 2, now + 1_002);
  t.strictSame(one('X'), { symbol: 'X', stale_exchanges: [], suspect: [] });
  const rows = [{ market: 'X', symbol: 'X', quote: 'USD', price: 3 }];
  const late = { source: 'a', part: 'spot', asked: now, received: now + 1_003, rows };
  view.change(late, now + 1_900);
  t.equal(read().X.sum, 8);
  view.change({ ...late, received: now + 1_004 }, now + 2_005);
  t.strictSame(one('X').stale_exchanges, ['a']);
  t.equal(read().X.sum, 5);
});

t.test('a changed row replaces its market alone, until a newer one comes', async (t) => {
  const { change, fresh, tell, read, view } = setUp();
  tell('a', ['X', 'Y'], 1);
  tell('b', ['X'], 10);
  read();
  fresh();
  change('a', 'X', 2, now + 10);
  t.equal(read().X.sum, 12);
  t.equal(fresh(), 1, 'the other symbol is not touched');
  t.equal(view.newest(), now + 10);
  change('a', 'X', 3, now + 5);
  t.equal(read().X.sum, 12, 'an older row changes nothing');
  change('a', 'X', 2.5, now + 10);
  t.equal(read().X.sum, 12.5, 'of two of one millisecond the later counts');
  tell('a', ['X', 'Y'], 4, now + 7);
  t.same([read().X.sum, read().Y.sum], [12.5, 4], 'a poll does not take a newer row back');
  tell('a', ['X', 'Y'], 5, now + 20);
  t.same([read().X.sum, read().Y.sum], [15, 5]);
  change('a', 'Z', 1, now + 30);
  change('c', 'X', 1, now + 30);
  t.same(Object.keys(read()).sort(), ['X', 'Y'], 'what no poll has brought is not there');
  change('a', 'X', 6, now + 30);
  view.expire(now + 1_022);
  t.same(Object.keys(read()), ['X'], 'each row has its own age');
  t.equal(read().X.sum, 6);
});
