/** Order books that are kept: recorded sessions, and streams of the simulator with messages that are lost or damaged. */
import t from 'tap';
import { asRow, list, text } from '../../../actors/read.ts';
import { BookSet } from '../../../actors/sources/book-set.ts';
import { LiveBooks } from '../../../actors/sources/live-books.ts';
import type { BookStream } from '../../../actors/sources/stream.ts';
import { messageOf } from '../../../actors/sources/stream-fold.ts';
import type { Venue } from '../../../actors/sources/venue.ts';
import type { Instrument } from '../../../actors/topics/index.ts';
import { type VenueId, venues } from '../../../actors/venues/registry.ts';
import type { BookSnapshot } from '../../../indicators/order-book/followed-book.ts';
import { bookOf } from '../../../scripts/simulator/book.ts';
import { bookTime, deepEvery } from '../../../scripts/simulator/books/wire.ts';
import { plain } from '../../../scripts/simulator/format.ts';
import type { Market } from '../../../scripts/simulator/market.ts';
import { Model } from '../../../scripts/simulator/model.ts';
import { venues as simulated } from '../../../scripts/simulator/registry.ts';
import { noSessions, sessionOf } from '../../support/book-sessions.ts';

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

/** A book by text, as slow as can be: what an update names replaces it, zero removes it. */
class SlowBook {
  readonly sides = { bids: new Map<number, number>(), asks: new Map<number, number>() };

  take({ bids, asks }: { bids: Pairs; asks: Pairs }): void {
    this.#apply('bids', bids);
    this.#apply('asks', asks);
  }

  #apply(side: 'bids' | 'asks', rows: Pairs): void {
    for (const [price, quantity] of rows) {
      if (Number(quantity) === 0) this.sides[side].delete(Number(price));
      else this.sides[side].set(Number(price), Number(quantity));
    }
  }

  top(side: 'bids' | 'asks', count: number): number[] {
    const sign = side === 'bids' ? -1 : 1;
    const sorted = [...this.sides[side]].sort(([a], [b]) => sign * (a - b));
    return sorted.slice(0, count).flat();
  }
}

type Pairs = readonly (readonly [unknown, unknown])[];
const pairs = (rows: unknown): Pairs =>
  list(rows, 'rows').map((row) => [asRow(row)[0], asRow(row)[1]]);

/** What a frame or a body says, read apart from the venue's own reader; `id` orders snapshots asked for and updates. */
interface Said {
  market: string;
  whole: boolean;
  bids: Pairs;
  asks: Pairs;
  id?: number;
}

const depthBody = (body: unknown, market: string): Said => {
  const { bids, asks, lastUpdateId, id } = asRow(body);
  return {
    market,
    whole: true,
    bids: pairs(bids),
    asks: pairs(asks),
    id: Number(lastUpdateId ?? id),
  };
};

const binance = (frame: unknown): Said[] => {
  const { e, s, u, b, a } = asRow(frame);
  return e === 'depthUpdate'
    ? [{ market: text(s), whole: false, bids: pairs(b), asks: pairs(a), id: Number(u) }]
    : [];
};

const readers: Readonly<Record<string, (frame: unknown) => Said[]>> = {
  binance,
  bybit(frame) {
    const { topic, type, data } = asRow(frame);
    const { s, b, a } = asRow(data);
    return text(topic).startsWith('orderbook')
      ? [{ market: text(s), whole: type === 'snapshot', bids: pairs(b), asks: pairs(a) }]
      : [];
  },
  okx(frame) {
    const { arg, action, data } = asRow(frame);
    if (data === undefined || asRow(arg).channel !== 'books') return [];
    const { bids, asks } = asRow(list(data, 'data')[0]);
    const market = text(asRow(arg).instId);
    return [{ market, whole: action === 'snapshot', bids: pairs(bids), asks: pairs(asks) }];
  },
  bitget(frame) {
    const { arg, action, data } = asRow(frame);
    if (data === undefined) return [];
    const { b, a } = asRow(list(data, 'data')[0]);
    const market = text(asRow(arg).symbol);
    return [{ market, whole: action === 'snapshot', bids: pairs(b), asks: pairs(a) }];
  },
  deribit(frame) {
    const { type, instrument_name, bids, asks } = asRow(asRow(asRow(frame).params).data);
    if (bids === undefined || type === undefined) return [];
    const rows = (side: unknown): Pairs =>
      list(side, 'side').map((row) => [
        asRow(row)[1],
        asRow(row)[0] === 'delete' ? 0 : asRow(row)[2],
      ]);
    return [
      {
        market: text(instrument_name),
        whole: type === 'snapshot',
        bids: rows(bids),
        asks: rows(asks),
      },
    ];
  },
  coinbase(frame) {
    const { channel, events } = asRow(frame);
    if (channel !== 'l2_data') return [];
    return list(events, 'events').map((event) => {
      const { type, product_id, updates } = asRow(event);
      const rows = (side: string): Pairs =>
        list(updates, 'updates')
          .filter((row) => asRow(row).side === side)
          .map((row) => [asRow(row).price_level, asRow(row).new_quantity]);
      const sides = { bids: rows('bid'), asks: rows('offer') };
      return { market: text(product_id), whole: type === 'snapshot', ...sides };
    });
  },
};

/** The slow books of a session. Updates wait for a snapshot; those that it has in it already are left out. */
class SlowBooks {
  readonly #books = new Map<string, { book: SlowBook; id: number }>();
  readonly #waiting = new Map<string, Said[]>();

  of(market: string): SlowBook | undefined {
    return this.#books.get(market)?.book;
  }

