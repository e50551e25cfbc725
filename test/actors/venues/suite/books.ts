/** Order books that are kept: a stream of the simulator with messages that are lost, late or damaged. */
import type { Test } from 'tap';
import { messageOf } from '../../../../actors/read.ts';
import { BookSet } from '../../../../actors/sources/books/book-set.ts';
import { LiveBooks } from '../../../../actors/sources/books/live-books.ts';
import { Counter } from '../../../../actors/sources/status/status.ts';
import type { Venue } from '../../../../actors/sources/venue.ts';
import type { Level } from '../../../../actors/topics/index.ts';
import type { BookSnapshot } from '../../../../indicators/order-book/followed-book.ts';
import { bookOf } from '../../../../scripts/simulator/book.ts';
import { plain } from '../../../../scripts/simulator/format.ts';
import type { Market } from '../../../../scripts/simulator/market.ts';
import { Model } from '../../../../scripts/simulator/model.ts';
import { venues as simulated } from '../../../../scripts/simulator/registry.ts';
import type { SimulatedVenue } from '../../../../scripts/simulator/venue.ts';
import { bookReader } from '../../../support/book-reader.ts';
import { instrument as instrumentOf } from '../../../support/makers.ts';
import { withBehind } from './addresses.ts';

/** What happens to the messages of a second. */
type Fault = 'none' | 'lost' | 'repeated' | 'late' | 'cut' | 'bad_checksum';

const textOf = (levels: readonly Level[]): string =>
  levels.map(({ price, quantity }) => `${price}:${quantity}`).join();

/** The levels that the simulator sends. */
function levelsOf(market: Market, now: number, depth: number): string {
  const { bids, asks } = bookOf(market, now, depth);
  const told = ({ price, quantity }: Level) => ({
    price: Number(plain(price, market.decimals)),
    quantity: Number(plain(quantity, Math.max(0, market.lot))),
  });
  return textOf(bids.map(told)) + textOf(asks.map(told));
}

const start = 1_800_000_000_000;

/** A stream with the path of its address. */
interface Staged {
  part: string;
  path: string;
  /** Seconds between two messages; levels that the simulator sends. */
  every?: number;
  depth?: number;
}

