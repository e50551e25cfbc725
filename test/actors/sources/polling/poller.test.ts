/** Polls of an exchange with one part: what is asked and when, and what is published of the bodies. */
import t, { type Test } from 'tap';
import { failed, type Result, ShapeError, success } from '../../../../actors/failure.ts';
import { createSupervisor } from '../../../../actors/kernel/supervisor.ts';
import type { MarketPoll, Parsed, Plan } from '../../../../actors/sources/define.ts';
import { type JobMessage, jobActor } from '../../../../actors/sources/job.ts';
import { VenueRows } from '../../../../actors/sources/market-rows.ts';
import { Poller, type PollerOptions } from '../../../../actors/sources/polling/poller.ts';
import type { PriceRow, Reading } from '../../../../actors/topics/index.ts';
import type { UpstreamAnswer, UpstreamRequest } from '../../../../actors/upstream/request.ts';
import { FakeClock } from '../../../support/clock.ts';
import { feedContext, price } from '../../../support/feed-stage.ts';

type Body = Partial<Parsed<PriceRow>> | string;
interface Stage {
  poll?: Partial<MarketPoll<'prices'>>;
  every?: number;
  /** The markets of its list; no list when null. */
  list?: readonly string[] | null;
  previous?: readonly PriceRow[];
  /** The longest age of its rows, ms, where its plan needs more than the topic allows. */
  age?: number;
}

/** A body is what its parser gives; a text is one that cannot be read. */
const parse = ([body]: readonly unknown[]) => {
  if (typeof body === 'string') throw new ShapeError(body);
  return { prices: { rows: [], dropped: [], ...(body as Body as object) } };
};

function stage({ poll = {}, every = 30_000, list = ['A', 'B'], previous, age }: Stage = {}) {
  const clock = new FakeClock();
  const start = clock.now();
  const made = feedContext(clock, 'x.example');
  const { published, statuses, last } = made;
  if (list) made.list('linear', ...list);
  if (previous) last['prices/x/linear'] = made.reading('linear', [...previous], start - 60_000);
  const sent: [path: string, deadline: number][] = [];
  const state = {
    answer: async (_path: string): Promise<Result<UpstreamAnswer>> => failed('network', 'none'),
    frozen: false,
    unknown: 0,
  };
  const watched: unknown[] = [];
  const context: PollerOptions['context'] = {
    ...made.context,
    client: () => ({
      send({ path }: UpstreamRequest, { deadline }: { deadline: number }) {
        sent.push([path, deadline]);
        return state.answer(path);
      },
      state: (api) => ({
        pausedUntil: null,
        host: '',
        breaker: api === 'rest' ? 'half_open' : 'closed',
      }),
    }),
  };
  const options: PollerOptions = {
    source: 'x',
    part: 'linear',
    every,
    context,
    topics: ['prices'],
    poll: { requests: () => [{ api: 'rest', path: 'all' }], parse, ...poll },
    rows: new VenueRows('x', context, () => age),
    watch: {
      observe: (part, rows, received) => watched.push([part, rows.length, received]),
      frozen: () => state.frozen,
      apart: (all) => all,
    },
    onUnknown: () => state.unknown++,
  };
  const gives = (body: Body) => {
    state.answer = async () => success({ body, asked: clock.now() - 40, received: clock.now() });
  };
  const status = () => context.status.row('prices', 'linear').values;
  const readings = () => published.map(([, , reading]) => reading as Reading<PriceRow>);
  const at = { clock, start, made, sent, state, watched, options, gives, status, readings };
  return { ...at, published, statuses };
}

/** A poller in its actor. */
function scheduled(t: Test, of: Stage = {}) {
  const at = stage(of);
  const { clock, options, made } = at;
  const supervisor = createSupervisor({ name: 'test', clock, random: () => 0.5, onEvent() {} });
  const job = () => new Poller(options);
  const behaviour = jobActor({ job, status: made.context.status, random: () => 0.5 });
  const ref = supervisor.spawn<JobMessage>({ name: 'prices/linear', behaviour });
  t.teardown(async () => {
    const stopped = supervisor.stop();
    await clock.advance(10_000);
    await stopped;
  });
  return { ...at, ref };
}

/** A poller that is run by hand. */
function direct(of: Stage = {}) {
  const at = stage(of);
  const poller = new Poller(at.options);
  const run = () => poller.run({ now: at.clock.now(), signal: new AbortController().signal });
  /** Runs it with a body, `after` ms from now; the newest reading. */
  const take = async (body: Body, after = 0) => {
    await at.clock.advance(after);
    at.gives(body);
    const failure = await run();
    return failure ?? at.readings().at(-1);
  };
  return { ...at, poller, run, take };
}

