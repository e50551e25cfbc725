/** Streams of a running service as a client sees them: the levels of an order book, and each trade of a market. */
import { strict as assert } from 'node:assert';
import { crc32 } from 'node:zlib';
import type { Test } from 'tap';
import type { Service } from './service.ts';
import { until } from './until.ts';

type Message = Readonly<Record<string, unknown>>;

const bookPath = '/v1/orderbook/deep?exchange=binance&symbol=BTC&kind=spot&depth=50';
const tradesPath = '/v1/trades?exchange=binance&symbol=BTC&kind=spot&limit=3';

/** Refusals that pass. */
const passing = new Set(['overloaded', 'warming_up', 'store_unavailable', 'upstream_failed']);

/** Price and quantity of a level, in either of its forms. */
const pairOf = (level: object): [number, number] => {
  const { price, quantity } = Object(level);
  return Array.isArray(level) ? [level[0], level[1]] : [price, quantity];
};

function setLevels(side: Map<number, number>, levels: unknown): void {
  for (const level of Array.isArray(levels) ? levels : []) {
    const [price, quantity] = pairOf(level);
    if (quantity === 0) side.delete(price);
    else side.set(price, quantity);
  }
}

/** A book by docs/streaming.md alone. Throws where a message does not follow the one before, or its checksum differs. */
class FollowedBook {
  readonly #sides = { bids: new Map<number, number>(), asks: new Map<number, number>() };
  #version: unknown = null;
  #sequence: unknown = null;
  /** Reasons of snapshots, and `changes`. */
  readonly taken: string[] = [];

  take(message: Message): void {
    const isWhole = message.type === 'snapshot';
    const of: Readonly<Record<string, unknown>> = isWhole ? Object(message.data) : message;
    if (!isWhole) {
      assert.equal(message.from, this.#version, 'the version before');
      assert.equal(of.from_sequence, this.#sequence, "the exchange's number before");
    }
    for (const [name, side] of Object.entries(this.#sides)) {
      if (isWhole) side.clear();
      setLevels(side, of[name]);
    }
    this.#version = message.version;
    this.#sequence = isWhole ? of.sequence : of.to_sequence;
    assert.equal(message.checksum, this.#checksum(), 'the checksum of the book');
    this.taken.push(isWhole ? `${message.reason}` : 'changes');
  }

  /** CRC-32 of zlib over the first 25 levels of both sides in turn. */
  #checksum(): number {
    const bids = [...this.#sides.bids].sort(([a], [b]) => b - a);
    const asks = [...this.#sides.asks].sort(([a], [b]) => a - b);
    const parts = Array.from({ length: 25 }, (_, i) => [bids[i], asks[i]]).flat(2);
    return crc32(parts.filter((one) => one !== undefined).join(':'));
  }
}

/** A connection of a client, with what it has heard. */
class Follower {
  readonly book = new FollowedBook();
  readonly trades: number[] = [];
  readonly holes: unknown[] = [];
  /** Whether a subscription that resumed lost nothing; null where it was the first one. */
  recovered: unknown = null;
  position = '';
  broken: Error | null = null;
  readonly #socket: WebSocket;
  readonly #subscriptions: readonly Message[];

  constructor({ url, key }: Service, resume?: string) {
    const log = { op: 'subscribe', id: 2, path: tradesPath, mode: 'log' };
    this.#subscriptions = [
      { op: 'subscribe', id: 1, path: bookPath, mode: 'levels' },
      resume === undefined ? log : { ...log, resume },
    ];
    this.#socket = new WebSocket(`${url.replace('http', 'ws')}/v1/ws`);
    this.#socket.addEventListener('open', () => {
      this.#send({ op: 'auth', key });
      for (const one of this.#subscriptions) this.#send(one);
    });
    this.#socket.addEventListener('message', ({ data }) => {
      try {
        this.#take(JSON.parse(`${data}`));
      } catch (error) {
        this.broken ??= error instanceof Error ? error : new Error(`${error}`);
      }
    });
  }

  close(): void {
    this.#socket.close();
  }

  #send(message: object): void {
    this.#socket.send(JSON.stringify(message));
  }

  #take(message: Message): void {
    // With a time it is about an answer that is missing for now.
    if (message.type === 'error' && message.timestamp === undefined) this.#refused(message);
    if (message.type === 'snapshot' || message.type === 'levels') this.book.take(message);
    if (message.type === 'events') this.#note(message);
  }

  /** A busy service is asked again, as the documentation says. */
  #refused({ id, code, message }: Message): void {
    if (!passing.has(`${code}`)) throw new Error(`${code}: ${message}`);
    const one = this.#subscriptions.find((each) => each.id === id);
    setTimeout(() => one && this.#socket.readyState === 1 && this.#send(one), 500);
  }

  #note(message: Message): void {
    this.recovered ??= message.recovered ?? null;
    this.position = `${message.position}`;
    for (const event of Array.isArray(message.events) ? message.events : []) {
      if ('hole' in event) this.holes.push(event.hole);
      else this.trades.push(+event.id);
    }
  }
}

/** The trades of the simulator have one number after the other. */
const isGapless = (ids: readonly number[]) =>
  ids.every((id, i) => i === 0 || id === Number(ids[i - 1]) + 1);

/**
 * Follows both streams from now on. `first` waits for the first messages; `again` connects once more, as a client whose
 * connection was lost, and expects every trade since; `lost` waits for a stated new snapshot of the book: it is called after
 * the death of what brings it.
 */
export async function followStreams(t: Test, service: Service) {
  const isLive = async () => Object(await service.get(bookPath)).data.source === 'live';
  await until(isLive, 'the book is live', 90_000, 300);
  let one = new Follower(service);
  t.teardown(() => one.close());
  const heard = async (what: string) => {
    const enough = ({ book, trades }: Follower) =>
      book.taken.filter((each) => each === 'changes').length >= 3 && trades.length >= 3;
    await until(() => one.broken !== null || enough(one), `${what}: both streams go on`, 90_000);
    t.equal(one.broken, null, `${what}: each message follows the one before`);
    t.strictSame(one.holes, [], `${what}: no hole`);
  };
  return {
    async first() {
      await heard('at first');
      t.equal(one.book.taken[0], 'first', 'a snapshot comes first');
      t.ok(isGapless(one.trades), 'each trade once, in order');
    },
    async again() {
      const { position, trades } = one;
      one.close();
      one = new Follower(service, position);
      await heard('after a reconnect');
      t.equal(one.recovered, true, 'nothing was missed');
      t.ok(isGapless([...trades.slice(-1), ...one.trades]), 'no trade is missing or told twice');
    },
    async lost() {
      const { taken } = one.book;
      const again = () => taken.lastIndexOf('changes') > taken.indexOf('lost');
      const isThrough = () => taken.includes('lost') && again();
      await until(() => one.broken !== null || isThrough(), 'a new book and its changes', 90_000);
      t.equal(one.broken, null, 'each message follows the one before, all checksums are right');
      t.ok(one.holes.length > 0, 'the hole in the trades is stated');
    },
  };
}
