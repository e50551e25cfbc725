/** Order books that are kept: recorded sessions, and many broken ones; `suite/books.ts` has the faults of each stream. */
import t from 'tap';
import { messageOf, wideMessageOf } from '../../../actors/read.ts';
import { BookSet } from '../../../actors/sources/books/book-set.ts';
import { LiveBooks } from '../../../actors/sources/books/live-books.ts';
import { Counter } from '../../../actors/sources/status/status.ts';
import type { BookStream } from '../../../actors/sources/streams/stream.ts';
import type { Venue } from '../../../actors/sources/venue.ts';
import type { Instrument } from '../../../actors/topics/index.ts';
import { isPlainPath } from '../../../actors/upstream/gateway.ts';
import { changes, marketsByName, numberOf, refused } from '../../../actors/venues/books.ts';
import { type VenueId, venues } from '../../../actors/venues/registry.ts';
import type { BookSnapshot } from '../../../indicators/order-book/followed-book.ts';
import { bookReader } from '../../support/book-reader.ts';
import { noSessions, sessionOf } from '../../support/book-sessions.ts';
import { instrument } from '../../support/makers.ts';
import { absent, recording } from '../../support/recordings.ts';
import { depthBody, readers, SlowBooks } from '../../support/slow-books.ts';
import { withBehind } from './suite/addresses.ts';

const instrumentOf = (market: string) =>
  instrument({ market, kind: 'spot', symbol: market, quote: 'USD' });

/** The context of a message that needs none. */
const nothing = { received: 0, instruments: new Map() };

const streamOf = (venue: VenueId, part: string): BookStream => {
  const all: Readonly<Record<string, Venue>> = venues;
  const stream = withBehind(all[venue]?.books)[part];
  if (stream === undefined) throw new Error(`${venue} has no books of ${part}`);
  return stream;
};

