/** The newest trades that are kept of a market. */
import t from 'tap';
import { LiveTrades, TradeTape } from '../../../../actors/sources/streams/trade-tape.ts';

const trade = (id: number | null, name?: string) => ({
  ...{ market: 'A', id, timestamp: id ?? 0, price: 1, quantity: 1, bought: true },
  ...(name !== undefined && { name }),
});
const ids = (trades: readonly ({ id: string | null } | null)[] | null) =>
  trades?.map((one) => one?.id ?? null) ?? null;

t.test('numbered entries, holes among them, and the newest trades in a row', async (t) => {
  const tape = new TradeTape(7);
  t.strictSame(tape.after(0), { first: 1, entries: [] });
  t.equal(tape.newest(1), null);
  tape.add(trade(1), { follows: false, received: 0 });
  tape.add(trade(2), { follows: true, received: 0 });
  tape.add(trade(null, 'abc'), { follows: false, received: 0 });
  tape.add(trade(5), { follows: true, received: 0 });
  t.same(ids(tape.after(0).entries), ['1', '2', null, 'abc', '5']);
  t.same(ids(tape.newest(2)), ['5', 'abc']);
  t.equal(tape.newest(3), null, 'there is a hole');
  t.same(tape.after(5).first, 5);
  tape.lost();
  t.equal(tape.newest(2), null, 'newer ones may be missing');
  tape.add(trade(6), { follows: true, received: 0 });
  t.same(ids(tape.newest(3)), ['6', '5', 'abc']);
  for (let id = 7; id < 3_000; id++) tape.add(trade(id), { follows: true, received: 0 });
  const { first, entries } = tape.after(2);
  // Entries 1 to 5 and trades 6 to 2,999 are 2,999 entries.
  t.same([first, entries.length, entries[0]?.id], [1_000, 2_000, '1000']);
  t.equal(tape.newest(1_000)?.length, 1_000);
});

t.test('tapes are offered by market, and withdrawn by those who offered them', async (t) => {
  const live = new LiveTrades();
  const [one, other] = [new TradeTape(1), new TradeTape(2)];
  live.put('x', 'spot', 'A', one);
  live.put('x', 'spot', 'A', other);
  live.remove('x', 'spot', 'A', one);
  t.equal(live.find('x', 'spot', 'A'), other);
  t.same([live.markets('x'), live.markets('y')], [['spot/A'], []]);
  live.remove('x', 'spot', 'A', other);
  t.equal(live.find('x', 'spot', 'A'), undefined);
});