  take(said: Said): void {
    if (said.whole) {
      this.#begin(said);
      return;
    }
    const known = this.#books.get(said.market);
    const { id = 0, market } = said;
    if (!known) this.#waiting.set(market, [...(this.#waiting.get(market) ?? []), said]);
    else if (id === 0 || id > known.id) {
      known.id = id;
      known.book.take(said);
    }
  }

  #begin(said: Said): void {
    const book = new SlowBook();
    this.#books.set(said.market, { book, id: said.id ?? 0 });
    book.take(said);
    for (const one of this.#waiting.get(said.market) ?? []) this.take(one);
  }
}

/** The sessions: venue, part, number of the session, and the least number of books that are live at its end. */
const sessions = [
  ['binance', 'spot', 0, 1],
  ['binance', 'linear', 1, 2],
  ['bybit', 'linear', 0, 2],
  ['okx', 'spot', 0, 2],
  ['bitget', 'spot', 0, 4],
  ['deribit', 'linear', 0, 1],
  ['coinbase', 'spot', 0, 2],
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

/** One book of a simulated venue; `step` tells it of one more second. */
function stage(venue: VenueId & keyof typeof simulated, part: string, path: string) {
  let now = start;
  const clock = { now: () => now };
  const { channels, hosts, markets, ...others } = { channels: undefined, ...simulated[venue] };
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
  const ask = async () => {
    const at = bookTime(now, 1_000);
    const lastUpdateId = bookOf(market, at, 1).updateId;
    return stream.snapshot?.parse({ ...rowsOf(market, at, 1_000), lastUpdateId }) ?? null;
  };
  const set = new BookSet({ source: venue, part, stream, live, ask });
  const subscribed = new Set<string>();
  let count = 0;
  const held: string[] = [];
  const texts = (first: boolean): string[] =>
    channels
      .messages(subscribed, { now, model, first })
      .map((message) => JSON.stringify(channels.numbered?.(message, count++) ?? message));
  const give = (messages: readonly string[]) => {
    for (const one of messages) set.take(messageOf(one), peer, now);
  };
  const peer = {
    send(frame: string) {
      for (const one of channels.ended?.(frame, { host, path }) ?? []) subscribed.delete(one);
      const named = channels.named(frame, { host, path });
      for (const one of named) subscribed.add(one);
      if (named.length > 0) give(texts(true));
    },
  };
  set.want(new Map([[market.id, instrument]]), now);
  peer.send(stream.subscribe(instrument));
  const told: Readonly<Record<Fault, (messages: string[]) => void>> = {
    none: (messages) => give([...messages, ...held.splice(0)]),
    lost: () => {},
    repeated: (messages) => give([...messages, ...messages]),
    late: (messages) => {
      held.push(...messages);
    },
    cut: (messages) => give(messages.map((one) => one.slice(0, one.length / 2))),
    bad_checksum: (messages) =>
      give(messages.map((one) => one.replace(/"checksum":/, '"checksum":1'))),
  };
  /** Null where there is no book, else whether it is right. */
  const isRight = (): boolean | null => {
    const view = live.read(venue, part, market.id);
    if (view === null) return null;
    const { bids, asks } = view.levels(40);
    const truth = rowsOf(market, stream.snapshot ? bookTime(now, 1_000) : now, 40);
    const same = (levels: typeof bids, rows: string[][]) =>
      JSON.stringify(levels.map(({ price, quantity }) => [price, quantity])) ===
      JSON.stringify(rows.map((row) => row.map(Number)));
    return same(bids, truth.bids) && same(asks, truth.asks);
  };
  return {
    set,
    /** Seconds between two messages. */
    every: stream.snapshot ? deepEvery / 1_000 : 1,
    isRight,
    async step(fault: Fault) {
      now += 1_000;
      told[fault](texts(false));
      set.tick(now);
      await settled();
    },
  };
}

/** Every stream, with the path of its address. */
const streams = [
  ['binance', 'spot', '/ws'],
  ['binance', 'linear', '/public/ws'],
  ['okx', 'spot', '/ws/v5/public'],
  ['bybit', 'linear', '/v5/public/linear'],
  ['bitget', 'spot', '/v3/ws/public'],
  ['gate', 'usdt', '/v4/ws/usdt'],
  ['deribit', 'spot', '/ws/api/v2'],
  ['coinbase', 'spot', '/'],
  ['kraken', 'spot', '/v2'],
] as const;

/** Each fault lasts five seconds; they are far enough apart for a new snapshot. */
const script = (['lost', 'repeated', 'late', 'cut', 'bad_checksum'] as const).flatMap(
  (fault): Fault[] => Array.from({ length: 80 }, (_, at): Fault => (at < 5 ? fault : 'none')),
);

for (const [venue, part, path] of streams) {
  t.test(
    `${venue} ${part}: lost, repeated, late and damaged messages end in a right book or in none`,
    async (t) => {
      const { set, every, isRight, step } = stage(venue, part, path);
      let calm = 0;
      const seen: (boolean | null)[] = [];
      for (const fault of ['none', 'none', 'none', ...script] as const) {
        await step(fault);
        calm = fault === 'none' ? calm + 1 : 0;
        // Until the next message nobody can know that one is missing.
        if (calm >= every || fault === 'repeated') seen.push(isRight());
      }
      t.equal(seen.filter((right) => right === false).length, 0, 'no wrong book is served');
      t.equal(seen.at(-1), true, 'and there is one at the end');
      t.ok(seen.filter((right) => right).length > 300, 'and most of the time');
      t.ok(Object.keys(set.dropped).length > 0, JSON.stringify(set.dropped));
    },
  );
}
