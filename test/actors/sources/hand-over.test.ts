/** A source that goes from one process to another while its upstream sends without pause: nothing is missing afterwards. */
import t, { type Test } from 'tap';
import { success } from '../../../actors/failure.ts';
import { heardOf } from '../../../actors/history/liquidation-rows.ts';
import { isRecord } from '../../../actors/read.ts';
import { LiveBooks } from '../../../actors/sources/books/live-books.ts';
import { InstrumentBook } from '../../../actors/sources/instruments.ts';
import { type RunnableSource, runSource } from '../../../actors/sources/runner.ts';
import { NewestRows } from '../../../actors/state/newest-rows.ts';
import type { Liquidations, Reading, RecordRow, Topic } from '../../../actors/topics/index.ts';
import { createLogger } from '../../../config/log.ts';
import { Pace } from '../../../config/pace.ts';
import { FakeClock, settle } from '../../support/clock.ts';
import { price } from '../../support/feed-stage.ts';
import { MemoryStore } from '../../support/lease-store.ts';
import { until } from '../../support/until.ts';
import { startWebSocketServer } from '../../support/websocket-server.ts';
import { listed } from '../venues/stream-suite.ts';

const minute = 60_000;
/** Twenty seconds before a minute is full. */
const start = 1_750_000_020_000 + 40_000;
/** Between two messages of each stream, ms. */
const pause = 250;
const markets = listed([{ market: 'A', symbol: 'A' }]);
const levels = { bids: [100, 1], asks: [101, 1] };

interface Entry {
  process: string;
  at: number;
  topic: Topic;
  value: object;
}

