/** The screener over a compute process whose exchanges are functions, on a clock that the test moves. */
import t from 'tap';
import { computeAnswers } from '../../../actors/compute/answers.ts';
import { CandleStore } from '../../../actors/compute/candles.ts';
import { failed, success } from '../../../actors/failure.ts';
import { screenerSource } from '../../../actors/market/screener.ts';
import type { JobContext } from '../../../actors/sources/context.ts';
import { SourceStatus } from '../../../actors/sources/status/status.ts';
import { MarketState } from '../../../actors/state/market-state.ts';
import { NewestRows } from '../../../actors/state/newest-rows.ts';
import type { Candle, CandleParams, ScreenerInterval } from '../../../actors/topics/index.ts';
import { intervals } from '../../../actors/topics/index.ts';
import { createLogger } from '../../../config/log.ts';
import { hour } from '../../../config/time.ts';
import { Snapshot } from '../../../http/answers/snapshots.ts';
import { createCheck } from '../../../http/endpoints/validate.ts';
import { screenerRoutes } from '../../../http/routes/screener.ts';
import { isApiError } from '../../../http/wire/errors.ts';
import { runJob } from '../../../indicators/job.ts';
import { readScreenEntries } from '../../../indicators/market/screen.ts';
import { FakeClock } from '../../support/clock.ts';
import { priceRow } from '../../support/makers.ts';
import { askRow, frontQueries, queryBus, served } from '../../support/queries.ts';

const start = 1_790_002_800_000;
/** Twenty minutes after a full hour. */
const now = start + hour / 3;

/** The close of the candle of a market that opens at `timestamp`: hours since the start, by a price of its own. */
const closeOf = (market: string, timestamp: number) =>
  (market.startsWith('BTC') ? 1_000 : 10) + (timestamp - start) / hour;

function candlesOf({ market, interval, limit }: CandleParams, at: number): Candle[] {
  const length = intervals[interval];
  const running = Math.floor(at / length) * length;
  return Array.from({ length: limit }, (_, i) => {
    const timestamp = running - (limit - 1 - i) * length;
    const close = closeOf(market, timestamp);
    const bar = { open: close, high: close, low: close, close, volume: 1, turnover: null };
    return { timestamp, ...bar, closed: timestamp < running };
  });
}

