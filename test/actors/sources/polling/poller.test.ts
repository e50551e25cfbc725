import t from 'tap';
import { type Failure, failed, type Result, success } from '../../../../actors/failure.ts';
import { createSupervisor } from '../../../../actors/kernel/supervisor.ts';
import type { Parsed } from '../../../../actors/sources/define.ts';
import { InstrumentBook } from '../../../../actors/sources/instruments.ts';
import { type JobMessage, jobActor } from '../../../../actors/sources/job.ts';
import { Poller, type PollerOptions } from '../../../../actors/sources/polling/poller.ts';
import { Publisher } from '../../../../actors/sources/polling/publisher.ts';
import { SourceStatus, StatusRow } from '../../../../actors/sources/status/status.ts';
import type { MarketPoll } from '../../../../actors/sources/venue.ts';
import { NewestRows } from '../../../../actors/state/newest-rows.ts';
import type { FeedStatus, Instrument, PriceRow, Reading } from '../../../../actors/topics/index.ts';
import type { HttpClient } from '../../../../actors/upstream/client.ts';
import { bodyCaps } from '../../../../actors/upstream/limits.ts';
import type { UpstreamAnswer, UpstreamRequest } from '../../../../actors/upstream/request.ts';
import { FakeClock } from '../../../support/clock.ts';
import { price } from '../../../support/feed-stage.ts';
import { anyRows } from '../../../support/guarded.ts';
import { listed } from '../../venues/stream-suite.ts';

const instruments = (received: number): Reading<Instrument> => ({
  source: 'binance',
  part: 'spot',
  asked: received,
  received,
  rows: [...listed([{ market: 'A' }]).values()],
});

/** A poller with an upstream that gives what `answers` holds next, and a parser that gives it as it is. */
function setup({
  needsInstruments = false,
  every = 30_000,
  optional = [],
  previous,
}: {
  needsInstruments?: boolean;
  every?: number;
  /** Paths that are asked beside the tickers. */
  optional?: readonly string[];
  previous?: Reading<PriceRow>;
} = {}) {
  const clock = new FakeClock();
  const newest = new NewestRows();
  const book = new InstrumentBook(newest);
  const published: Reading<PriceRow>[] = [];
  const statuses: FeedStatus[] = [];
  const state = {
    asked: 0,
    answer: (_path: string): Promise<Result<UpstreamAnswer>> =>
      Promise.resolve(failed('network', 'none')),
    refusal: null as Failure | null,
  };
  const client: HttpClient = {
    send: ({ path }) => {
      state.asked++;
      return state.answer(path);
    },
    state: () => ({ breaker: 'closed', pausedUntil: null, host: 'https://example.org' }),
    close: async () => {},
  };
  const feed: MarketPoll<'prices'> = {
    requests: () => [
      { api: 'spot', path: '/tickers' },
      ...optional.map((path) => ({ api: 'spot', path, optional: true as const })),
    ],
    parse: ([body]) => ({ prices: body as Parsed<PriceRow> }),
  };
  const supervisor = createSupervisor({ name: 'test', clock, random: () => 0.5 });
  const status = new SourceStatus({
    source: 'binance',
    clock,
    publish: (row) => statuses.push(row),
  });
  const publisher = () =>
    new Publisher<PriceRow>({
      source: 'binance',
      topic: 'prices',
      part: 'spot',
      parse: (bodies, context) => feed.parse(bodies, context).prices,
      partial: false,
      previous: async () => previous,
      status: status.row('prices', 'spot'),
      publish: async (reading) => {
        if (state.refusal === null) published.push(reading);
        return state.refusal;
      },
      watch: () => false,
      onUnknown() {},
      rows: anyRows(),
    });
  const job = () =>
    new Poller({
      name: 'prices/spot',
      source: 'binance',
      part: 'spot',
      every,
      poll: feed,
      needsInstruments,
      maxBody: 1_000_000,
      client,
      book,
      clock,
      newest,
      publishers: [publisher()],
    });
  const behaviour = jobActor({ job, status, random: () => 0.5 });
  const ref = supervisor.spawn<JobMessage>({ name: 'prices/spot', behaviour });
  const gives = (body: unknown) => {
    state.answer = async () => success({ body, asked: clock.now() - 40, received: clock.now() });
  };
  t.teardown(async () => {
    const stopped = supervisor.stop();
    await clock.advance(10_000);
    await stopped;
  });
  return { clock, newest, published, statuses, state, ref, gives, supervisor };
}