t.test('a good poll is published with its times and the next one planned', async (t) => {
  const { clock, published, statuses, sent, gives, watched } = scheduled(t);
  gives({ rows: [price('A', 1)] });
  await clock.advance(1_000);
  const [[topic, key, reading] = []] = published;
  const { last_success: received = 0, ...status } = statuses.at(-1) ?? {};
  const times = { asked: (received ?? 0) - 40, received };
  t.strictSame([topic, key], ['prices', 'x/linear']);
  t.same(reading, { source: 'x', part: 'linear', ...times, rows: [price('A', 1)] });
  t.strictSame(watched, [['linear', 1, received]]);
  t.match(status, { state: 'up', reason: null, latency_ms: 40, rows: 1, failures: 0 });
  t.match(status, { dropped: {}, last_error: null, next_poll: (received ?? 0) + 30_000 });
  await clock.advance(30_000);
  t.equal(sent.length, 2);
});

t.test('polls never overlap, however long one takes', async (t) => {
  const { clock, state, sent, ref } = scheduled(t, { every: 1_000 });
  state.answer = () => new Promise(() => {});
  await clock.advance(60_000);
  ref.tell('run');
  await clock.advance(60_000);
  t.equal(sent.length, 1);
});

t.test('a failure is reported, the last reading stays, the next try comes soon', async (t) => {
  const { clock, published, status, state, gives } = scheduled(t);
  gives({ rows: [price('A', 1)] });
  await clock.advance(1_000);
  state.answer = async () => failed('timeout', 'no answer');
  await clock.advance(30_000);
  t.equal(published.length, 1, 'nothing replaces the good reading');
  t.match(status(), { state: 'failing', failures: 1, rows: 1, last_error: { code: 'timeout' } });
  gives({ rows: [price('A', 1.1)] });
  await clock.advance(30_000);
  t.equal(published.length, 2, 'tried again before a whole period has passed');
  t.match(status(), { state: 'up', failures: 0, last_error: { code: 'timeout' } });
});

t.test('it waits for its list and starts soon after that comes', async (t) => {
  const { clock, made, published, status, sent, gives } = scheduled(t, { list: null });
  gives({ rows: [price('A', 1)] });
  await clock.advance(10_000);
  t.strictSame([sent, status().state], [[], 'waiting']);
  made.list('linear', 'A');
  await clock.advance(1_500);
  t.equal(published.length, 1);
  made.list('linear', 'A');
  await clock.advance(28_000);
  t.equal(published.length, 1, 'a later list does not hurry it');
});

t.test('a list may take thirty seconds', async (t) => {
  const { clock, run, status, poller, sent } = direct({ list: null });
  await run();
  await clock.advance(29_999);
  await run();
  t.equal(status().state, 'waiting');
  await clock.advance(1);
  t.equal(await run(), null);
  const last_error = { code: 'unavailable', at: clock.now() };
  t.match(status(), { state: 'failing', failures: 1, last_error });
  t.strictSame([sent, poller.pause()], [[], 1_000]);
});

t.test('hurry polls at once, but not twice within a minute', async (t) => {
  const { clock, sent, ref, gives } = scheduled(t, { every: 3_600_000 });
  gives({ rows: [price('A', 1)] });
  await clock.advance(1_000);
  ref.tell('hurry');
  await clock.advance(1_000);
  t.equal(sent.length, 1);
  await clock.advance(60_000);
  ref.tell('hurry');
  ref.tell('hurry');
  await clock.advance(1_000);
  t.equal(sent.length, 2);
});

t.test('a reading that Redis refuses is a failure, reported and tried again', async (t) => {
  const { clock, made, published, status, gives } = scheduled(t);
  gives({ rows: [price('A', 1)] });
  made.outcomes.prices = 'unavailable';
  await clock.advance(1_000);
  const failing = { state: 'failing', last_success: null, last_error: { code: 'unavailable' } };
  t.match(status(), failing);
  delete made.outcomes.prices;
  await clock.advance(10_000);
  t.match([published.length, status().state], [2, 'up']);
});