/** The upstream, and what processes share. */
async function world(t: Test) {
  const clock = new FakeClock(start);
  const server = await startWebSocketServer();
  const store = new MemoryStore(clock);
  const published: Entry[] = [];
  const recorded: RecordRow[] = [];
  const last = new Map<string, object>();
  let newestFence = 0;
  let read = 0;
  const leases = () => ({
    acquire: async (...args: Parameters<MemoryStore['acquire']>) => {
      const fence = await store.acquire(...args);
      newestFence = Math.max(newestFence, fence ?? 0);
      return fence;
    },
    renew: store.renew.bind(store),
    release: store.release.bind(store),
    standBy: store.standBy.bind(store),
    look: store.look.bind(store),
  });
  const place = (path: string) => ({ url: `wss://x.example/${path}`, silence: 30 * minute });
  const channels = () => ['all'];
  /** One number, counted as read. */
  const numberIn = (message: unknown): number | null => {
    read += 1;
    return isRecord(message) ? Number(message.n) : null;
  };
  const source = (live: LiveBooks): RunnableSource => ({
    id: 'x',
    feeds: {
      instruments: {
        every: 3_600_000,
        parts: {
          all: {
            requests: () => [{ api: 'rest', path: '/list' }],
            parse: () => ({ instruments: { rows: [...markets.values()], dropped: [] } }),
          },
        },
      },
      prices: {
        every: 10_000,
        parts: {
          all: {
            requests: () => [{ api: 'rest', path: '/prices' }],
            parse: () => ({ prices: { rows: [price('A', 100)], dropped: [] } }),
          },
        },
      },
    },
    live: {
      prices: {
        all: {
          ...place('prices'),
          channels,
          parse(message) {
            const n = numberIn(message);
            return n === null
              ? null
              : { prices: { rows: [price('A', 100 + n / 1_000)], dropped: [] } };
          },
        },
      },
    },
    events: {
      liquidations: {
        all: {
          ...place('events'),
          channels,
          keyOf: ({ id }) => `${id}`,
          parse(message, { received: timestamp }) {
            const id = numberIn(message);
            if (id === null) return null;
            const event = {
              id: `${id}`,
              contract: 'A',
              symbol: 'A',
              side: 'long',
              timestamp,
            } as const;
            const rest = { price: 1, price_kind: 'order', quantity_base: 1, value_usd: 1 } as const;
            return { rows: [{ ...event, ...rest }], dropped: [] };
          },
        },
      },
    },
    books: {
      all: {
        ...{ ...place('books'), rule: 'counted', most: 50, window: false },
        channels: (markets) => [...markets.keys()].map((market) => `+${market}`),
        unsubscribe: (markets) => [...markets.keys()].map((market) => `-${market}`),
        parse(message) {
          const last = numberIn(message);
          if (last === null) return null;
          const update = { market: 'A', kind: 'update' as const, stated: null, first: last, last };
          return { updates: [{ ...update, ...levels }] };
        },
        snapshot: {
          request: () => ({ api: 'rest', path: '/book' }),
          parse: () => ({ ...levels, last: sent, stated: null, limited: false }),
        },
      },
    },
    trades: {
      all: {
        ...place('trades'),
        channels: (all) => [...all.keys()],
        parse(message, { received: timestamp }) {
          const id = numberIn(message);
          if (id === null) return null;
          const trade = { market: 'A', id, price: 100, quantity: 1, bought: true, timestamp };
          return { rows: [trade], dropped: [] };
        },
      },
    },
    serve() {
      serving.add(live);
      return { ready: Promise.resolve(), stop: async () => void serving.delete(live) };
    },
  });
  /** The books of the processes that answer questions. */
  const serving = new Set<LiveBooks>();
  /** The number that was sent last on each stream. */
  let sent = 0;
  const newest = new NewestRows();
  const run = (process: string) => {
    const live = new LiveBooks();
    const tracked = () => markets;
    const running = runSource(source(live), {
      ...{ clock, random: () => 0.5, process, newest, book: new InstrumentBook(newest) },
      gateway: `http://${server.host}`,
      pace: new Pace('auto', () => 0),
      log: createLogger({ logLevel: 'silent' }, 'test'),
      live: { on: () => true },
      books: { tracked, live },
      trades: { tracked },
      client: () => ({
        send: async () => success({ body: {}, asked: clock.now(), received: clock.now() }),
        state: () => ({ breaker: 'closed', pausedUntil: null, host: '' }),
      }),
      bus: {
        leases,
        last: async () => new Map(),
        lastOf: async (topic: Topic, key: string) => last.get(`${topic}/${key}`) as never,
        async publish(topic: Topic, key: string, value: object, lease?: { fence: number }) {
          if ((lease?.fence ?? 0) < newestFence) return 'refused';
          published.push({ process, at: clock.now(), topic, value });
          last.set(`${topic}/${key}`, value);
          if (topic === 'prices' || topic === 'instruments')
            newest.accept(topic, value as Reading<never>);
          return 'published';
        },
        async query({ params }: { params: { series: string; rows: RecordRow[] } }) {
          if (params.series === 'footprint') recorded.push(...params.rows);
          return success({ value: null as never, received: 0, until: 0 });
        },
      } as never,
    });
    return running;
  };
  const hasBook = () => [...serving].some((live) => live.read('x', 'all', 'A') !== null);
  /** How often no process could answer a question for the order book. */
  let bookless = 0;
  /** Time goes on, then each stream has a message for everybody who is connected. */
  const step = async () => {
    for (let part = 0; part < 10; part++) {
      await clock.advance(pause / 10);
      if (!hasBook()) bookless += 1;
    }
    sent += 1;
    const peers = server.peers.filter((peer) => peer.open && peer.received.length > 0);
    const before = read;
    for (const peer of peers) peer.send(JSON.stringify({ n: sent }));
    await until(
      () => read - before >= peers.filter(({ open }) => open).length,
      'the messages are read',
    );
    await settle();
  };
  const running: ReturnType<typeof run>[] = [];
  t.teardown(async () => {
    const stopped = running.map((one) => one.stop());
    for (let at = 0; at < 100; at++) await clock.advance(100);
    await Promise.all(stopped);
    await server.stop();
  });
  const begin = (process: string) => {
    const one = run(process);
    running.push(one);
    return one;
  };
  const entries = (topic: Topic, process?: string) =>
    published.filter((one) => one.topic === topic && one.process === (process ?? one.process));
  const counts = () => ({ sent, bookless });
  /** Whether a process is ready to go on for the holder. */
  const isReady = async () => (await store.look(['x'])).some((one) => one.isReady);
  return { clock, step, begin, entries, published, recorded, hasBook, counts, isReady };
}

