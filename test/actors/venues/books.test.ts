/** Order books that are kept: recorded sessions, and streams of the simulator with messages that are lost or damaged. */
import t from 'tap';
import { BookSet } from '../../../actors/sources/book-set.ts';
import { LiveBooks } from '../../../actors/sources/live-books.ts';
import type { BookStream } from '../../../actors/sources/stream.ts';
import type { Venue } from '../../../actors/sources/venue.ts';
import type { Instrument } from '../../../actors/topics/index.ts';
import { messageOf } from '../../../actors/upstream/frames.ts';
import { type VenueId, venues } from '../../../actors/venues/registry.ts';
import type { BookSnapshot } from '../../../indicators/order-book/followed-book.ts';
import { bookOf } from '../../../scripts/simulator/book.ts';
import { plain } from '../../../scripts/simulator/format.ts';
import type { Market } from '../../../scripts/simulator/market.ts';
import { Model } from '../../../scripts/simulator/model.ts';
import { venues as simulated } from '../../../scripts/simulator/registry.ts';
import type { SimulatedVenue } from '../../../scripts/simulator/venue.ts';
import { noSessions, sessionOf } from '../../support/book-sessions.ts';
import { absent, recording } from '../../support/recordings.ts';
import { depthBody, readers, SlowBooks } from '../../support/slow-books.ts';

const instrumentOf = (market: string): Instrument => ({
  ...{ market, kind: 'spot', symbol: market, quote: 'USD', scale: 1 },
  ...{ contract: 1, inverse: false, funding_hours: null },
});

const streamOf = (venue: VenueId, part: string): BookStream => {
  const all: Readonly<Record<string, Venue>> = venues;
  const stream = all[venue]?.books?.[part];
  if (stream === undefined) throw new Error(`${venue} has no books of ${part}`);
  return stream;
};

/** Lets promises settle. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

/** The sessions: venue, part, number of the session, and the least number of books that are live at its end. */
const sessions = [
  ['binance', 'spot', 0, 1],
  ['binance', 'linear', 1, 2],
  ['bybit', 'linear', 0, 2],
  ['okx', 'spot', 0, 2],
  ['bitget', 'spot', 0, 4],
  ['deribit', 'linear', 0, 1],
  ['coinbase', 'spot', 0, 2],
  ['gate', 'spot', 0, 3],
  ['gate', 'usdt', 1, 3],
  ['kraken', 'futures', 1, 3],
  ['kucoin', 'spot', 0, 3],
  ['bitfinex', 'all', 0, 3],
  ['cryptocom', 'all', 0, 3],
  ['htx', 'linear', 0, 3],
  ['htx', 'linear', 1, 3],
] as const;

/** Recorded frames: venue, part, name of the recording, and what is read of it: number of bids and asks, last change. */
const frames = [
  ['htx', 'spot', 'ws-spot-mbp-delta', 11, 6, 109_409_288_160],
  ['htx', 'spot', 'ws-spot-mbp-snapshot', 4, 9, 109_409_288_160],
  ['htx', 'linear', 'ws-perp-linear-book-snapshot', 3, 3, 1_789_895_280_797],
  ['htx', 'linear', 'ws-perp-linear-book-update', 2, 0, 1_789_895_280_798],
  ['kucoin', 'futures', 'ws-uta-perp-book-delta', 2, 0, 1_747_821_262_585],
  ['kucoin', 'futures', 'ws-uta-perp-book-snapshot', 2, 2, 1_736_604_716_203],
  ['kraken', 'futures', 'ws-futures-book-delta', 0, 1, 26_660_860],
  ['kraken', 'futures', 'ws-futures-book-snapshot', 5, 5, 3_423_035],
  ['cryptocom', 'all', 'ws-book-idle', 0, 0, 369_501_268_112_000],
  ['cryptocom', 'all', 'ws-book-snapshot', 3, 3, 375_554_806_244_928],
  ['cryptocom', 'all', 'ws-book-update', 2, 2, 375_554_807_336_512],
  ['hyperliquid', 'perp', 'ws-l2-book', 3, 3, undefined],
  ['aster', 'linear', 'ws-perp-depth', 1, 1, 156_391_349_814],
  ['mexc', 'contracts', 'ws-perp-book-delta', 1, 1, 1_111_084_807],
  ['lighter', 'all', 'ws-order-book-subscribed', 3, 3, 10_382_292_136],
  ['lighter', 'all', 'ws-order-book-update', 3, 3, 10_382_292_188],
  ['whitebit', 'futures', 'ws-depth-snapshot', 3, 3, 21_244_231_142],
  ['whitebit', 'futures', 'ws-depth-update', 4, 0, 21_244_231_356],
  ['backpack', 'all', 'ws-depth-200ms', 3, 3, 7_501_116_464],
  ['dydx', 'perp', 'ws-orderbook-subscribed', 1, 1, 1],
  ['dydx', 'perp', 'ws-orderbook-update', 1, 0, 5_814],
  ['bingx', 'spot', 'ws-spot-book', 3, 3, 13_565_694_850],
] as const;