t.test('a missing optional answer is reported, and asked for again soon', async (t) => {
  const requests = () => [
    { api: 'rest', path: 'all' },
    { api: 'rest', path: 'hours', optional: true as const },
  ];
  const { clock, status, state, published } = scheduled(t, { every: 3.6e6, poll: { requests } });
  let body = { rows: [price('A', 1), price('B', 1)] };
  const good = () => success({ body, asked: clock.now(), received: clock.now() });
  state.answer = async (path) => (path === 'hours' ? failed('timeout', 'late') : good());
  await clock.advance(1_000);
  t.match(published, [['prices', 'x/linear', { rows: [{ market: 'A' }, {}] }]], 'without it');
  t.match(status(), { state: 'up', failures: 0, last_error: { code: 'timeout' } });
  t.equal((status().next_poll ?? 0) - clock.now() <= 300_000, true, 'not in an hour');
  body = { rows: [price('A', 1)] };
  await clock.advance(300_000);
  const kept = { rows: [{ market: 'A' }, { market: 'B' }] };
  t.match(published[1]?.[2], kept, 'what it lacks stays');
  state.answer = async () => good();
  await clock.advance(300_000);
  t.match([published.length, published[2]?.[2]], [3, { rows: { length: 1 } }]);
  await clock.advance(300_000);
  t.equal(published.length, 3, 'whole again: hourly');
});

t.test('a rotating poll asks the next markets, more of them the longer it takes', async (t) => {
  const rotating = {
    rotates: true,
    requests: ({ markets, now = 0 }: Plan) => [
      { api: 'rest', path: `${markets.length}/${markets.slice(100, 102)}/${now % 100_000}` },
      { api: 'rest', path: 'one', market: markets[0] ?? '' },
    ],
  };
  const list = Array.from({ length: 150 }, (_, at) => `M${at}`);
  const { clock, run, sent, state, status, start } = direct({ poll: rotating, list });
  state.answer = async () => {
    await clock.advance(15_000);
    return success({ body: {}, asked: start, received: clock.now() });
  };
  const began = start % 100_000;
  t.equal(await run(), null);
  const next = clock.now() % 100_000;
  await run();
  const one = ['one', 20_000];
  t.strictSame(sent, [
    [`105/M100,M101/${began}`, 20_000],
    one,
    [`109/M105,M106/${next}`, 20_000],
    one,
  ]);
  t.equal(status().breaker, 'half_open');
});

t.test('a short period is the deadline; a poll without requests fails', async (t) => {
  const { run, sent } = direct({ every: 5_000 });
  await run();
  t.match(sent, [['all', 5_000]]);
  const none = direct({ poll: { requests: () => [] } });
  t.match(await none.run(), { code: 'shape' });
  const last_error = { code: 'shape', at: none.clock.now() };
  t.match(none.status(), { state: 'failing', last_error });
});

const four = ['B', 'C', 'D', 'E'].map((market) => price(market, 1));

t.test('rows that are not used are counted by reason', async (t) => {
  const { state, status, take } = direct();
  const dropped = ['NEW', 'ODD'].map((key) => ({ key, code: 'unknown_instrument' as const }));
  const rows = [price('A', 1), price('B', 2), price('A', 3), price('A', 1)];
  t.match(await take({ rows, dropped }), { rows: [price('A', 1), price('B', 2)] }, 'the first');
  t.strictSame(status().dropped, { unknown_instrument: 2, duplicate: 2 });
  t.equal(state.unknown, 1, 'the lists are read again');
  await take({ rows, dropped: [{ key: 'A', code: 'bad_row' }] });
  t.equal(state.unknown, 1);
});

t.test('a body of a wrong shape and too many bad rows are refused whole', async (t) => {
  const { published, take } = direct();
  t.match(await take('not a list'), { code: 'shape', message: 'not a list' });
  const bad = ['X', 'Y'].map((key) => ({ key, code: 'bad_row' as const }));
  const message = '2 of 6 rows are unreadable';
  t.match(await take({ rows: four, dropped: bad }), { code: 'shape', message });
  t.strictSame(published, []);
  t.match(await take({ rows: four, dropped: bad.slice(1) }), { rows: four }, 'a fifth is accepted');
});

t.test('a bad row keeps its last good value until that is too old', async (t) => {
  const { start, take } = direct();
  await take({ rows: [price('A', 7), ...four] });
  const kept = async (after: number) => {
    const reading = await take({ rows: four, dropped: [{ key: 'A', code: 'bad_row' }] }, after);
    return (reading as Reading<PriceRow>).rows.slice(4);
  };
  const own = [{ ...price('A', 7), received: start }];
  t.strictSame([await kept(30_000), await kept(270_000), await kept(1)], [own, own, []]);
});

t.test('the last reading of another process is used', async (t) => {
  const { poller, status, take, start } = direct({ previous: [price('A', 3)] });
  await poller.wait();
  t.match(status(), { state: 'waiting', last_success: start - 60_000, rows: 1 });
  const reading = await take({ rows: four, dropped: [{ key: 'A', code: 'bad_row' }] });
  t.match((reading as Reading<PriceRow>).rows.at(-1), {
    market: 'A',
    price: 3,
    received: start - 60_000,
  });
  await poller.wait();
  t.match(status(), { last_success: start, rows: 5 }, 'the status knows better');
  const none = direct();
  await none.poller.wait();
  t.match(none.status(), { last_success: null, rows: 0 });
});

