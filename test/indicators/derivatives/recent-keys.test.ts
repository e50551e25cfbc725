import t from 'tap';
import { RecentKeys } from '../../../indicators/derivatives/recent-keys.ts';

const known = (one: RecentKeys, key: string, now: number) => !one.add(key, now);

t.test('keys are known for ten minutes, and for twenty at most', (t) => {
  const minute = 60_000;
  const recent = new RecentKeys({ keep: 10 * minute, maxKeys: 100 });
  t.notOk(known(recent, 'BTC|7', 0));
  t.ok(known(recent, 'BTC|7', 10 * minute - 1));
  t.notOk(known(recent, 'other', 11 * minute), 'the generations change');
  t.ok(known(recent, 'BTC|7', 12 * minute), 'known out of the older one');
  t.notOk(known(recent, 'BTC|7', 40 * minute), 'forgotten');
  recent.clear();
  t.notOk(known(recent, 'BTC|7', 40 * minute));
  t.ok(recent.add('next', 50 * minute), 'the generations change after the ten minutes');
  t.notOk(recent.add('next', 60 * minute));
  t.ok(recent.add('next', 80 * minute), 'twenty minutes later all is forgotten');
  recent.add('last', 90 * minute);
  recent.clear();
  t.ok(recent.add('next', 90 * minute), 'cleared with the older ones');
  t.end();
});

t.test('the number of keys is bounded', (t) => {
  const recent = new RecentKeys({ keep: 1_000_000, maxKeys: 100 });
  for (let at = 0; at < 250; at++) recent.add(`BTC|${at}`, at);
  const found = [0, 99, 100, 249].map((at) => known(recent, `BTC|${at}`, 250));
  t.same(found, [false, false, true, true], 'the first hundred made room');
  t.end();
});
