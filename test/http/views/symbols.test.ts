import t from 'tap';
import type { Reading } from '../../../actors/topics/index.ts';
import { SymbolView } from '../../../http/views/symbols.ts';
import { type Fold, foldReadings, type MarketRow } from '../../../indicators/market/fold.ts';

const now = 1_700_000_000_000;
const symbolsOfAll = 300;

interface Entry {
  price: number;
  updated_at: number;
}

interface Row extends MarketRow {
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
    summary(_symbol, entries) {
      made += 1;
      return { sum: entries.reduce((sum, [, { price }]) => sum + price, 0) };
    },
  });
  const tell = (source: string, symbols: readonly string[], price: number, received = now) => {
    const rows = symbols.map((symbol) => ({ symbol, quote: 'USD', price }));
    view.accept({ source, part: 'spot', asked: received, received, rows }, received);
  };
  const read = () => JSON.parse(view.all()?.at(now).toString() ?? '{}').data;
  /** How many summaries were made since it was last called. */
  const fresh = () => {
    const count = made;
    made = 0;
    return count;
  };
  return { fresh, tell, read };
}

t.test('a change of one exchange makes new text of its own symbols only', async (t) => {
  const { fresh, tell, read } = setUp();
  const names = Array.from({ length: symbolsOfAll }, (_, i) => `C${i}`);
  const few = names.slice(10, 40);
  tell('a', names, 1);
  tell('b', few, 10);
  read();
  t.equal(fresh(), symbolsOfAll);
  read();
  t.equal(fresh(), 0, 'no change, no work');
  tell('b', few, 20, now + 1);
  t.equal(fresh(), 0, 'and none before someone asks');
  const data = read();
  t.equal(fresh(), few.length);
  t.equal(data.C10.sum, 21);
  t.equal(data.C9.sum, 1);
  t.equal(Object.keys(data).length, symbolsOfAll);
});

t.test('symbols that leave an exchange are among its own', async (t) => {
  const { fresh, tell, read } = setUp();
  tell('a', ['X', 'Y', 'Z'], 1);
  tell('b', ['X'], 2);
  read();
  fresh();
  tell('a', ['Y'], 5, now + 1);
  t.same(read(), { X: { sum: 2 }, Y: { sum: 5 } });
  t.equal(fresh(), 2, 'Z has nothing left to sum up');
});
