/** Lighter's mark and index prices: the parser, the recording, and the whole way from the simulator to the bus. */

import t, { type Test } from 'tap';
import { ShapeError } from '../../../../actors/failure.ts';
import { isRecord } from '../../../../actors/read.ts';
import { InstrumentBook } from '../../../../actors/sources/instruments.ts';
import { NewestRows } from '../../../../actors/state/newest-rows.ts';
import type {
  DerivativeRow,
  FeedStatus,
  Instrument,
  Reading,
} from '../../../../actors/topics/index.ts';
import { createHttpClient, type HttpClient } from '../../../../actors/upstream/client.ts';
import { lighter } from '../../../../actors/venues/lighter/index.ts';
import { createLogger } from '../../../../config/log.ts';
import { Pace } from '../../../../config/pace.ts';
import { startSimulator } from '../../../../scripts/simulator/main.ts';
import { FakeClock } from '../../../support/clock.ts';
import { MemoryStore } from '../../../support/lease-store.ts';
import { silentBus } from '../../../support/queries.ts';
import { absent, recording } from '../../../support/recordings.ts';
import { runAlone } from '../../../support/run-alone.ts';
import { sameRows } from '../../../support/table.ts';
import { until } from '../../../support/until.ts';
import { contextOf, fixture, streamOf } from '../fixtures.ts';
import { damaged } from '../stream-suite.ts';

const stream = streamOf(lighter.live.derivatives.all, 'derivatives');
const context = contextOf(lighter, 'all');
const content = fixture(lighter, 'all-derivatives-stream');
const messages: readonly unknown[] =
  isRecord(content) && Array.isArray(content.messages) ? content.messages : [];

t.test('what is said, and what is asked for', async (t) => {
  t.equal(stream.url, 'wss://mainnet.zklighter.elliot.ai/stream');
  t.strictSame(stream.channels(context.instruments), [
    '{"type":"subscribe","channel":"market_stats/all"}',
    '{"type":"subscribe","channel":"spot_market_stats/all"}',
  ]);
  t.equal(stream.reply?.({ type: 'ping' }), '{"type":"pong"}');
  t.equal(stream.reply?.({ type: 'pong' }), null);
  t.ok((stream.keepAlive?.every ?? Infinity) < 120_000, 'idle connections end after two minutes');
});

t.test('mark and index in canonical units; nothing of the rates', async (t) => {
  const [connected, pong, first, second] = messages.map((message) =>
    stream.parse(message, context),
  );
  t.equal(connected, null);
  t.equal(pong, null);
  t.strictSame(first?.dropped, []);
  sameRows(t, first?.rows[0])`
    market symbol quote mark    index  funding_rate funding_hours funding_rate_8h next_funding stated
    ${'0'} ETH    USDC  2500.25 2499.5 -            -             -               -            1_750_000_000_500
  `;
  t.strictSame(
    first?.rows.slice(1).map((row) => [row.market, row.symbol, row.mark, row.index]),
    [
      ['1', 'BTC', 104010.5, null],
      ['7', 'PEPE', 0.01121 / 1000, 0.01119 / 1000], // 1000PEPE
    ],
  );
  t.match(second?.rows, [{ market: '0', mark: 2501.25, index: 2500.5, stated: 1_750_000_001_500 }]);
  t.strictSame(second?.dropped, [{ key: '11', code: 'bad_row' }], 'a mark of null');
});

t.test('what is refused', async (t) => {
  const error = { error: { code: 30_003, message: 'Invalid Channel: secret words' } };
  t.throws(() => stream.parse(error, context), { message: 'Lighter error 30003' });
  const type = 'update/market_stats';
  const stats = [undefined, null, [], {}, 'x'].map((market_stats) => ({ type, market_stats }));
  for (const message of [...stats, '', '<html>', null, 7, true, [], {}, { data: [] }]) {
    t.throws(() => stream.parse(message, context), ShapeError);
    t.equal(stream.reply?.(message) ?? null, null);
  }
  t.equal(stream.parse({ type: 'unsubscribed' }, context), null);
  const strange = { type, market_stats: { 99: { market_id: 99, mark_price: '1' } } };
  t.strictSame(stream.parse(strange, context), {
    rows: [],
    dropped: [{ key: '99', code: 'unknown_instrument' }],
  });
});