t.test('a poll of some markets keeps the rows of the others that are listed', async (t) => {
  const previous = ['A', 'B', 'GONE'].map((market) => price(market, 1));
  for (const rotates of [true, false]) {
    const { poller, take, start } = direct({ poll: { rotates }, previous });
    await poller.wait();
    const others = rotates ? [{ ...price('B', 1), received: start - 60_000 }] : [];
    const { rows } = (await take({ rows: [price('A', 1.1)] }, 50)) as Reading<PriceRow>;
    t.same(rows, [price('A', 1.1), ...others]);
    const late = (await take({ rows: [] }, 239_950)) as Reading<PriceRow>;
    t.equal(late.rows.length, rotates ? 2 : 0);
    const old = (await take({ rows: [] }, 1)) as Reading<PriceRow>;
    t.match(old.rows, rotates ? [{ market: 'A' }, ...others] : [], 'with its time');
    t.equal(old.rows.length, rotates ? 2 : 0);
  }
});

t.test('a market that is asked once a round stays for as long as a round takes', async (t) => {
  const age = 1_200_000;
  const { take, status, start } = direct({ poll: { rotates: true }, age });
  await take({ rows: [price('B', 2)] });
  const kept = (await take({ rows: [price('A', 1)] }, age)) as Reading<PriceRow>;
  t.strictSame(kept.rows, [price('A', 1), { ...price('B', 2), received: start }]);
  t.equal(kept.maxAge, age, 'its readers allow the same');
  t.equal(status().longest_age_ms, age);
  t.match(await take({ rows: [price('A', 1)] }, 1), { rows: [{ market: 'A' }] });
});

t.test('markets for which the budget had no room are the first of the next poll', async (t) => {
  const list = Array.from({ length: 40 }, (_, at) => `M${at}`);
  const requests = ({ markets }: Plan) =>
    markets.map((path) => ({ api: 'rest', path, market: path }));
  const { run, sent, state } = direct({ poll: { rotates: true, most: 16, requests }, list });
  let room = 12;
  state.answer = async () =>
    room-- > 0
      ? success({ body: {}, asked: 1, received: 2 })
      : failed('over_budget', 'no room before the deadline');
  const asked = async () => {
    sent.length = 0;
    await run();
    return sent.map(([path]) => path);
  };
  t.strictSame((await asked()).slice(2, 4), ['M2', 'M3']);
  room = 100;
  t.strictSame((await asked()).slice(2, 4), ['M12', 'M13']);
  await asked();
  t.equal((await asked())[2], 'M2', 'and from the beginning again');
});

t.test('rows that are held back are named, and their last good ones are kept', async (t) => {
  const many = Array.from({ length: 21 }, (_, at) => price(`M${at}`, 1));
  const { poller, take, status } = direct({ previous: [price('A', 1), ...many] });
  await poller.wait();
  const jumped = many.map((row) => ({ ...row, price: 2 }));
  const dropped = [{ key: 'A', code: 'bad_row' as const }];
  const { rows, suspect } = (await take(
    { rows: [...jumped, ...four], dropped },
    50,
  )) as Reading<PriceRow>;
  t.match(rows, [...many, ...four, price('A', 1)]);
  const named = many.map(({ market, symbol }) => ({ market, symbol }));
  t.strictSame(suspect, named);
  t.strictSame(status().dropped, { bad_row: 1, suspect: 21 });
  const names = named.slice(0, 20).map(({ market }) => market);
  t.strictSame(status().suspect, names, 'the first twenty of them');
});

t.test('a frozen part is marked, a closed one states its reason', async (t) => {
  const { state, status, take } = direct({ list: [] });
  const good = { rows: [price('A', 1)] };
  const closed = { rows: [], closed: 'every market is PAUSED' };
  const states = async (body: Body) => {
    const { frozen, rows } = (await take(body)) as Reading<PriceRow>;
    return [status().state, status().reason, frozen, rows.length];
  };
  state.frozen = true;
  t.strictSame(await states(good), ['frozen', null, true, 1]);
  t.strictSame(await states(closed), ['closed', closed.closed, true, 0]);
  state.frozen = false;
  t.strictSame(await states(closed), ['closed', closed.closed, undefined, 0], 'its prices leave');
  t.strictSame(await states(good), ['up', null, undefined, 1]);
});
