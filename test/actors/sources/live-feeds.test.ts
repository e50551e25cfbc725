/** Streamed rows beside the polls of an exchange, on a real WebSocket, with a clock that is moved by hand. */
import t, { type Test } from 'tap';
import { asRow } from '../../../actors/read.ts';
import { type LiveFeedsOptions, liveFeeds } from '../../../actors/sources/feeds.ts';
import { listRequester } from '../../../actors/sources/instruments.ts';
import { VenueRows } from '../../../actors/sources/market-rows.ts';
import type { LatestStream } from '../../../actors/sources/streams/stream.ts';
import type { Venue } from '../../../actors/sources/venue.ts';
import type { LiveTopic, MarketRows, MarketTopic, Reading } from '../../../actors/topics/index.ts';
import { FakeClock } from '../../support/clock.ts';
import { feedContext, interest, price, rate } from '../../support/feed-stage.ts';
import { streamScene } from '../../support/streaming.ts';
import { until } from '../../support/until.ts';

/** The rows of a message `{"A": {"price": 1}}` that have the field; undefined where none has. */
const reader =
  <Row>(field: string, rowOf: (market: string, value: number) => Row) =>
  (message: unknown) => {
    const rows = Object.entries(asRow(message)).flatMap(([market, fields]) => {
      const value = asRow(fields)[field];
      return value === undefined ? [] : [rowOf(market, Number(value))];
    });
    return rows.length === 0 ? undefined : { rows, dropped: [] };
  };
const readers = {
  prices: reader('price', price),
  derivatives: reader('mark', rate),
  openInterest: reader('interest', interest),
};

/** Messages that were read. */
let read = 0;

/** A stream whose messages hold these topics. */
const stream = <T extends LiveTopic>(most: number | undefined, ...topics: T[]) => {
  const made: LatestStream<T> = {
    ...{ url: 'wss://x.example/stream', silence: 60_000 },
    parse(message) {
      read += 1;
      const found = topics.flatMap((topic) => {
        const rows = readers[topic](message);
        return rows ? [[topic, rows]] : [];
      });
      return found.length === 0 ? null : Object.fromEntries(found);
    },
    ...(most !== undefined && { most }),
    channels: (markets) => [...markets.keys()],
  };
  return made;
};

const linear = stream(1, 'prices', 'derivatives', 'openInterest');
const inverse = stream(undefined, 'derivatives', 'openInterest');
const live: NonNullable<Venue['live']> = {
  prices: { linear, spot: stream(undefined, 'prices') },
  derivatives: { linear, inverse },
  funding: { linear: stream(undefined, 'derivatives') },
  openInterest: { linear, inverse, coin: stream(undefined, 'openInterest') },
};

async function stage(t: Test, begun: string) {
  const { server, clock, supervisor } = await streamScene(t);
  const made = feedContext(clock, server.host);
  const { context, statuses, published, outcomes, list, reading } = made;
  const state = { frozen: false, lost: [] as string[] };
  const rows = new VenueRows('x', context);
  const frozen = (part: string) => state.frozen && part === 'linear';
  const options: Omit<LiveFeedsOptions, 'venue'> = {
    context,
    rows,
    watch: { frozen, observe() {} },
    onLost: (part) => state.lost.push(part),
  };
  const feeds: Venue['feeds'] = {
    instruments: { every: 3_600_000, parts: {} },
    prices: { every: 30_000, parts: {} },
  };
  t.strictSame(liveFeeds({ ...options, venue: { id: 'y', feeds } }), [], 'without streams');
  const actors = liveFeeds({ ...options, venue: { id: 'x', feeds, live } });
  const polled = <T extends MarketTopic>(topic: T, reading: Reading<MarketRows[T]>) => {
    const { asked, received, part } = reading;
    const poll = { rows: reading.rows, dropped: [], asked, received, listed: null };
    return rows.of(topic, part, 30_000).polled(poll);
  };
  const begin = () => {
    const actor = actors.find(({ name }) => name === begun);
    if (!actor) throw new Error(`there is no ${begun}`);
    supervisor.spawn(actor);
  };
  const connected = (...channels: string[]) =>
    until(() => server.peers[0]?.received.length === channels.length, channels.join());
  const send = async (message: object) => {
    const before = read;
    server.peers.at(-1)?.send(JSON.stringify(message));
    await until(() => read > before, 'it is read');
  };
  const at = { clock, server, statuses, published, outcomes, state, context, actors, polled };
  return { ...at, list, reading, begin, connected, send };
}

t.test('an actor for every stream', async (t) => {
  const { actors } = await stage(t, '');
  t.strictSame(
    actors.map(({ name }) => name),
    [
      ...['priceChanges/linear', 'priceChanges/spot', 'derivativeChanges/inverse'],
      ...['openInterestChanges/coin', 'derivativeChanges/linear-funding'],
    ],
  );
});

