/** Fail-over over sources that fail as their names say. */
import t from 'tap';
import { type FailureCode, failed, success } from '../../../actors/failure.ts';
import { firstSuccess, type OrderOptions } from '../../../actors/upstream/first-success.ts';
import { FakeClock } from '../../support/clock.ts';

type Source = FailureCode | 'ok' | 'passed over';

/** The result, and the sources that were asked with the time that each had, ms; each takes 30 ms. */
async function outcome(sources: readonly Source[], options: Partial<OrderOptions> = {}) {
  const clock = new FakeClock();
  const start = clock.now();
  const asked: [Source, number][] = [];
  const ask = async (source: Source, until: number) => {
    if (source === 'passed over') return null;
    asked.push([source, until - clock.now()]);
    await clock.advance(30);
    return source === 'ok' ? success('ok') : failed(source, source);
  };
  const result = await firstSuccess(sources, ask, { clock, until: start + 100, ...options });
  return [result.ok ? result.value : result.failure.code, asked] as const;
}

t.test('the first success, each with its share of the time that is left', async (t) => {
  t.strictSame(await outcome(['ok', 'network']), ['ok', [['ok', 50]]]);
  t.strictSame(await outcome(['network', 'passed over', 'ok', 'ok']), [
    'ok',
    [
      ['network', 25],
      ['ok', 35],
    ],
  ]);
});

t.test('without one, the failure of the first, or the worse one', async (t) => {
  const code = async (...of: Parameters<typeof outcome>) => (await outcome(...of))[0];
  t.equal(await code(['network', 'shape']), 'network');
  t.equal(await code(['network', 'shape'], { worse: (_before, now) => now }), 'shape');
  const isFinal = ({ code }: { code: FailureCode }) => code === 'refused';
  t.equal(await code(['refused', 'ok'], { isFinal }), 'refused');
  t.equal(await code([]), 'refused');
  const { failure: none } = failed('unavailable', 'none is fit');
  t.equal(await code(['passed over'], { none }), 'unavailable');
});

t.test('no further source is asked without time for it', async (t) => {
  const [code, asked] = await outcome(['network', 'shape', 'ok'], { leastTime: 60 });
  t.strictSame([code, asked.length], ['network', 2]);
  t.strictSame(await outcome(['ok'], { leastTime: 101 }), ['timeout', []]);
});
