/** Declarations of series. */
import t from 'tap';
import { defineSeries, keptFor, last, type Tier, tableOf } from '../../../actors/history/define.ts';
import { openInterest } from '../../../actors/history/series/open-interest.ts';

t.test('tiers must follow from each other; the coarsest is kept as long as set', async (t) => {
  const columns = { base: last('base asset'), usd: last('US dollars') };
  const make = (...tiers: [Tier, ...Tier[]]) =>
    defineSeries({ name: 'open-interest', key: 'k', columns, tiers });
  const finest = { step: '5m', keep: '30d' } as const;
  t.throws(() => make(finest, { step: '3m', keep: '40d' }), RangeError);
  t.throws(() => make(finest, { step: '1h', keep: '719h' }), RangeError);
  t.equal(make(finest, { step: '1h', keep: '720h' }).tiers.length, 2);
  const days = 24 * 3_600_000;
  const keptOf = (set: number) => keptFor(openInterest, set).tiers.map(({ keep }) => keep / days);
  t.strictSame([10, 400, 4_000].map(keptOf), [
    [10, 10, 10],
    [400, 400, 400],
    [730, 730, 3_650],
  ]);
  const always = make({ step: '1h', keep: 'always' });
  t.same(keptFor(always, 10), always);
  const declared = make({ step: '1h', keep: '30d' });
  t.strictSame(
    [10, 400].map((set) => keptFor(declared, set).tiers[0].keep / days),
    [10, 30],
    'a declared time is not made longer',
  );
  t.throws(() => tableOf(always, 7), RangeError);
});