/** Plays a session to our books and to slow ones. */
async function played(venue: VenueId, part: string, session: number) {
  const events = sessionOf(venue, session);
  const read = readers[venue] ?? (() => []);
  const stream = streamOf(venue, part);
  const [slow, live] = [new SlowBooks(), new LiveBooks()];
  const bodies = new Map<string, PromiseWithResolvers<unknown>>();
  const bodyOf = (market: string) => {
    const known = bodies.get(market) ?? Promise.withResolvers<unknown>();
    bodies.set(market, known);
    return known;
  };
  const ask = async (market: string): Promise<BookSnapshot | null> =>
    stream.snapshot?.parse(await bodyOf(market).promise) ?? null;
  const set = new BookSet({ source: venue, part, stream, live, ask });
  const names = events.flatMap((event) =>
    event.type === 'frame' ? read(JSON.parse(event.text)).map(({ market }) => market) : [],
  );
  const markets = [...new Set(names)];
  set.want(new Map(markets.map((name) => [name, instrumentOf(name)])), 0);
  const peers = new Map<string, { send(): void }>();
  for (const [at, event] of events.entries()) {
    if (event.type === 'body') {
      bodyOf(event.market).resolve(event.body);
      if (stream.snapshot) slow.take(depthBody(event.body, event.market));
    } else {
      const peer = peers.get(event.conn) ?? { send: () => {} };
      peers.set(event.conn, peer);
      const message = messageOf(event.text);
      set.take(message, peer, at);
      for (const said of read(message)) slow.take(said);
      set.tick(at);
    }
    await settled();
  }
  const wrong = markets.filter((market) => {
    const view = live.read(venue, part, market);
    if (view === null) return false;
    const { bids, asks } = view.levels(10_000);
    const flat = [bids, asks].map((side) => side.flatMap((one) => [one.price, one.quantity]));
    const own = slow.of(market);
    const truth = [own?.top('bids', bids.length), own?.top('asks', asks.length)];
    return JSON.stringify(flat) !== JSON.stringify(truth);
  });
  return { set, wrong };
}

t.test('recorded sessions: the book at the end is a slow one', { skip: noSessions }, async (t) => {
  for (const [venue, part, session, least] of sessions) {
    const { set, wrong } = await played(venue, part, session);
    t.ok(set.live >= least, `${venue} ${part}: ${set.live} live, ${JSON.stringify(set.dropped)}`);
    t.strictSame([venue, part, wrong], [venue, part, []]);
  }
});

t.test('recorded frames', { skip: absent }, async (t) => {
  for (const [venue, part, name, bids, asks, last] of frames) {
    const found = recording(venue, name)?.response;
    const update = streamOf(venue, part).parse(found, new Map(), {})?.updates[0];
    const read = [update?.bids.length, update?.asks.length, update?.last];
    t.strictSame([name, ...read], [name, 2 * bids, 2 * asks, last]);
  }
});

