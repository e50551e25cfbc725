/** Trades that a stream has missed are taken out of the newest ones where these have all of them. */
import t from 'tap';
import { tradesBetween } from '../../../../actors/sources/streams/recovery.ts';
import type { Trade } from '../../../../indicators/derivatives/trade-fold.ts';

const values = { timestamp: 5, price: 2, quantity: 3, bought: true };
const row = (id: string) => ({ ...values, id });
const trade = (id: number | null, more: Partial<Trade> = {}): Trade => ({
  ...values,
  market: 'A',
  id,
  ...more,
});
const idsOf = (found: Trade[] | null) => found?.map(({ id, name }) => id ?? name);

t.test('by number', (t) => {
  const rows = ['9', '8', '7', '6', '5'].map(row);
  t.strictSame(tradesBetween(rows, trade(5), trade(8)), [
    { ...trade(6), name: '6' },
    { ...trade(7), name: '7' },
  ]);
  t.strictSame(idsOf(tradesBetween(rows, trade(5), trade(9, { count: 2 }))), [6, 7]);
  t.equal(tradesBetween(rows, trade(3), trade(8)), null, '4 is not there');
  const twice = [...rows, row('6')];
  t.strictSame(idsOf(tradesBetween(twice, trade(5), trade(8))), [6, 7], 'each once');
  t.end();
});

t.test('by name', (t) => {
  const rows = ['d', 'c', 'b', 'a'].map(row);
  const named = (name: string) => trade(null, { name });
  t.strictSame(tradesBetween(rows, named('a'), named('d')), [named('b'), named('c')]);
  t.strictSame(tradesBetween(rows, named('a'), named('b')), [], 'none is missing');
  t.equal(tradesBetween(rows, named('z'), named('d')), null, 'the last one is too old');
  t.equal(tradesBetween(rows, named('a'), named('e')), null, 'the next one is too new');
  t.equal(tradesBetween(rows, named('d'), named('a')), null, 'it came before');
  t.end();
});
