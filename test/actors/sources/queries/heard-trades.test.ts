/** Trades out of a stream, and when the exchange is asked in their place. */
import t from 'tap';
import { failed, success } from '../../../../actors/failure.ts';
import { heardTrades } from '../../../../actors/sources/queries/heard-trades.ts';
import { LiveTrades, TradeTape } from '../../../../actors/sources/streams/trade-tape.ts';
import { FakeClock } from '../../../support/clock.ts';
import { instrument } from '../../../support/makers.ts';

const asking = { deadline: Number.MAX_SAFE_INTEGER, account: '' };
const trade = (id: number) => ({
  market: 'A',
  id,
  timestamp: 5,
  price: 1,
  quantity: 1,
  bought: true,
});

t.test('trades of a stream that states old times say so', async (t) => {
  const clock = new FakeClock();
  const trades = new LiveTrades();
  const tape = new TradeTape(clock.now());
  trades.put('x', 'spot', 'A', tape);
  const find = () => success({ market: 'A', part: 'spot', instrument: instrument() });
  const { newest } = heardTrades('x', find, { trades, clock });
  const since = async () => {
    const found = await newest(async () => failed('network', 'away'))(
      { market: 'A', limit: 1 },
      asking,
    );
    if (!found.ok) throw new Error(found.failure.message);
    return found.value.value.unheard_since;
  };
  const add = (id: number, timestamp: number) =>
    tape.add({ ...trade(id), timestamp }, { follows: true, received: clock.now() });
  add(1, clock.now() - 10_000);
  t.equal(await since(), undefined);
  add(2, clock.now() - 7 * 86_400_000);
  t.equal(await since(), clock.now() - 7 * 86_400_000);
});

t.test('a stream that has just brought a trade answers, with the time of that trade', async (t) => {
  const clock = new FakeClock();
  const trades = new LiveTrades();
  const tape = new TradeTape(clock.now());
  trades.put('x', 'spot', 'A', tape);
  const find = () => success({ market: 'A', part: 'spot', instrument: instrument() });
  let requests = 0;
  const { newest } = heardTrades('x', find, { trades, clock });
  const ask = () =>
    newest(async () => {
      requests += 1;
      return failed('network', 'the exchange is away');
    })({ market: 'A', limit: 2 }, asking);
  t.match(await ask(), { ok: false }, 'nothing was heard yet');
  const first = clock.now();
  tape.add(trade(1), { follows: true, received: first });
  await clock.advance(1_000);
  tape.add(trade(2), { follows: true, received: first + 1_000 });
  await clock.advance(4_000);
  t.match(await ask(), {
    ok: true,
    value: {
      received: first + 1_000,
      value: { source: 'live', trades: [{ id: '2' }, { id: '1' }] },
    },
  });
  t.equal(requests, 1);
  await clock.advance(1_001);
  t.match(await ask(), { ok: false }, 'it may be held up');
  t.equal(requests, 2);
  tape.add(trade(3), { follows: true, received: clock.now() });
  t.match(await ask(), {
    ok: true,
    value: { received: clock.now(), value: { trades: [{ id: '3' }, {}] } },
  });
  t.equal(requests, 2);
});

t.test('a question for more of a tape waits for the next trade, a second at most', async (t) => {
  const clock = new FakeClock();
  const trades = new LiveTrades();
  const tape = new TradeTape(clock.now());
  trades.put('x', 'spot', 'A', tape);
  const find = () => success({ market: 'A', part: 'spot', instrument: instrument() });
  const { tape: ask } = heardTrades('x', find, { trades, clock });
  let answered = 0;
  const from = async (next: number) => {
    const found = await ask({ market: 'A', after: { began: tape.began, next } }, asking);
    answered += 1;
    return found.ok ? found.value.value.entries.map((entry) => entry?.id) : found;
  };
  const add = (id: number) => tape.add(trade(id), { follows: true, received: clock.now() });
  add(1);
  t.same(await from(1), ['1']);
  const waiting = from(2);
  await clock.advance(900);
  t.equal(answered, 1);
  add(2);
  t.same(await waiting, ['2'], 'without any time');
  const none = from(3);
  await clock.advance(1_000);
  t.same(await none, []);
});
