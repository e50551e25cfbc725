import t from 'tap';
import { failed, type Result, success } from '../../../../actors/failure.ts';
import { PastAsker } from '../../../../actors/sources/streams/past-events.ts';
import type { PastEvents } from '../../../../actors/sources/streams/stream.ts';
import { FakeClock, settle } from '../../../support/clock.ts';

interface Event {
  contract: string;
  timestamp: number;
}
const start = 1_750_000_000_000;
const day = 86_400_000;

/** Lists `/one` and `/two` of events, whose times `reply` gives, from now on. */
function stage(more: Partial<PastEvents<Event>> = {}) {
  const clock = new FakeClock(start);
  const abort = new AbortController();
  const asked: unknown[] = [];
  const seen = { times: [] as number[], failures: [] as string[], errors: [] as unknown[] };
  const state = { reply: (): Promise<unknown> | unknown => [] };
  const past: PastEvents<Event> = {
    requests: (_, { from, to }) =>
      ['/one', '/two'].map((path) => ({
        api: 'rest',
        path,
        query: { from: from - start, to: to - start },
      })),
    parse: (body) => {
      if (!Array.isArray(body)) throw new Error('no list');
      const rows = body.map((time: number) => ({ contract: 'A', timestamp: start + time }));
      return { rows, dropped: [] };
    },
    ...more,
  };
  const asker = new PastAsker<Event>({
    past,
    clock,
    signal: abort.signal,
    instruments: () => new Map(),
    async send({ path, query }): Promise<Result<{ body: unknown; asked: 0; received: 0 }>> {
      asked.push([path, query?.from, query?.to]);
      const body = await state.reply();
      return body === null ? failed('timeout', 'late') : success({ body, asked: 0, received: 0 });
    },
    onEvents: (events) => void seen.times.push(...events.map((one) => one.timestamp - start)),
    onFailure: ({ code }) => void seen.failures.push(code),
    onError: (error) => void seen.errors.push(error),
  });
  /** The stream was not received between these times, ms from the start. */
  const gap = (from: number, to: number) => {
    asker.lost(start + from);
    asker.back(start + to);
  };
  return { clock, abort, asker, asked, seen, state, gap };
}

t.test('each gap is asked for ten seconds after its end, a day of it at most', async (t) => {
  const { clock, asker, asked, gap } = stage();
  asker.lost(start - 5);
  gap(-4, 0);
  asker.back(start);
  gap(0, 0);
  await clock.advance(9_999);
  t.strictSame(asked, []);
  await clock.advance(1);
  t.strictSame(asked.splice(0), [
    ['/one', -5, 0],
    ['/two', -5, 0],
  ]);
  gap(-day - 1, 0);
  await clock.advance(60_000);
  t.strictSame(asked[0], ['/one', -day, 0]);
  t.equal(clock.pending, 0);
});

t.test('events that may have been received are left out', async (t) => {
  for (const [resolution, times] of [
    [undefined, [10, 2_001, 2_002, 3_000]],
    [1_000, [10, 2_001]],
  ] as const) {
    const { clock, seen, state, gap } = stage({ ...(resolution && { resolution }) });
    state.reply = () => [9, 10, 2_001, 2_002, 3_000, 3_001];
    gap(10, 3_000);
    await clock.advance(10_000);
    t.strictSame(seen.times, [...times, ...times], 'of both lists');
  }
});

t.test('a list that fails is asked for again each minute, five times', async (t) => {
  for (const [body, code] of [
    [null, 'timeout'],
    ['<html>', 'shape'],
  ] as const) {
    const { clock, asked, seen, state, gap } = stage();
    state.reply = () => body;
    gap(-1, 0);
    await clock.advance(10_000);
    t.equal(asked.length, 1, 'the other list waits');
    await clock.advance(59_999);
    t.equal(asked.length, 1);
    await clock.advance(1);
    t.equal(asked.length, 2);
    await clock.advance(day);
    t.equal(asked.length, 6);
    t.strictSame(seen, { times: [], failures: Array(6).fill(code), errors: [] });
  }
});

t.test('lists are read back page by page, one after another', async (t) => {
  const { clock, asked, gap } = stage({ before: (request) => ({ ...request, path: '/page' }) });
  gap(-1, 0);
  await clock.advance(10_000);
  t.equal(asked.length, 40, 'twenty pages of each');
  const slow = stage();
  const open = Promise.withResolvers<unknown>();
  slow.state.reply = () => open.promise;
  slow.gap(-9, -8);
  slow.gap(-2, -1);
  await slow.clock.advance(10_000);
  t.equal(slow.asked.length, 1);
  open.resolve([]);
  await settle();
  t.strictSame(
    slow.asked.map((one) => Object(one)[1]),
    [-9, -9, -2, -2],
  );
});

t.test('an actor that ends asks no more, and an exception reaches it', async (t) => {
  const { clock, asker, asked, gap } = stage();
  gap(-1, 0);
  asker.stop();
  t.equal(clock.pending, 0);
  await clock.advance(10_000);
  t.strictSame(asked, []);
  const ended = stage();
  ended.state.reply = () => {
    ended.abort.abort();
    return [0];
  };
  ended.gap(-1, 0);
  await ended.clock.advance(10_000);
  t.strictSame([ended.asked.length, ended.seen.times], [1, []]);
  const bug = new Error('a bug');
  const broken = stage({
    requests: () => {
      throw bug;
    },
  });
  broken.gap(-1, 0);
  await broken.clock.advance(10_000);
  t.strictSame(broken.seen.errors, [bug]);
});