t.test('a good poll is published with its times and the next one planned', async (t) => {
  const { clock, published, statuses, state, gives } = setup();
  gives({ rows: [price('A', 1)], dropped: [] });
  await clock.advance(1_000);
  t.match(published, [{ source: 'binance', part: 'spot', rows: [{ market: 'A', price: 1 }] }]);
  t.match(statuses.at(-1), { state: 'up', latency_ms: 40, rows: 1, failures: 0, last_error: null });
  t.equal((statuses.at(-1)?.next_poll ?? 0) - (statuses.at(-1)?.last_success ?? 0), 30_000);
  await clock.advance(30_000);
  t.equal(state.asked, 2);
});

t.test('polls never overlap, however long one takes', async (t) => {
  const { clock, state, ref } = setup({ every: 1_000 });
  state.answer = () => new Promise(() => {});
  await clock.advance(60_000);
  ref.tell('run');
  await clock.advance(60_000);
  t.equal(state.asked, 1);
});

t.test('a failure is reported, the last reading stays, the next try comes soon', async (t) => {
  const { clock, published, statuses, state, gives } = setup();
  gives({ rows: [price('A', 1)], dropped: [] });
  await clock.advance(1_000);
  state.answer = async () => failed('timeout', 'GET example.org/tickers: no answer');
  await clock.advance(30_000);
  t.equal(published.length, 1, 'nothing replaces the good reading');
  t.match(statuses.at(-1), {
    state: 'failing',
    failures: 1,
    rows: 1,
    last_error: { code: 'timeout' },
  });
  gives({ rows: [price('A', 2)], dropped: [] });
  await clock.advance(30_000);
  t.equal(published.length, 2, 'tried again before a whole period has passed');
  t.match(statuses.at(-1), { state: 'up', failures: 0, last_error: { code: 'timeout' } });
});

t.test('it waits as long as the upstream says', async (t) => {
  const { clock, state } = setup();
  state.answer = async () => failed('banned', 'banned', { retryAfter: 600_000 });
  await clock.advance(1_000);
  await clock.advance(599_000);
  t.equal(state.asked, 1);
  await clock.advance(2_000);
  t.equal(state.asked, 2);
});

t.test('a restarted poller knows the last published reading', async (t) => {
  const received = new FakeClock().now() - 60_000;
  const { clock, published, gives } = setup({
    previous: { source: 'binance', part: 'spot', asked: received, received, rows: [price('A', 3)] },
  });
  const good = ['B', 'C', 'D', 'E', 'F'].map((market) => price(market, 1));
  gives({ rows: good, dropped: [{ key: 'A', code: 'bad_row' }] });
  await clock.advance(1_000);
  t.match(published[0]?.rows.at(-1), { market: 'A', price: 3, received });
});

t.test('a poller that needs instruments waits for them and starts as they come', async (t) => {
  const { clock, newest, published, statuses, state, gives } = setup({ needsInstruments: true });
  gives({ rows: [price('A', 1)], dropped: [] });
  await clock.advance(10_000);
  t.equal(state.asked, 0);
  t.equal(statuses.at(-1)?.state, 'waiting');
  newest.accept('instruments', instruments(clock.now()));
  await clock.advance(0);
  t.equal(published.length, 1);
  newest.accept('instruments', instruments(clock.now()));
  await clock.advance(29_000);
  t.equal(published.length, 1, 'a later list does not hurry it');
  await clock.advance(2_000);
  t.equal(published.length, 2, 'and there is one plan, not two');
});

t.test('hurry polls at once, but not twice within a minute', async (t) => {
  const { clock, state, ref, gives } = setup({ every: 3_600_000 });
  gives({ rows: [price('A', 1)], dropped: [] });
  await clock.advance(1_000);
  ref.tell('hurry');
  await clock.advance(1_000);
  t.equal(state.asked, 1);
  await clock.advance(60_000);
  ref.tell('hurry');
  ref.tell('hurry');
  await clock.advance(1_000);
  t.equal(state.asked, 2);
});

t.test('a reading that Redis refuses is a failure, reported and tried again', async (t) => {
  const { clock, published, statuses, state, gives } = setup();
  gives({ rows: [price('A', 1)], dropped: [] });
  state.refusal = failed('unavailable', 'Redis did not take the reading').failure;
  await clock.advance(1_000);
  t.match(statuses.at(-1), { state: 'failing', last_error: { code: 'unavailable' } });
  state.refusal = null;
  await clock.advance(10_000);
  t.equal(published.length, 1);
});