function stage() {
  const clock = new FakeClock(now);
  const newest = new NewestRows();
  const market = new MarketState(newest);
  /** Questions about candles that reached an exchange, and jobs of the pool. */
  const [asked, jobs]: [string[], number[]] = [[], []];
  const away = new Set<string>();
  const store = new CandleStore({
    clock,
    bus: queryBus(({ source, params }) => {
      const wanted = params as CandleParams;
      asked.push(`${source} ${wanted.market} ${wanted.interval}`);
      if (away.has(source)) return failed('network', 'away');
      const { market } = wanted;
      const candles = candlesOf(wanted, clock.now());
      const value = { market, kind: null, quote: null, candles, received: clock.now() };
      return success({ value, received: clock.now(), until: 0 });
    }),
  });
  const pool = {
    run(job: Parameters<typeof runJob>[0]) {
      jobs.push(job.entries.length);
      return { ok: true as const, json: runJob(job) };
    },
  };
  const compute = served(computeAnswers({ store, pool }), clock);
  const lengths = ['5m', '1h', '1d'] as const;
  const source = screenerSource({
    ...{ market, clock },
    candles: new Map([
      ['one', lengths],
      ['two', lengths],
    ]),
  });
  const context: JobContext = {
    clock,
    log: createLogger({ logLevel: 'silent' }, 'test'),
    status: new SourceStatus({ source: 'screener', clock, publish: () => {} }),
    publish: async () => null,
    last: async () => undefined,
    query: compute.query,
    client: () => {
      throw new Error('no client is needed');
    },
  };
  const signal = new AbortController().signal;
  const all = source.jobs(context);
  // Rounds begin when a question wants them, or by hand, as the actor of the job does it.
  const runs: Promise<unknown>[] = [];
  for (const job of all) {
    let last: Promise<unknown> = Promise.resolve();
    job.watch?.(() => {
      last = last.then(() => job.run({ now: clock.now(), signal }));
      runs.push(last);
    });
  }
  const jobOf = (interval: ScreenerInterval) => {
    const job = all.find(({ name }) => name === interval);
    if (!job) throw new Error(`no job ${interval}`);
    return job;
  };
  const run = async (interval: ScreenerInterval) => {
    const done = jobOf(interval).run({ now: clock.now(), signal });
    await clock.advance(1_000);
    return done;
  };
  const list = () => {
    const at = { asked: clock.now(), received: clock.now() };
    const row = (market: string, symbol: string, volume: number) =>
      priceRow({ market, symbol, volume, quote: 'USDT', kind: 'spot' });
    const own = [row('BTC-one', 'BTC', 900), row('ETH-one', 'ETH', 5)];
    const other = [row('BTC-two', 'BTC', 800), row('ETH-two', 'ETH', 6)];
    newest.accept('prices', { source: 'one', part: 'all', rows: own, ...at });
    newest.accept('prices', { source: 'two', part: 'all', rows: other, ...at });
  };
  const answers = { screener: source.answers?.screener };
  const [route] = screenerRoutes();
  if (!route) throw new Error('there is no row');
  const check = createCheck(route);
  const bus = served(answers, clock);
  /** Of a web process of its own. */
  const get = async (query: string) => {
    const checked = check(query, []);
    if (isApiError(checked)) return checked;
    const asking = askRow(route, checked.values, frontQueries(bus, clock));
    await clock.advance(6_000);
    const answer = await asking;
    return answer instanceof Snapshot ? JSON.parse(answer.at(1e12).toString()).data : answer;
  };
  return { clock, asked, jobs, away, list, run, get, jobOf, source };
}

t.test(
  'without prices nothing can be computed, and the answer says when to ask again',
  async (t) => {
    const { get, asked } = stage();
    t.match(await get('indicators=rsi'), { error: 'warming_up', retryAfter: 2 });
    t.strictSame(asked, []);
  },
);

t.test('the most traded market of each asset, of the last closed candle', async (t) => {
  const { get, list, asked } = stage();
  list();
  const data = await get('indicators=sma:3,rsi');
  // The hour that ended last opened an hour before the start.
  const close = { BTC: 1_000 - 1, ETH: 10 - 1 };
  t.match(data, {
    interval: '1h',
    count: 2,
    items: [
      { symbol: 'BTC', exchange: 'one', market: 'BTC-one', price: close.BTC, as_of: start - 1 },
      { symbol: 'ETH', exchange: 'two', market: 'ETH-two', price: close.ETH, as_of: start - 1 },
    ],
    missing: ['SOL', 'XRP', 'DOGE', 'BNB'],
  });
  // Closes rise by 1 an hour: the mean of three is that of the middle one, and nothing ever falls.
  t.strictSame(data.items[0].values, { sma_3: close.BTC - 1, rsi: 100 });
  t.strictSame(asked, ['one BTC-one 1h', 'two ETH-two 1h']);
});

t.test('filtered and sorted', async (t) => {
  const { get, list } = stage();
  list();
  const symbols = async (query: string) => {
    const data = await get(`indicators=sma:3&${query}`);
    return data.items?.map(({ symbol }: { symbol: string }) => symbol) ?? data;
  };
  t.strictSame(await symbols('sort=price&order=asc'), ['ETH', 'BTC']);
  t.strictSame(await symbols('sort=sma_3'), ['BTC', 'ETH']);
  t.strictSame(await symbols('filter=sma_3%3C100'), ['ETH']);
  t.strictSame(await symbols('filter=sma_3<=8,price>sma_3'), ['ETH']);
  t.strictSame(await symbols('limit=1'), ['BTC']);
  t.match(await symbols('sort=rsi'), { error: 'bad_parameter', message: /^sort: .*"rsi"/ });
  t.match(await symbols('filter=rsi<1'), { error: 'bad_parameter', message: /^filter: .*"rsi"/ });
  t.match(await get('indicators=nosuch'), { error: 'bad_parameter', message: /nosuch/ });
  t.match(await get('indicators=rsi&interval=1w'), { error: 'bad_parameter', message: /interval/ });
});