/** What happens to the messages of a second. */
type Fault = 'none' | 'lost' | 'repeated' | 'late' | 'cut' | 'bad_checksum';

const rowsOf = (market: Market, now: number, depth: number) => {
  const { bids, asks } = bookOf(market, now, depth);
  const rows = (side: typeof bids) =>
    side.map(({ price, quantity }) => [
      plain(price, market.decimals),
      plain(quantity, Math.max(0, market.lot)),
    ]);
  return { bids: rows(bids), asks: rows(asks) };
};

const start = 1_800_000_000_000;

/** A stream with the path of its address. */
interface Staged {
  venue: VenueId;
  part: string;
  path: string;
  /** Seconds between two messages; levels that the simulator tells of. */
  every?: number;
  depth?: number;
}

/** One book of a simulated venue; `step` tells it of one more second. */
function stage({ venue, part, path, every = 1, depth = 40 }: Staged) {
  let now = start;
  const clock = { now: () => now };
  const all: Readonly<Record<string, SimulatedVenue>> = simulated;
  const found = all[venue];
  if (!found) throw new Error(`${venue} is not simulated`);
  const { channels, hosts, markets, reply, route, ...others } = found;
  if (!channels) throw new Error(`${venue} has no channels`);
  const model = new Model({ seed: 7, symbols: 8, clock, venues: [{ ...others, markets }] });
  const stream = streamOf(venue, part);
  const { host } = new URL(stream.url);
  const kind = ['spot'].includes(part) ? 'spot' : 'perpetual';
  const market = model
    .markets(venue, now)
    .find((one) => one.kind === kind && one.symbol === 'BTC' && !one.inverse);
  if (!market) throw new Error(`${venue} has no market`);
  const decimals = { price: market.decimals, quantity: Math.max(0, market.lot) };
  const { quote } = market;
  const instrument = { ...instrumentOf(market.id), symbol: 'BTC', quote, decimals };
  const live = new LiveBooks();
  const ask = async (name: string): Promise<BookSnapshot | null> => {
    const request = stream.snapshot?.request(name);
    if (!request) return null;
    const query = new URLSearchParams();
    for (const [key, value] of Object.entries(request.query ?? {})) query.set(key, `${value}`);
    const { path: of } = request;
    const asked = { method: 'GET', path: of, query, body: '', now, model };
    const body = JSON.parse(JSON.stringify(route(of)?.answer(asked)));
    return stream.snapshot?.parse(body) ?? null;
  };
  const set = new BookSet({ source: venue, part, stream, live, ask });
  const subscribed = new Set<string>();
  let count = 0;
  const held: string[] = [];
  const texts = (first: boolean): string[] =>
    channels
      .messages(subscribed, { now, model, first })
      .map((message) => JSON.stringify(channels.numbered?.(message, count++) ?? message));
  let acknowledged = 0;
  const give = (messages: readonly string[]) => {
    for (const one of messages) {
      acknowledged += stream.acknowledges?.(messageOf(one)) ?? 0;
      set.take(messageOf(one), peer, now);
    }
  };
  const peer = {
    send(frame: string) {
      give(reply?.(frame) ?? []);
      for (const one of channels.ended?.(frame, { host, path }) ?? []) subscribed.delete(one);
      const named = channels.named(frame, { host, path });
      for (const one of named) subscribed.add(one);
      if (named.length > 0) give(texts(true));
    },
  };
  set.want(new Map([[market.id, instrument]]), now);
  for (const frame of [...(stream.opening ?? []), stream.subscribe(instrument)]) peer.send(frame);
  const told: Readonly<Record<Fault, (messages: string[]) => void>> = {
    none: (messages) => give([...messages, ...held.splice(0)]),
    lost: () => {},
    repeated: (messages) => give([...messages, ...messages]),
    late: (messages) => {
      held.push(...messages);
    },
    cut: (messages) => give(messages.map((one) => one.slice(0, one.length / 2))),
    bad_checksum: (messages) =>
      give(messages.map((one) => one.replace(/"checksum":|"cs",-?/, '$&1'))),
  };
  /** Null where there is no book, else whether it is right. */
  const isRight = (): boolean | null => {
    const view = live.read(venue, part, market.id);
    if (view === null) return null;
    const { bids, asks } = view.levels(depth);
    const truth = rowsOf(market, now - (now % (every * 1_000)), depth);
    const same = (levels: typeof bids, rows: string[][]) =>
      JSON.stringify(levels.map(({ price, quantity }) => [price, quantity])) ===
      JSON.stringify(rows.map((row) => row.map(Number)));
    return same(bids, truth.bids) && same(asks, truth.asks);
  };
  return {
    set,
    every,
    isRight,
    acknowledged: () => acknowledged,
    async step(fault: Fault) {
      now += 1_000;
      told[fault](texts(false));
      set.tick(now);
      await settled();
    },
  };
}