t.test('a missing optional answer is reported, and asked for again soon', async (t) => {
  const { clock, statuses, state, published } = setup({ every: 3_600_000, optional: ['/hours'] });
  const body = { rows: [price('A', 1)], dropped: [] };
  const good = () => success({ body, asked: clock.now(), received: clock.now() });
  state.answer = async (path) => (path === '/hours' ? failed('timeout', 'late') : good());
  await clock.advance(1_000);
  t.match(published, [{ rows: [{ market: 'A' }] }], 'published without');
  const status = statuses.at(-1);
  t.match(status, { state: 'up', failures: 0, last_error: { code: 'timeout' } });
  t.equal((status?.next_poll ?? 0) - clock.now() <= 300_000, true, 'not in an hour');
  state.answer = async () => good();
  await clock.advance(300_000);
  t.equal(published.length, 2);
  await clock.advance(300_000);
  t.equal(published.length, 2, 'whole again: hourly');
});

t.test('an open breaker does not hide what opened it', async (t) => {
  const { clock, statuses, state } = setup();
  state.answer = async () => failed('shape', 'not JSON');
  await clock.advance(1_000);
  state.answer = async () => failed('breaker_open', 'not sent');
  await clock.advance(30_000);
  t.match(statuses.at(-1), { last_error: { code: 'shape' } });
  t.ok((statuses.at(-1)?.failures ?? 0) > 1);
});

/** A poller that is run by hand, with a publisher that notes what it is given. */
function direct(options: Partial<PollerOptions>) {
  const clock = new FakeClock();
  const newest = new NewestRows();
  const book = new InstrumentBook(newest);
  const sent: unknown[] = [];
  const noted: unknown[] = [];
  const status = new StatusRow({ source: 'x', topic: 'prices', part: 'all' }, () => {});
  const poller = new Poller({
    name: 'prices/all',
    source: 'x',
    part: 'all',
    every: 30_000,
    maxBody: 77,
    clock,
    book,
    poll: {
      rotates: true,
      requests: ({ markets, now = 0 }) => [
        { api: 'rest', path: `${markets.length}/${markets.slice(100, 102)}/${now - start}` },
        { api: 'rest', path: 'one', market: markets[0] ?? '' },
      ],
    },
    needsInstruments: true,
    newest,
    publishers: [
      {
        status,
        open: async () => {},
        take: async ({ received }, context) => {
          noted.push([received - start, context.received - start, context.instruments.size]);
          return null;
        },
      },
    ],
    client: {
      async send(
        { path }: UpstreamRequest,
        { deadline, maxBody }: { deadline: number; maxBody?: number },
      ) {
        sent.push([path, deadline, maxBody]);
        await clock.advance(15_000);
        return success({ body: [], asked: start, received: clock.now() });
      },
      state: (api: string) => ({
        breaker: api === 'rest' ? 'half_open' : 'closed',
        pausedUntil: null,
        host: '',
      }),
    },
    ...options,
  });
  const start = clock.now();
  const run = () => poller.run({ now: clock.now(), signal: new AbortController().signal });
  return { clock, newest, poller, run, sent, noted, status };
}

t.test('a rotating poll asks the next markets, more of them the longer it takes', async (t) => {
  const { clock, newest, run, sent, noted, poller, status } = direct({});
  const rows = Array.from({ length: 150 }, (_, at) => ({ market: `M${at}`, symbol: `M${at}` }));
  const all = [...listed(rows).values()];
  newest.accept('instruments', { source: 'x', part: 'all', asked: 0, received: 0, rows: all });
  t.equal(await run(), null);
  await run();
  const one = ['one', 20_000, bodyCaps.market];
  t.strictSame(sent, [
    ['105/M100,M101/0', 20_000, 77],
    one,
    ['109/M105,M106/15000', 20_000, 77],
    one,
  ]);
  t.strictSame(noted, [
    [15_000, 15_000, 150],
    [30_000, 30_000, 150],
  ]);
  poller.planned(clock.now());
  t.match(status.values, { breaker: 'half_open', next_poll: clock.now() });
});

t.test('a short period is the deadline; a poll without requests fails', async (t) => {
  const all: PollerOptions['poll'] = { requests: () => [{ api: 'rest', path: 'all' }] };
  const { run, sent } = direct({ every: 5_000, needsInstruments: false, poll: all });
  await run();
  t.match(sent, [['all', 5_000, 77]]);
  const none = direct({ needsInstruments: false, poll: { requests: () => [] } });
  t.match(await none.run(), { code: 'shape' });
  t.match(none.status.values, {
    state: 'failing',
    last_error: { code: 'shape', at: none.clock.now() },
  });
});

t.test('a list may take thirty seconds', async (t) => {
  const { clock, run, status, poller, sent } = direct({});
  await run();
  await clock.advance(29_999);
  await run();
  t.equal(status.values.state, 'waiting');
  await clock.advance(1);
  t.equal(await run(), null);
  const last_error = { code: 'unavailable', at: clock.now() };
  t.match(status.values, { state: 'failing', failures: 1, last_error });
  t.strictSame([sent, poller.pause()], [[], 30_000]);
});
