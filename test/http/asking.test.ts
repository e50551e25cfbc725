import t from 'tap';
import { failed, type Result, success } from '../../actors/failure.ts';
import { type Ask, type Asks, asks } from '../../actors/topics.ts';
import { type AskBus, createAsking, type Question } from '../../http/asking.ts';
import { isApiError } from '../../http/errors.ts';
import { FakeClock } from '../support/clock.ts';

const book = { market: 'X', bids: [{ price: 1, quantity: 2 }], asks: [], timestamp: 5 };
const bars = { market: 'X', kind: null, quote: null, candles: [], received: 5 };

function setup() {
  const clock = new FakeClock();
  const state = { calls: 0, release: () => {}, result: null as Result<never> | null };
  const bus: AskBus = {
    async ask<A extends Ask>(service: A): Promise<Result<Asks[A]['reply']>> {
      state.calls++;
      await new Promise<void>((resolve) => {
        state.release = resolve;
      });
      if (state.result) return state.result;
      const replies: Partial<{ [S in Ask]: Asks[S]['reply'] }> = { orderBook: book, candles: bars };
      const reply = replies[service];
      if (reply === undefined) throw new Error(`asked ${service}`);
      return success(reply);
    },
  };
  const bookOf = (market: string): Question<'orderBook'> => ({
    service: 'orderBook',
    request: { exchange: 'a', market, depth: 5 },
    what: `the order book of ${market}`,
    form: 'v2',
    data: (reply) => reply.bids,
  });
  const barsOf = (market: string): Question<'candles'> => ({
    service: 'candles',
    request: { exchange: 'a', market, interval: '1h', limit: 5 },
    what: `the bars of ${market}`,
    form: market,
    data: (reply) => reply.candles,
  });
  return { clock, state, asking: createAsking(bus, clock), bookOf, barsOf };
}

t.test('equal questions in flight share one call, different ones and forms do not', async (t) => {
  const { state, asking, bookOf } = setup();
  const first = asking(bookOf('X'));
  const second = asking(bookOf('X'));
  t.equal(state.calls, 1);
  state.release();
  const [a, b] = await Promise.all([first, second]);
  t.equal(a, b);
  const other = asking({ ...bookOf('X'), form: 'v1' });
  t.equal(state.calls, 2);
  state.release();
  await other;
});

t.test('an order book is never given again', async (t) => {
  const { state, asking, bookOf } = setup();
  for (const calls of [1, 2, 3]) {
    const answer = asking(bookOf('X'));
    state.release();
    await answer;
    t.equal(state.calls, calls);
  }
});

t.test('candles are given again for their time to live', async (t) => {
  const { clock, state, asking, barsOf } = setup();
  const first = asking(barsOf('X'));
  state.release();
  const snapshot = await first;
  await clock.advance(asks.candles.ttl - 1);
  t.equal(await asking(barsOf('X')), snapshot);
  t.equal(state.calls, 1);
  await clock.advance(1);
  const later = asking(barsOf('X'));
  t.equal(state.calls, 2);
  state.release();
  await later;
});

t.test(
  "a failure becomes a public error without the upstream's words, and is not kept",
  async (t) => {
    const { state, asking, barsOf } = setup();
    const cases = [
      [failed('unknown_instrument', 'GET secret.example/x'), 'unknown_symbol'],
      [failed('timeout', 'GET secret.example/x'), 'upstream_failed'],
      [failed('shape', '<html>'), 'upstream_failed'],
      [failed('over_budget', 'too many'), 'overloaded'],
      [failed('stopped', 'stopping'), 'overloaded'],
    ] as const;
    for (const [result, code] of cases) {
      state.result = result;
      const answer = asking(barsOf('X'));
      state.release();
      const error = await answer;
      if (!isApiError(error)) throw new Error('an error was expected');
      t.equal(error.error, code);
      t.notMatch(error.message, /secret|html/);
    }
    t.equal(state.calls, cases.length);
  },
);

t.test('the answers kept are bounded', async (t) => {
  const { state, asking, barsOf } = setup();
  for (let i = 0; i < 2_100; i++) {
    const answer = asking(barsOf(`M${i}`));
    state.release();
    await answer;
  }
  t.equal(state.calls, 2_100);
  await asking(barsOf('M2099'));
  t.equal(state.calls, 2_100, 'the newest is there');
  const oldest = asking(barsOf('M0'));
  t.equal(state.calls, 2_101, 'the oldest is not');
  state.release();
  await oldest;
});