/** Every stream. */
const streams: readonly Staged[] = [
  { venue: 'binance', part: 'spot', path: '/ws', every: 5 },
  { venue: 'binance', part: 'linear', path: '/public/ws', every: 5 },
  { venue: 'okx', part: 'spot', path: '/ws/v5/public' },
  { venue: 'bybit', part: 'linear', path: '/v5/public/linear' },
  { venue: 'bitget', part: 'spot', path: '/v3/ws/public' },
  { venue: 'gate', part: 'usdt', path: '/v4/ws/usdt' },
  { venue: 'deribit', part: 'spot', path: '/ws/api/v2' },
  { venue: 'coinbase', part: 'spot', path: '/' },
  { venue: 'kraken', part: 'spot', path: '/v2' },
  { venue: 'kraken', part: 'futures', path: '/ws/v1', every: 4, depth: 10 },
  { venue: 'htx', part: 'spot', path: '/feed', every: 2 },
  { venue: 'htx', part: 'linear', path: '/linear-swap-ws', every: 2 },
  { venue: 'kucoin', part: 'futures', path: '/', every: 5 },
  { venue: 'cryptocom', part: 'all', path: '/exchange/v1/market', every: 2 },
  { venue: 'bitfinex', part: 'all', path: '/ws/2', every: 4, depth: 25 },
  { venue: 'hyperliquid', part: 'perp', path: '/ws', every: 5, depth: 20 },
  { venue: 'aster', part: 'linear', path: '/ws', every: 5 },
  { venue: 'mexc', part: 'contracts', path: '/edge', every: 5 },
  { venue: 'lighter', part: 'all', path: '/stream', every: 2 },
  { venue: 'whitebit', part: 'futures', path: '/ws', every: 2 },
  { venue: 'backpack', part: 'all', path: '/', every: 5 },
  { venue: 'bitstamp', part: 'markets', path: '/', every: 4 },
  { venue: 'dydx', part: 'perp', path: '/v4/ws', every: 2 },
  { venue: 'bingx', part: 'linear', path: '/swap-market', every: 4 },
];

/** Each fault lasts five seconds; they are far enough apart for a new snapshot. */
const script = (['lost', 'repeated', 'late', 'cut', 'bad_checksum'] as const).flatMap(
  (fault): Fault[] => Array.from({ length: 80 }, (_, at): Fault => (at < 5 ? fault : 'none')),
);