/** Lets promises settle. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

t.test('levels of a message: all of them, or none', async (t) => {
  t.strictSame(
    changes([
      ['2', '0'],
      [0.5, 3],
    ]),
    [2, 0, 0.5, 3],
  );
  t.strictSame(changes([]), []);
  t.strictSame(changes([['2', '1']], { price: 0, quantity: 1 }), [2, 1]);
  const named = { price: 'p', quantity: 'q' };
  t.strictSame(changes([{ p: '2', q: '1' }], named), [2, 1]);
  const four = { price: 0, quantity: 3, columns: 4 };
  t.strictSame(changes([['2', 'x', 'y', '1']], four), [2, 1]);
  for (const row of [['0', '1'], ['-1', '1'], ['1', '-1'], ['', '1'], ['1', ''], ['1'], null, 'x'])
    t.throws(() => changes([['1', '1'], row]), { name: 'ShapeError' }, JSON.stringify(row));
  t.throws(() => changes([['2', 'x', '1']], four), { name: 'ShapeError' });
  t.throws(() => changes({}), { name: 'ShapeError' });
});

t.test('numbers of changes are whole and exact', async (t) => {
  const largest = 2 ** 53 - 1;
  for (const value of [0, -1, '17', largest, -largest])
    t.equal(numberOf(value, 'u'), Number(value), `${value}`);
  for (const value of [largest + 1, -largest - 1, 1.5, '', null, 'x'])
    t.throws(() => numberOf(value, 'u'), { message: 'u: no whole number' }, `${value}`);
  t.equal(refused('too many').message, 'refused: too many');
});

t.test('HTX: a side that is absent or null has not changed', async (t) => {
  const spot = { seqNum: 12, prevSeqNum: 11, bids: [[99, 1]] };
  const swap = { bids: null, asks: [[101, 3]], event: 'update', version: 8, ts: 1_795_000_000_000 };
  const parsed = (part: string, ch: string, tick: object) =>
    streamOf('htx', part).parse({ ch, ts: 1_795_000_000_000, tick }, nothing)?.updates;
  t.match(parsed('spot', 'market.btcusdt.mbp.150', spot), [{ bids: [99, 1], asks: [], last: 12 }]);
  const ofSwap = (more: object) =>
    parsed('linear', 'market.DOT-USDT.depth.size_150.high_freq', { ...swap, ...more });
  t.match(ofSwap({}), [{ kind: 'update', bids: [], asks: [101, 3], first: 8, last: 8 }]);
  t.match(ofSwap({ asks: null }), [{ bids: [], asks: [], last: 8 }]);
  t.match(ofSwap({ event: 'snapshot' }), [{ kind: 'snapshot', bids: [], asks: [101, 3] }]);
  t.throws(() => ofSwap({ bids: undefined, asks: undefined }), { name: 'ShapeError' });
});

t.test('KuCoin: a side that is absent or null has not changed', async (t) => {
  const parsed = (more: object) => {
    const d = {
      s: 'XBTUSDTM',
      b: [['99', '1']],
      O: 7,
      C: 8,
      M: 1_795_000_000_000_000_000,
      ...more,
    };
    return streamOf('kucoin', 'futures').parse({ T: 'obu.XBTUSDTM', t: 'delta', d }, nothing)
      ?.updates;
  };
  t.match(parsed({ a: null }), [{ bids: [99, 1], asks: [] }]);
  t.match(parsed({}), [{ bids: [99, 1], asks: [] }]);
  t.match(parsed({ b: null, a: [['0', '0']] }), [{ bids: [], asks: [], last: 8 }]);
});

t.test('books of markets whose ids are not ASCII are asked for by an encoded path', async (t) => {
  for (const venue of Object.values<Venue>(venues))
    for (const [part, stream] of Object.entries(venue.books ?? {})) {
      const { path = '/' } = stream?.snapshot?.request('币安人生_USDT') ?? {};
      t.ok(isPlainPath(path), `${venue.id} ${part}: ${path}`);
    }
});

t.test('Bitget: numbers above 2^53 follow each other exactly', async (t) => {
  const stream = streamOf('bitget', 'usdt-futures');
  t.equal(stream.wide, true);
  const frame = (pseq: string, seq: string) =>
    `{"action":"update","arg":{"symbol":"BTCUSDT"},"data":[{"a":[],"b":[["99","1"]],"seq":${seq},"pseq":${pseq},"ts":"1795000000000"}]}`;
  const read = (pseq: string, seq: string) =>
    stream.parse(wideMessageOf(frame(pseq, seq)), nothing)?.updates;
  t.match(read('9007199254740993', '9007199254740995'), [
    { previous: 9007199254740993n, last: 9007199254740995n },
  ]);
  t.match(read('0', '9007199254740995'), [{ previous: undefined, last: 9007199254740995n }]);
});

t.test('markets by the names of a stream', async (t) => {
  const nameOf = ({ market }: Instrument) => `${market}/USD`;
  const list = new Map([['BTC', instrumentOf('BTC')]]);
  t.strictSame([...marketsByName(list, nameOf)], [['BTC/USD', 'BTC']]);
  t.strictSame([...marketsByName(new Map(), nameOf)], []);
});

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
  ['kraken', 'futures-behind', 1, 3],
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
  ['kraken', 'futures-behind', 'ws-futures-book-delta', 0, 1, 26_660_860],
  ['kraken', 'futures-behind', 'ws-futures-book-snapshot', 5, 5, 3_423_035],
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
  const counter = new Counter();
  const set = new BookSet({ source: venue, part, stream, live, ask, counter });
  const names = events.flatMap((event) =>
    event.type === 'frame' ? read(JSON.parse(event.text)).map(({ market }) => market) : [],
  );
  const markets = [...new Set(names)];
  const wanted = new Map(markets.map((name) => [name, instrumentOf(name)]));
  set.want(wanted, 0);
  const take = bookReader({ set, stream, counter, markets: wanted });
  const peers = new Map<string, { send(): void }>();
  for (const [at, event] of events.entries()) {
    if (event.type === 'body') {
      bodyOf(event.market).resolve(event.body);
      if (stream.snapshot) slow.take(depthBody(event.body, event.market));
    } else {
      const peer = peers.get(event.conn) ?? { send: () => {} };
      peers.set(event.conn, peer);
      const message = messageOf(event.text);
      take(message, peer, at);
      for (const said of read(message)) slow.take(said);
      set.tick(at);
    }
    await settled();
  }
  const wrong = markets.filter((market) => {
    const kept = live.read(venue, part, market);
    if (kept === null) return false;
    const { bids, asks } = kept.book.book.levels(10_000, kept.instrument);
    const flat = [bids, asks].map((side) => side.flatMap((one) => [one.price, one.quantity]));
    const own = slow.of(market);
    const truth = [own?.top('bids', bids.length), own?.top('asks', asks.length)];
    return JSON.stringify(flat) !== JSON.stringify(truth);
  });
  return { set, wrong, dropped: counter.counts };
}

t.test('recorded sessions: the book at the end is a slow one', { skip: noSessions }, async (t) => {
  for (const [venue, part, session, least] of sessions) {
    const { set, wrong, dropped } = await played(venue, part, session);
    t.ok(set.live >= least, `${venue} ${part}: ${set.live} live, ${JSON.stringify(dropped)}`);
    t.strictSame([venue, part, wrong], [venue, part, []]);
  }
});

t.test('recorded frames', { skip: absent }, async (t) => {
  for (const [venue, part, name, bids, asks, last] of frames) {
    const found = recording(venue, name)?.response;
    const update = streamOf(venue, part).parse(found, nothing)?.updates[0];
    const read = [update?.bids.length, update?.asks.length, update?.last];
    t.strictSame([name, ...read], [name, 2 * bids, 2 * asks, last]);
  }
});

const start = 1_800_000_000_000;

/** A message of Bybit. */
const frame = (market: string, type: string, u: number) => ({
  ...{ topic: `orderbook.200.${market}`, type, ts: start, cts: start },
  data: { s: market, b: [['1', '1']], a: [['2', '1']], u, seq: u },
});

t.test('many broken books are asked for again one after another', async (t) => {
  const stream = streamOf('bybit', 'linear');
  const live = new LiveBooks();
  const markets = Array.from({ length: 30 }, (_, i) => `C${i}USDT`);
  let now = start;
  let asked = 0;
  const sets = Array.from({ length: 20 }, (_, at) => {
    const counter = new Counter();
    const ask = async () => null;
    const set = new BookSet({ source: `${at}`, part: '', stream, live, ask, counter });
    const take = bookReader({ set, stream, counter });
    const peer = {
      send(text: string | null) {
        if (text === null) return;
        const market = /"subscribe".*orderbook\.200\.(\w+)/.exec(text)?.[1];
        if (market === undefined) return;
        asked++;
        take(frame(market, 'snapshot', 5), peer, now);
      },
    };
    set.want(new Map(markets.map((market) => [market, instrumentOf(market)])), now);
    for (const market of markets) take(frame(market, 'snapshot', 5), peer, now);
    const tear = () => {
      for (const market of markets) take(frame(market, 'delta', 9), peer, now);
    };
    return { set, counter, tear };
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
  t.equal(seconds(1), 80, 'one of each stream at a look');
  seconds(7);
  t.equal(liveBooks(), 600, 'all of them in the end');
  t.strictSame(sets[0]?.counter.counts, { gap: 30 });
});