t.test('one stream of prices, rates and open interest', async (t) => {
  const at = await stage(t, 'priceChanges/linear');
  const { clock, server, statuses, published, state, context, polled, reading, send } = at;
  at.list('linear', 'A', 'B');
  at.begin();
  await clock.advance(1_000);
  t.equal(server.attempts, 0, 'the most traded market is not known');
  context.newest.accept(
    'prices',
    reading('linear', [price('A', 1), { ...price('B', 1), volume: 9 }]),
  );
  await clock.advance(1_000);
  await at.connected('A');
  t.strictSame(server.peers[0]?.received, ['A'], 'the most traded one');
  polled('prices', reading('linear', [price('A', 100)]));
  polled('derivatives', reading('linear', [rate('A', 100)]));
  polled('openInterest', reading('linear', [interest('A', 500)]));
  await clock.advance(1);
  const before = statuses.length;
  await send({ A: { price: 101, mark: 102, interest: 505 } });
  await clock.advance(1_000);
  const lease = { name: 'x', fence: 7 };
  t.match(published, [
    ['priceChanges', 'x/linear', { rows: [{ market: 'A', price: 101 }] }, lease],
    ['derivativeChanges', 'x/linear', { rows: [{ mark: 102 }] }, lease],
    ['openInterestChanges', 'x/linear', { rows: [{ value: 505 }] }, lease],
  ]);
  const told = () => statuses.map(({ topic, part, state }) => `${topic}/${part} ${state}`);
  const others = ['derivativeChanges/linear up', 'openInterestChanges/linear up'];
  t.strictSame(told().slice(before).sort(), [...others, 'priceChanges/linear up']);
  const asked = { ...reading('linear', [price('A', 100.5)]), asked: clock.now() - 1_500 };
  t.match(polled('prices', asked).rows, [{ price: 101 }], 'newer than the poll');

  const later = statuses.length;
  await send({ A: { price: 101.5 } });
  await clock.advance(1_000);
  t.strictSame(
    published.slice(3).map(([topic]) => topic),
    ['priceChanges'],
  );
  t.strictSame(told().slice(later), [], 'nothing is told again so soon');
  await clock.advance(4_000);
  await send({ A: { mark: 103 } });
  await clock.advance(1_000);
  t.match(
    published.slice(4),
    [['derivativeChanges', 'x/linear', { rows: [{ market: 'A', mark: 103 }] }, lease]],
    'a message of another topic than the first',
  );
  const count = read;
  await send({ A: { price: 101.6, mark: 103 } });
  t.equal(read, count + 1, 'a message is read once for all of its topics');
  await clock.advance(1_000);
  t.ok(told().slice(later).includes('derivativeChanges/linear up'));

  published.length = 0;
  state.frozen = true;
  await send({ A: { price: 102, mark: 104 } });
  await clock.advance(1_000);
  t.same(published, [], 'of a part that stands still nothing is published');
  state.frozen = false;
  at.outcomes.derivativeChanges = 'unavailable';
  await send({ A: { price: 102.1, mark: 104.1 } });
  await clock.advance(1_000);
  const failing = ['priceChanges', 'derivativeChanges', 'openInterestChanges'].map(
    (topic) => context.status.row(topic, 'linear').values,
  );
  for (const { topic, state, last_error } of failing) {
    const message = 'Redis did not take the reading';
    t.match({ topic, state, last_error }, { state: 'failing', last_error: { message } });
  }
  const polledBefore = { ...reading('linear', [rate('A', 103.9)]), asked: clock.now() - 1_500 };
  t.match(polled('derivatives', polledBefore).rows, [{ mark: 104.1 }], 'it is in the next poll');
  server.peers[0]?.reset();
  await until(() => state.lost.length > 0, 'the loss is told');
  t.strictSame(state.lost, ['linear']);
});

t.test('rates and open interest are of perpetuals alone', async (t) => {
  const at = await stage(t, 'derivativeChanges/inverse');
  at.list('inverse', 'A', 'S');
  at.begin();
  await at.connected('A');
  t.strictSame(at.server.peers[0]?.received, ['A']);
  const { polled, reading, clock, published } = at;
  polled('derivatives', reading('inverse', [rate('A', 100)]));
  polled('openInterest', reading('inverse', [interest('A', 500)]));
  await clock.advance(1);
  await at.send({ A: { mark: 101, interest: 502 } });
  await clock.advance(1_000);
  t.strictSame(
    published.map(([topic, key]) => [topic, key]),
    [
      ['derivativeChanges', 'x/inverse'],
      ['openInterestChanges', 'x/inverse'],
    ],
  );
});

t.test('prices cover all markets; a stream of funding has a status of its own', async (t) => {
  const at = await stage(t, 'priceChanges/spot');
  at.list('spot', 'A', 'S');
  at.begin();
  await at.connected('A', 'S');
  t.strictSame(at.server.peers[0]?.received, ['A', 'S']);
  const own = await stage(t, 'derivativeChanges/linear-funding');
  own.list('linear', 'A');
  own.begin();
  await own.connected('A');
  own.polled('derivatives', own.reading('linear', [rate('A', 100)]));
  await own.clock.advance(1);
  await own.send({ A: { mark: 101, interest: 505 } });
  await own.clock.advance(1_000);
  t.strictSame(
    own.published.map(([topic, key]) => [topic, key]),
    [['derivativeChanges', 'x/linear']],
  );
  t.match(own.statuses.at(-1), { topic: 'derivativeChanges', part: 'linear-funding' });
});

t.test('lists are asked for every five seconds at most, for each source', async (t) => {
  const clock = new FakeClock();
  const start = clock.now();
  const asked: unknown[] = [];
  const publish = async (topic: string, key: string, value: object) => {
    asked.push([topic, key, value]);
    return 'published' as const;
  };
  const request = listRequester({ publish } as never, clock);
  request('a');
  request('b');
  await clock.advance(4_999);
  request('a');
  await clock.advance(1);
  request('a');
  t.strictSame(asked, [
    ['listRequests', 'a', { source: 'a', at: start }],
    ['listRequests', 'b', { source: 'b', at: start }],
    ['listRequests', 'a', { source: 'a', at: start + 5_000 }],
  ]);
});
