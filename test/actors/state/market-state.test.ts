import t from 'tap';
import { MarketState } from '../../../actors/state/market-state.ts';
import { NewestRows } from '../../../actors/state/newest-rows.ts';
import type { Instrument, Reading } from '../../../actors/topics/index.ts';

const listOf = (part: string, ...rows: [market: string, inverse: boolean][]) =>
  ({
    source: 'okx',
    part,
    asked: 1,
    received: 1,
    rows: rows.map(([market, inverse]) => ({ market, kind: 'perpetual', inverse })),
  }) as Reading<Instrument>;

t.test('markets that a list no longer has are forgotten', async (t) => {
  const newest = new NewestRows();
  const state = new MarketState(newest);
  for (let day = 0; day < 100; day++) {
    newest.accept('instruments', listOf('inverse', ['BTC', true], [`NEW-${day}`, true]));
    newest.accept('instruments', listOf('linear', ['ETH', false]));
  }
  t.equal(newest.all('instruments').flatMap(({ rows }) => rows).length, 3);
  const margins = ['BTC', 'NEW-99', 'NEW-98', 'ETH'].map((market) => state.marginOf('okx', market));
  t.strictSame(margins, ['coin', 'coin', 'stable', 'stable']);
  t.equal(state.marginOf('bybit', 'BTC'), 'stable');
});
