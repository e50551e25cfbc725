import t from 'tap';
import { KeyTable, type NumberKey } from '../../../indicators/derivatives/key-table.ts';
import { RecentKeys } from '../../../indicators/derivatives/recent-keys.ts';

t.test('a table holds what a set of texts would', (t) => {
  const table = new KeyTable();
  const texts = new Set<string>();
  // Few names, times and prices, so that many keys differ in one part only; every third comes again.
  const keys = Array.from({ length: 3_000 }, (_, at): NumberKey => {
    const number = at % 3 === 0 ? at >> 1 : at;
    return [
      `M${number % 7}`,
      1_790_000_000_000 + (number % 11),
      (number % 13) / 8,
      number % 2 ? 1 + (number % 5) : -1 - (number % 5),
    ];
  });
  const wrong = keys.filter((key) => {
    const isKnown = texts.has(`${key}`);
    texts.add(`${key}`);
    return table.has(key) !== isKnown || table.add(key) === isKnown || !table.has(key);
  });
  t.same(wrong, []);
  t.equal(table.size, texts.size);
  t.end();
});

const known = (one: RecentKeys, key: NumberKey | string, now: number) => !one.add(key, now);

t.test('keys are known for ten minutes, and for twenty at most', (t) => {
  const minute = 60_000;
  for (const key of [['BTC', 5, 100.5, -2], 'BTC|7'] as const) {
    const recent = new RecentKeys({ keep: 10 * minute, maxKeys: 100 });
    t.notOk(known(recent, key, 0));
    t.ok(known(recent, key, 10 * minute - 1));
    t.notOk(known(recent, [...'other'].join(), 11 * minute), 'the generations change');
    t.ok(known(recent, key, 12 * minute), 'known out of the older one');
    t.notOk(known(recent, key, 40 * minute), 'forgotten');
    recent.clear();
    t.notOk(known(recent, key, 40 * minute));
    t.ok(recent.add('next', 50 * minute), 'the generations change after the ten minutes');
    t.notOk(recent.add('next', 60 * minute));
    t.ok(recent.add('next', 80 * minute), 'twenty minutes later all is forgotten');
    recent.add('last', 90 * minute);
    recent.clear();
    t.ok(recent.add('next', 90 * minute), 'cleared with the older ones');
  }
  t.end();
});

t.test('the number of keys is bounded', (t) => {
  const recent = new RecentKeys({ keep: 1_000_000, maxKeys: 100 });
  for (let at = 0; at < 250; at++) recent.add(['BTC', at, 1, 1], at);
  const found = [0, 99, 100, 249].map((at) => known(recent, ['BTC', at, 1, 1], 250));
  t.same(found, [false, false, true, true], 'the first hundred made room');
  t.end();
});
