/** Live order books: a session replayed at full speed, and one frame beside the `JSON.parse` of its text. */

import { messageOf } from '../../actors/read.ts';
import { BookSet } from '../../actors/sources/books/book-set.ts';
import { LiveBooks } from '../../actors/sources/books/live-books.ts';
import { Counter } from '../../actors/sources/status/status.ts';
import type { Instrument } from '../../actors/topics/index.ts';
import { books as bybit } from '../../actors/venues/bybit/streams.ts';
import { inTurns, printTable, received } from './report.ts';
import { benchBesideBare, startBybit } from './servers.ts';
import { answered, onStage } from './stage.ts';

/** A session in the form of Bybit: twenty changes a message near the best prices. */
function made(): string[] {
  const level = (i: number, side: number) => [
    (60_000 + side * (0.1 + ((i * 37) % 160) / 10)).toFixed(2),
    (((i * 7919) % 1_000) / 1_000).toFixed(3),
  ];
  const frame = (u: number, count: number, type: string) =>
    received(
      JSON.stringify({
        ...{ topic: 'orderbook.200.BTCUSDT', type, ts: 1_800_000_000_000 + u },
        data: {
          s: 'BTCUSDT',
          b: Array.from({ length: count }, (_, i) => level(u * 13 + i, -1)),
          a: Array.from({ length: count }, (_, i) => level(u * 17 + i, 1)),
          ...{ u: u + 2, seq: u },
        },
        cts: 1_800_000_000_000 + u,
      }),
    );
  return Array.from({ length: 300 }, (_, u) =>
    frame(u, u === 0 ? 160 : 10, u === 0 ? 'snapshot' : 'delta'),
  );
}

const instrument: Instrument = {
  market: 'BTCUSDT',
  kind: 'perpetual',
  symbol: 'BTC',
  quote: 'USDT',
  scale: 1,
  ...{ contract: 1, inverse: false, funding_hours: null },
};

/** One core's level changes a second, and a frame beside the `JSON.parse` of its text. */
function benchReplay(): void {
  const [stream, frames] = [bybit.linear, made()];
  const set = new BookSet({
    source: 'made',
    part: '',
    stream,
    live: new LiveBooks(),
    ask: async () => null,
    counter: new Counter(),
  });
  set.want(new Map([[instrument.market, instrument]]), 0);
  const peer = { send: () => {} };
  const context = { received: 0, instruments: new Map(), connection: peer };
  const take = (frame: string) => {
    const found = stream.parse(messageOf(frame), context);
    if (found) set.take(found, peer, 0);
  };
  const [parse, replay] = inTurns([
    () => frames.forEach((frame) => void JSON.parse(frame)),
    () => frames.forEach(take),
  ]);
  if (set.live !== 1) throw new Error('the session makes no whole book');
  const changes = frames
    .flatMap((one) => stream.parse(JSON.parse(one), { ...context, connection: {} })?.updates ?? [])
    .reduce((sum, { bids, asks }) => sum + (bids.length + asks.length) / 2, 0);
  const parsed = (1_000 * (parse?.ms ?? Number.NaN)) / frames.length;
  // By the ratio within each round: a machine that is busy for some rounds would distort that of two medians.
  const own = parsed * (replay?.ratio ?? Number.NaN);
  printTable(
    'A session of an order book at full speed, on one core (goals: 200,000 changes a second; a frame 1.5 times JSON.parse of ' +
      'its text + 2 µs). Frame: the check of nesting of long ones, JSON.parse, all checks, the book brought up to date',
    [
      ['level changes a second', 'frame, µs', 'JSON.parse, µs', 'frame to it', 'frame to goal'],
      [(changes / frames.length / own) * 1e6, own, parsed, own / parsed, own / (1.5 * parsed + 2)],
    ],
  );
}

const book = '/v2/orderbook?exchange=bybit&symbol=BTCUSDT&kind=perpetual&depth=20';

/** Questions until a book must be live, ten a second. */
const patience = 200;

/** A book that a stream keeps, from the process that has it to clients. */
const benchAnswers = (): Promise<void> =>
  onStage(async (stage) => {
    const { ours } = await startBybit(stage);
    const headers = { 'x-api-key': ours.key };
    const isLive = async () => {
      const reply = await answered(ours.base + book, { headers });
      return (await reply.text()).includes('"source":"live"');
    };
    for (let tries = 0; !(await isLive()); tries++) {
      if (tries > patience) throw new Error('the book has not become live');
      await new Promise((wait) => setTimeout(wait, 100));
    }
    const mixes = [{ name: book, requests: [{ path: book, key: ours.key }] }];
    await benchBesideBare(stage, ours, { title: 'A live book, warm', goal: 0.8, mixes });
  });

/** Prints what the replay of a session costs, and its answers. */
export async function benchBooks(): Promise<void> {
  benchReplay();
  await benchAnswers();
}