/** How long the stream counts as received, ms, by the start of the minute, as the history counts it. */
function received(entries: readonly Entry[]): Map<number, number> {
  const log = entries.map(({ value }, at) => ({
    entry: value as Liquidations,
    at: { id: `${at}-0`, seq: at + 1 },
    afterGap: false,
  }));
  const [write] = heardOf(log, null).writes;
  return new Map(write?.rows.map(({ time, cells }) => [time, cells[0] ?? 0]));
}

t.test('a planned hand-over leaves no hole', async (t) => {
  const { clock, step, begin, entries, published, recorded, hasBook, counts, isReady } =
    await world(t);
  const a = begin('a');
  void a.attempt();
  // Into the third minute.
  for (let at = 0; at < 400; at++) await step();
  t.ok(hasBook());
  const b = begin('b');
  const taken = b.takeOver();
  let isHanding = false;
  const { bookless } = counts();
  const moved = clock.now();
  for (let at = 0; at < 520; at++) {
    if (!isHanding && (await isReady())) {
      isHanding = true;
      t.strictSame(entries('prices', 'b'), [], 'who stands by publishes nothing');
      void a.handOver();
    }
    await step();
  }
  t.equal(await taken, true);
  t.strictSame([a.isHeld, b.isHeld], [false, true]);
  t.equal(counts().bookless, bookless, 'the order book was there at any time');

  const last = entries('priceChanges', 'a').at(-1)?.at ?? 0;
  t.ok(last >= moved, 'the first process published until it was asked to end');
  const times = entries('priceChanges').map(({ at }) => at);
  const pauses = times.slice(1).map((at, i) => at - (times[i] ?? 0));
  t.ok(Math.max(...pauses) <= 1_000, `prices pause for ${Math.max(...pauses)} ms at most`);
  const first = published.findIndex(({ process }) => process === 'b');
  t.ok(
    published.slice(first).every(({ process }) => process === 'b'),
    'one publishes after the other',
  );

  const events = entries('liquidations').flatMap(({ value }) =>
    (value as Liquidations).events.map(({ id }) => Number(id)),
  );
  const known = [...new Set(events)].sort((one, other) => one - other);
  const [least = 0] = known;
  t.ok(counts().sent - known.length - least < 10, 'the last second may still be on its way');
  t.equal(known.length, (known.at(-1) ?? 0) - least + 1, 'every event is there');
  const minutes = [...received(entries('liquidations'))].slice(1, -1);
  t.ok(minutes.length >= 2, `${minutes.length} whole minutes`);
  t.strictSame(new Set(minutes.map(([, ms]) => ms)), new Set([minute]), 'each was received whole');

  const stored = new Map(recorded.map((row) => [row.time, row]));
  const from = Math.min(...stored.keys());
  const closed = Math.floor((clock.now() - 7_000) / minute) * minute - minute;
  for (let time = from; time <= closed; time += minute)
    t.match(
      stored.get(time),
      { values: { buy_base_0: minute / pause } },
      'a minute has all of its trades',
    );
  t.ok(closed - from >= 2 * minute, 'before, during and after');
});

t.test('the first process keeps what it has when the one that stands by gives up', async (t) => {
  const { step, begin, entries } = await world(t);
  const a = begin('a');
  void a.attempt();
  for (let at = 0; at < 40; at++) await step();
  const b = begin('b');
  const taken = b.takeOver();
  for (let at = 0; at < 80; at++) await step();
  t.strictSame([a.isHeld, b.isHeld], [true, false]);
  const ended = b.stop();
  for (let at = 0; at < 20; at++) await step();
  await ended;
  t.equal(await taken, false);
  t.equal(entries('priceChanges', 'b').length, 0);
  t.ok(a.isHeld);
});