t.test('computed once a close, however many ask, and only what somebody asked for', async (t) => {
  const { clock, get, list, asked, jobs, run, jobOf } = stage();
  list();
  t.equal(jobOf('1h').pause?.(), hour, 'nobody has asked for anything');
  await get('indicators=rsi');
  await get('indicators=rsi&sort=rsi');
  t.strictSame([asked.length, jobs], [2, [2, 2]], 'the close and the RSI of two assets');
  await get('indicators=rsi,ema');
  t.strictSame(jobs.splice(0), [2, 2, 2, 2], 'the EMA alone is computed besides');
  await clock.advance(start + hour + 3_000 - clock.now());
  asked.length = 0;
  const before = await get('indicators=rsi,ema&limit=1');
  t.equal(before.items[0].as_of, start + hour - 1, 'a question after the close begins the round');
  t.strictSame(asked, ['one BTC-one 1h', 'two ETH-two 1h']);
  t.strictSame(jobs.splice(0), [3, 3], 'all that was asked for, in one job an asset');
  // Three hours later nobody has asked again.
  await clock.advance(3 * hour);
  await run('1h');
  t.strictSame([asked.length, jobs], [2, []], 'nothing is computed any more');
});

t.test('the job itself begins a round some seconds after a close', async (t) => {
  const { clock, get, list, run, jobOf, jobs } = stage();
  list();
  await get('indicators=sma:1&interval=5m');
  const pause = jobOf('5m').pause?.() ?? 0;
  const end = Math.ceil(clock.now() / 300_000) * 300_000;
  t.ok(pause > 0 && clock.now() + pause <= end + 3_000, `${pause}`);
  await clock.advance(end + 3_000 - clock.now());
  t.equal(jobs.splice(0).length, 2);
  t.equal(await run('5m'), null);
  t.equal(jobs.length, 2, 'without a question');
  const data = await get('indicators=sma:1&interval=5m&limit=1');
  t.equal(data.items[0].as_of, end - 1);
  t.equal(data.items[0].values.sma_1, data.items[0].price);
});

t.test('an exchange that is away costs its own assets, which are asked for again', async (t) => {
  const { clock, get, list, away, asked } = stage();
  list();
  away.add('two');
  const data = await get('indicators=rsi');
  t.match([data.count, data.missing], [1, ['ETH', 'SOL', 'XRP', 'DOGE', 'BNB']]);
  const before = asked.length;
  await get('indicators=rsi');
  t.equal(asked.length, before, 'not at once');
  away.clear();
  await clock.advance(30_000);
  t.match((await get('indicators=rsi')).missing, ['SOL', 'XRP', 'DOGE', 'BNB']);
});

t.test('there is room for 64 indicators, of which the oldest makes room', async (t) => {
  const { clock, source, list } = stage();
  list();
  const ask = async (lengths: readonly number[]) => {
    const indicators = readScreenEntries(lengths.map((length) => `sma:${length}`).join());
    const answer = source.answers?.screener?.(
      { interval: '1h', indicators },
      { deadline: clock.now() + 10_000, account: '' },
    );
    await clock.advance(6_000);
    return answer;
  };
  const many = (from: number, count: number) => Array.from({ length: count }, (_, i) => from + i);
  for (const from of [1, 21, 41]) t.match(await ask(many(from, 20)), { ok: true });
  t.match(await ask(many(61, 5)), { ok: false, failure: { code: 'over_budget' } });
  t.match(await ask(many(61, 4)), { ok: true });
  await clock.advance(10 * 60_000);
  t.match(await ask(many(65, 5)), { ok: true });
});