t.test('a message that is damaged in one place makes no number that is none', async (t) => {
  const isSound = (row: object) =>
    Object.values(row).every((value) => typeof value !== 'number' || Number.isFinite(value));
  const instruments = [...context.instruments.values()];
  const nothing = { other: [], refused: [], events: [] };
  t.strictSame(
    damaged({ stream, isSound }, { instruments, messages: [...messages], ...nothing }),
    [],
  );
});

t.test('the recorded message', { skip: absent }, async (t) => {
  const message = recording('lighter', 'ws-market-stats-all')?.response;
  const parsed = stream.parse(message, context);
  t.strictSame(parsed?.dropped, []);
  t.match(parsed?.rows, [
    { market: '0', symbol: 'ETH', mark: 2064.47, index: 2064.48, stated: 1774883844933 },
  ]);
});

/** Lighter alone, run by the real machinery against the simulator. */
async function stage(t: Test) {
  const clock = new FakeClock(Date.UTC(2026, 7, 14, 13, 37, 21));
  const simulator = await startSimulator({ clock, symbols: 40 });
  const newest = new NewestRows();
  const book = new InstrumentBook(newest);
  const statuses = new Map<string, FeedStatus>();
  const readings: Reading<DerivativeRow>[] = [];
  /** The newest row of every market, as those see it who read both topics. */
  const marks = new Map<string, DerivativeRow>();
  const take = (reading: Reading<DerivativeRow>) => {
    readings.push(reading);
    for (const row of reading.rows)
      marks.set(row.market, { ...row, received: row.received ?? reading.received });
  };
  const store = new MemoryStore(clock);
  const bus = {
    leases: () => store,
    last: async () => new Map(),
    lastOf: async () => undefined,
    query: silentBus.query,
    async publish(topic: string, key: string, value: unknown) {
      if (topic === 'instruments') newest.accept('instruments', value as Reading<Instrument>);
      if (topic === 'derivatives') marks.clear();
      if (topic.startsWith('derivative')) take(value as Reading<DerivativeRow>);
      if (topic === 'status') statuses.set(key, value as FeedStatus);
      return 'published' as const;
    },
  };
  const gateway = simulator.url;
  const client = createHttpClient({ source: 'lighter', apis: lighter.apis, gateway, clock });
  const log = createLogger({ logLevel: 'silent' }, 'test');
  const shared = { bus, book, newest, clock, random: () => 0.5, log, process: 'test' };
  let waiting = 0;
  const counted: HttpClient = {
    state: (api) => client.state(api),
    close: () => client.close(),
    async send(request, options) {
      waiting++;
      return client.send(request, options).finally(() => waiting--);
    },
  };
  const live = { on: () => true };
  const pace = new Pace('auto', () => 0);
  const source = runAlone(lighter, { ...shared, gateway, live, pace, client: () => counted });
  /** Step by step; answers and messages have some time to arrive within theirs, unless they wait for the clock. */
  const pass = async (seconds: number, step = 5) => {
    for (let at = 0; at < seconds; at += step) {
      await clock.advance(step * 1_000);
      for (let i = 0; i === 0 || (i < 10 && waiting > 0); i++) {
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    }
  };
  const passUntil = (condition: () => boolean, what: string) =>
    until(async () => {
      if (!condition()) await pass(1, 1);
      return condition();
    }, what);
  let stopping: Promise<void> | null = null;
  const stop = async () => {
    stopping ??= source.stop();
    await pass(5);
    await stopping;
  };
  t.teardown(async () => {
    await stop();
    await client.close();
    await simulator.close();
  });
  const status = (topic: string) => statuses.get(`lighter/${topic}/all`);
  const rows = () => [...marks.values()];
  const marked = () => rows().length > 0 && rows().every(({ mark }) => mark !== null);
  const rated = () => rows().length > 0 && rows().every((row) => row.funding_rate !== null);
  return { clock, simulator, store, readings, status, rows, marked, rated, pass, passUntil, stop };
}

const host = 'mainnet.zklighter.elliot.ai';

t.test('from the simulator to the bus, mark, index and rate are the truth', async (t) => {
  const { simulator, rows, readings, status, marked, rated, passUntil } = await stage(t);
  await passUntil(() => marked() && rated(), 'every row has mark, index and rate');
  const { model } = simulator;
  t.match(readings.at(-1), { source: 'lighter', part: 'all' });
  for (const row of rows()) {
    const market = model.market('lighter', 'all', row.market, model.now());
    const at = row.stated ?? 0;
    if (!market) throw new Error(`no ${row.market}`);
    t.equal(row.mark, market.round(market.exact(at)) / market.scale, `${row.symbol} mark`);
    t.equal(row.index, market.round(market.index(at)) / market.scale, `${row.symbol} index`);
    const rate = (market.fundingRate(market.fundingTimes(at).next) * 8) / market.fundingHours;
    t.equal(row.funding_rate_8h, rate, `${row.symbol} rate`);
  }
  t.ok(rows().some(({ symbol }) => symbol === 'PEPE') && rows().length > 20);
  for (const topic of ['derivatives', 'derivativeChanges']) {
    t.match(status(topic), { state: 'up', last_error: null, rows: rows().length });
  }
});

t.test('a stalled stream: the marks stay for five minutes, then they are null', async (t) => {
  const { clock, simulator, rows, status, marked, rated, pass, passUntil } = await stage(t);
  await passUntil(() => marked() && rated(), 'all is well');
  simulator.faults.set([{ host, path: '/stream', kind: 'stall' }]);
  const before = clock.now();
  await passUntil(() => status('derivativeChanges')?.state === 'failing', 'its status tells');
  t.match(status('derivativeChanges'), { last_error: { code: 'timeout' } });
  t.equal(status('derivatives')?.state, 'up', 'the rates go on');
  t.ok(clock.now() - before < 120_000, 'within two minutes');
  t.ok(marked(), 'the last marks stay');
  await pass(330 - (clock.now() - before) / 1_000);
  t.ok(rated() && rows().every(({ mark, index }) => mark === null && index === null));
  t.ok(
    rows().every(({ received }) => clock.now() - (received ?? 0) <= 31_000),
    'young rows',
  );
  simulator.faults.clear();
  await passUntil(marked, 'they are back');
  t.equal(status('derivativeChanges')?.state, 'up');
});

t.test('garbage on the stream is counted, and the marks stay', async (t) => {
  const { simulator, status, marked, rated, passUntil } = await stage(t);
  await passUntil(() => marked() && rated(), 'all is well');
  simulator.faults.set([{ host, path: '/stream', kind: 'garbage' }]);
  await passUntil(() => status('derivativeChanges')?.state === 'failing', 'its status tells');
  t.match(status('derivativeChanges'), { last_error: { code: 'shape' } });
  const bad = () => status('priceChanges')?.dropped.bad_message ?? 0;
  await passUntil(() => bad() > 10, 'the first topic of the stream counts them');
  t.ok(marked());
});

t.test('without the requests the marks go on, and a lost lease ends everything', async (t) => {
  const { simulator, store, readings, rows, status, ...more } = await stage(t);
  await more.passUntil(() => more.marked() && more.rated(), 'all is well');
  simulator.faults.set([{ host, path: '/api', kind: 'server_error' }]);
  await more.pass(340);
  t.equal(status('derivatives')?.state, 'failing');
  t.equal(status('derivativeChanges')?.state, 'up');
  t.ok(more.marked());
  const at = more.clock.now();
  t.ok(
    rows().every(({ received }) => at - (received ?? 0) <= 2_000),
    'they are new',
  );
  const { renew, acquire } = store;
  Object.assign(store, { renew: async () => false, acquire: async () => null });
  await more.pass(30);
  const count = readings.length;
  await more.pass(90);
  t.equal(readings.length, count, 'nothing comes once the lease is lost');
  Object.assign(store, { renew, acquire });
  // A market that no poll has brought since the start waits for one.
  simulator.faults.clear();
  await more.passUntil(() => readings.length > count, 'it is regained');
});
