/** Questions that nobody can answer: when they fail, and when they wait. */
import t from 'tap';
import { failed, type Result } from '../../../actors/failure.ts';
import type { Reply } from '../../../actors/topics/index.ts';
import { FrontQueries } from '../../../http/answers/queries.ts';
import { withPresence } from '../../../http/answers/source-presence.ts';
import { FakeClock } from '../../support/clock.ts';
import { queryBus } from '../../support/queries.ts';

t.test('a query to a store that nothing answers for fails soon, then at once', async (t) => {
  const clock = new FakeClock();
  const state = { absent: true, served: false, away: false, asked: 0 };
  const open = Promise.withResolvers<Result<never>>();
  const bus = {
    ...queryBus(() =>
      ++state.asked === 1 ? open.promise : Promise.resolve(failed('timeout', '')),
    ),
    served: async () => {
      if (state.away) throw new Error('away');
      return state.served;
    },
  };
  const query = { source: 'history', name: 'depth', params: { market: 'X', limit: 5 } } as const;
  const isAbsent = () => state.absent;
  const answering = withPresence({ bus, clock, store: 'history', isAbsent });
  const absent = { failure: { code: 'unavailable' } };
  t.match(await answering.query(query), absent, 'known to be absent');
  state.absent = false;
  state.served = true;
  const waiting = answering.query(query);
  await clock.advance(4_000);
  state.away = true;
  await clock.advance(2_000);
  state.away = false;
  state.served = false;
  await clock.advance(1_000);
  state.served = true;
  await clock.advance(1_000);
  state.served = false;
  await clock.advance(1_999);
  let settled = false;
  void waiting.then(() => {
    settled = true;
  });
  await clock.advance(0);
  t.equal(settled, false, 'connected again meanwhile');
  await clock.advance(1);
  t.match(await waiting, absent, 'found to be absent');
  t.match(await answering.query(query), absent);
  t.equal(state.asked, 1);
  t.match(await answering.query({ ...query, source: 'okx' }), { failure: { code: 'timeout' } });
  state.served = true;
  t.match(await answering.query(query), { failure: { code: 'timeout' } }, 'there again');
  open.resolve(failed('timeout', ''));
  await clock.advance(0);
  t.equal(clock.pending, 0, 'a query that has ended is not watched');
});

t.test('a source that has answered is not looked for', async (t) => {
  const clock = new FakeClock();
  const open: PromiseWithResolvers<Result<Reply<unknown>>>[] = [];
  const value = { value: null, received: clock.now(), until: 0 };
  const bus = {
    ...queryBus(() => {
      const one = Promise.withResolvers<Result<Reply<unknown>>>();
      open.push(one);
      return one.promise;
    }),
    served: async () => false,
  };
  const answering = withPresence({ bus, clock, store: 'history', isAbsent: () => false });
  const ask = (source: string) =>
    answering.query({ source, name: 'depth', params: { market: 'X', limit: 5 } });
  const first = [ask('okx'), ask('gate')];
  open[0]?.resolve({ ok: true, value });
  open[1]?.resolve(failed('timeout', ''));
  t.match(await Promise.all(first), [{ ok: true }, { ok: false }]);
  t.equal(clock.pending, 0);
  const waiting = ask('okx');
  t.equal(clock.pending, 0, 'without a timer');
  await clock.advance(5_000);
  open[2]?.resolve(failed('timeout', ''));
  t.match(await waiting, { failure: { code: 'timeout' } }, 'it waits for the next process');
  const failing = ask('gate');
  await clock.advance(1_000);
  t.match(await failing, { failure: { code: 'not_ready' } }, 'a failure says nothing');
});

t.test('before any process serves a source, its questions say so within a second', async (t) => {
  const clock = new FakeClock();
  const state = { served: false, away: false };
  const open: PromiseWithResolvers<Result<never>>[] = [];
  const bus = {
    ...queryBus(() => {
      const one = Promise.withResolvers<Result<never>>();
      open.push(one);
      return one.promise;
    }),
    served: async () => {
      if (state.away) throw new Error('away');
      return state.served;
    },
  };
  const answering = withPresence({ bus, clock, store: 'history', isAbsent: () => false });
  const queries = new FrontQueries({ bus: answering, clock, random: () => 0.5 });
  const read = (market: string) =>
    queries.read<'orderBook'>(
      {
        source: 'okx',
        name: 'orderBook',
        params: { market, depth: 5 },
        what: 'the order book',
        data: ({ timestamp }) => ({ timestamp }),
      },
      'a',
    );
  let settled = 0;
  const counted = (answer: ReturnType<typeof read>) => {
    void Promise.resolve(answer).then(() => {
      settled += 1;
    });
    return answer;
  };
  const first = counted(read('A'));
  await clock.advance(999);
  t.equal(settled, 0);
  await clock.advance(1);
  t.match(await first, {
    error: 'warming_up',
    message: 'the service has no data yet, try again shortly',
  });
  t.match(await read('B'), { error: 'warming_up' }, 'the next one at once');
  t.equal(open.length, 1, 'and is not asked');
  state.away = true;
  counted(read('C'));
  await clock.advance(5_000);
  t.equal(settled, 1, 'while Redis is away nobody can say');
  state.away = false;
  state.served = true;
  await clock.advance(1_000);
  state.served = false;
  counted(read('D'));
  await clock.advance(9_000);
  t.equal(settled, 1, 'when it has been served they wait for the next process');
  for (const one of open) one.resolve(failed('timeout', ''));
  await clock.advance(0);
  t.strictSame([settled, clock.pending], [3, 0]);
});