/** One book of a simulated venue; `step` gives it the messages of one more second. */
function stage({ id: venue, books }: Venue, { part, path, every = 1, depth = 40 }: Staged) {
  let now = start;
  const clock = { now: () => now };
  const all: Readonly<Record<string, SimulatedVenue>> = simulated;
  const found = all[venue];
  if (!found) throw new Error(`${venue} is not simulated`);
  const { channels, hosts, markets, reply, route, ...others } = found;
  if (!channels) throw new Error(`${venue} has no channels`);
  const model = new Model({ seed: 7, symbols: 8, clock, venues: [{ ...others, markets }] });
  const stream = withBehind(books)[part];
  if (!stream) throw new Error(`${venue} has no books of ${part}`);
  const { host } = new URL(stream.url);
  const kind = ['spot'].includes(part) ? 'spot' : 'perpetual';
  const market = model
    .markets(venue, now)
    .find((one) => one.kind === kind && one.symbol === 'BTC' && !one.inverse);
  if (!market) throw new Error(`${venue} has no market`);
  const decimals = { price: market.decimals, quantity: Math.max(0, market.lot) };
  const { quote } = market;
  const wire = `BTC/${quote}`;
  const instrument = instrumentOf({ market: market.id, kind: 'spot', quote, wire, decimals });
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
  const counter = new Counter();
  const set = new BookSet({ source: venue, part, stream, live, ask, counter });
  const take = bookReader({ set, stream, counter, markets: new Map([[market.id, instrument]]) });
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
      take(messageOf(one), peer, now);
    }
  };
  const peer = {
    send(frame: string | null) {
      if (frame === null) return;
      give(reply?.(frame) ?? []);
      for (const one of channels.ended?.(frame, { host, path }) ?? []) subscribed.delete(one);
      const named = channels.named(frame, { host, path });
      for (const one of named) subscribed.add(one);
      if (named.length > 0) give(texts(true));
    },
  };
  const wanted = new Map([[market.id, instrument]]);
  set.want(wanted, now);
  for (const frame of [...(stream.opening ?? []), ...stream.channels(wanted)]) peer.send(frame);
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
  let truth = { at: 0, levels: '' };
  /** Null where there is no book, else whether it is right. */
  const isRight = (): boolean | null => {
    const kept = live.read(venue, part, market.id);
    if (kept === null) return null;
    const at = now - (now % (every * 1_000));
    if (truth.at !== at) truth = { at, levels: levelsOf(market, at, depth) };
    const { bids, asks } = kept.book.book.levels(depth, kept.instrument);
    return textOf(bids) + textOf(asks) === truth.levels;
  };
  return {
    counter,
    stream,
    every,
    isRight,
    acknowledged: () => acknowledged,
    async step(fault: Fault) {
      now += 1_000;
      told[fault](texts(false));
      set.tick(now);
      // Promises settle.
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

/** Streams by venue; where it has one of the same form for several parts, one of them. */
const streams: Readonly<Record<string, readonly Staged[]>> = {
  binance: [
    { part: 'spot', path: '/ws', every: 5 },
    { part: 'linear', path: '/public/ws', every: 5 },
  ],
  okx: [{ part: 'spot', path: '/ws/v5/public' }],
  bybit: [{ part: 'linear', path: '/v5/public/linear' }],
  bitget: [{ part: 'spot', path: '/v3/ws/public' }],
  gate: [{ part: 'usdt', path: '/v4/ws/usdt' }],
  deribit: [{ part: 'spot', path: '/ws/api/v2' }],
  coinbase: [{ part: 'spot', path: '/' }],
  kraken: [
    { part: 'spot', path: '/v2' },
    { part: 'futures', path: '/v2/public' },
    { part: 'futures-behind', path: '/ws/v1', every: 4, depth: 10 },
  ],
  htx: [
    { part: 'spot', path: '/feed', every: 2 },
    { part: 'linear', path: '/linear-swap-ws', every: 2 },
  ],
  kucoin: [{ part: 'futures', path: '/', every: 5 }],
  cryptocom: [{ part: 'all', path: '/exchange/v1/market', every: 2 }],
  bitfinex: [{ part: 'all', path: '/ws/2', every: 4, depth: 25 }],
  hyperliquid: [{ part: 'perp', path: '/ws', every: 5, depth: 20 }],
  aster: [{ part: 'linear', path: '/ws', every: 5 }],
  mexc: [{ part: 'contracts', path: '/edge', every: 5 }],
  lighter: [{ part: 'all', path: '/stream', every: 2 }],
  whitebit: [{ part: 'futures', path: '/ws', every: 2 }],
  backpack: [{ part: 'all', path: '/', every: 5 }],
  bitstamp: [{ part: 'markets', path: '/', every: 4 }],
  dydx: [{ part: 'perp', path: '/v4/ws', every: 2 }],
  bingx: [{ part: 'linear', path: '/swap-market', every: 4 }],
};

const faulty = ['lost', 'repeated', 'late', 'cut', 'bad_checksum'] as const;

/** Each fault lasts five seconds, with time for a new snapshot before the next; some give one after a minute only. */
const script = [
  ...faulty.flatMap((fault): Fault[] =>
    Array.from({ length: 25 }, (_, at) => (at < 5 ? fault : 'none')),
  ),
  ...Array.from({ length: 45 }, (): Fault => 'none'),
];

async function endsRight(t: Test, venue: Venue, one: Staged): Promise<void> {
  const { counter, stream, every, isRight, step, acknowledged } = stage(venue, one);
  let calm = 6;
  const seen: (boolean | null)[] = [];
  const { rule, acknowledges } = stream;
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
  t.ok(seen.filter((right) => right).length > 90, 'and most of the time');
  const { bad_message, ...breaks } = counter.counts;
  t.equal(Object.keys(breaks).length > 0, rule !== 'whole', JSON.stringify(breaks));
}

export function keptBooks(t: Test, venue: Venue): void {
  for (const one of streams[venue.id] ?? []) {
    t.test(
      `${one.part}: lost, repeated, late and damaged messages end in a right book or in none`,
      (t) => endsRight(t, venue, one),
    );
  }
}
