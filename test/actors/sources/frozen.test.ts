import t from 'tap';
import { FrozenGuard } from '../../../actors/sources/frozen.ts';
import type { PriceRow } from '../../../actors/topics.ts';

const row = (price: number, volume: number | null, stated: number | null = null): PriceRow => ({
  market: 'A',
  kind: 'spot',
  symbol: 'A',
  quote: 'USDT',
  price,
  volume,
  change: null,
  stated,
});

const polls = (guard: FrozenGuard, part: string, rows: PriceRow[], times: number) => {
  for (let i = 0; i < times; i++) guard.observe(part, rows);
};

t.test('a venue that says the same for ten polls is frozen, and thaws with a change', async (t) => {
  const guard = new FrozenGuard();
  t.equal(guard.frozen, false, 'nothing seen yet');
  polls(guard, 'spot', [row(1, 5), row(2, 5)], 10);
  t.equal(guard.frozen, false, 'nine repeats');
  polls(guard, 'spot', [row(1, 5), row(2, 5)], 1);
  t.equal(guard.frozen, true, 'ten repeats');
  guard.observe('spot', [row(1, 5), row(2, 5.0000001)]);
  t.equal(guard.frozen, false);
});

t.test('any sign of life in any part will do', async (t) => {
  const guard = new FrozenGuard();
  polls(guard, 'inverse', [row(1, 5)], 20);
  for (let i = 0; i < 20; i++) guard.observe('linear', [row(1, 5, 1_700_000_000_000 + i)]);
  t.equal(guard.frozen, false, 'a part that hardly trades is not a closed exchange');
  polls(guard, 'linear', [row(1, 5)], 11);
  t.equal(guard.frozen, true);
  guard.observe('empty', []);
  t.equal(guard.frozen, true, 'a part without rows says nothing');
});

t.test('swapped values are a change', async (t) => {
  const guard = new FrozenGuard();
  for (let i = 0; i < 30; i++)
    guard.observe('spot', i % 2 ? [row(1, 5), row(2, 5)] : [row(2, 5), row(1, 5)]);
  t.equal(guard.frozen, false);
});

t.test('no turnover anywhere is a closed exchange at once', async (t) => {
  const guard = new FrozenGuard();
  guard.observe('spot', [row(1, 0), row(2, 0)]);
  t.equal(guard.frozen, true);
  guard.observe('linear', [row(1, 0), row(2, 3)]);
  t.equal(guard.frozen, false);
  const unknown = new FrozenGuard();
  unknown.observe('spot', [row(1, null)]);
  t.equal(unknown.frozen, false, 'not stated is not zero');
});