for (const one of streams) {
  t.test(
    `${one.venue} ${one.part}: lost, repeated, late and damaged messages end in a right book or in none`,
    async (t) => {
      const { set, every, isRight, step, acknowledged } = stage(one);
      let calm = 6;
      const seen: (boolean | null)[] = [];
      const { rule, acknowledges } = streamOf(one.venue, one.part);
      for (let i = 0; i < 6; i++) await step('none');
      t.equal(acknowledged(), acknowledges ? 1 : 0, 'its only subscription, no data');
      for (const fault of script) {
        await step(fault);
        calm = fault === 'none' ? calm + 1 : 0;
        // Only the next message shows that one is missing.
        if (calm >= every || fault === 'repeated') seen.push(isRight());
      }
      t.equal(seen.filter((right) => right === false).length, 0, 'no wrong book is served');
      t.equal(seen.at(-1), true, 'and there is one at the end');
      t.ok(seen.filter((right) => right).length > 300, 'and most of the time');
      const { bad_message, ...breaks } = set.dropped;
      t.equal(Object.keys(breaks).length > 0, rule !== 'whole', JSON.stringify(set.dropped));
    },
  );
}

/** A message of Bybit. */
const frame = (market: string, type: string, u: number) => ({
  ...{ topic: `orderbook.200.${market}`, type, ts: start, cts: start },
  data: { s: market, b: [['1', '1']], a: [['2', '1']], u, seq: u },
});

t.test(
  'many broken books are asked for again slowly, and more slowly while the process runs behind',
  async (t) => {
    const stream = streamOf('bybit', 'linear');
    const live = new LiveBooks();
    const markets = Array.from({ length: 30 }, (_, i) => `C${i}USDT`);
    let now = start;
    let asked = 0;
    const sets = Array.from({ length: 20 }, (_, at) => {
      const set = new BookSet({ source: `${at}`, part: '', stream, live, ask: async () => null });
      const peer = {
        send(text: string) {
          const market = /"subscribe".*orderbook\.200\.(\w+)/.exec(text)?.[1];
          if (market === undefined) return;
          asked++;
          set.take(frame(market, 'snapshot', 5), peer, now);
        },
      };
      set.want(new Map(markets.map((market) => [market, instrumentOf(market)])), now);
      for (const market of markets) set.take(frame(market, 'snapshot', 5), peer, now);
      const tear = () => {
        for (const market of markets) set.take(frame(market, 'delta', 9), peer, now);
      };
      return { set, tear };
    });
    const liveBooks = () => sets.reduce((sum, { set }) => sum + set.live, 0);
    const seconds = (count: number): number => {
      const before = asked;
      for (const end = now + count * 1_000; now < end; now += 250)
        for (const { set } of sets) set.tick(now);
      return asked - before;
    };
    seconds(6);
    for (const { tear } of sets) tear();
    t.equal(liveBooks(), 0);
    const usual = seconds(10);
    t.ok(usual > 150 && usual <= 200, `${usual} in ten seconds`);
    seconds(25);
    t.equal(liveBooks(), 600, 'all of them in the end');
    t.strictSame(sets[0]?.set.dropped, { gap: 30 });
    for (const { tear } of sets) tear();
    now += 70_000;
    const behind = seconds(10);
    t.ok(behind > 5 && behind <= 21, `${behind} in the ten seconds after the process was late`);
    t.strictSame(sets[0]?.set.dropped, { gap: 60, late: 1 });
    seconds(32);
    t.equal(liveBooks(), 600);
  },
);

t.test(
  'a process that was late drops no book as silent before it has read what came',
  async (t) => {
    const stream = streamOf('bybit', 'linear');
    const live = new LiveBooks();
    const set = new BookSet({ source: '', part: '', stream, live, ask: async () => null });
    const [peer, market] = [{ send: () => {} }, 'BTCUSDT'];
    set.want(new Map([[market, instrumentOf(market)]]), start);
    set.take(frame(market, 'snapshot', 5), peer, start);
    set.tick(start);
    set.tick(start + 90_000);
    t.equal(set.live, 1);
    for (let at = 91_000; at <= 151_000; at += 1_000) set.tick(start + at);
    t.strictSame([set.live, set.dropped], [0, { late: 1, silent: 1 }]);
  },
);
