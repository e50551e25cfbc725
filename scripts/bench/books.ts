/** Live order books: a session replayed at full speed, and one frame beside the `JSON.parse` of its text. */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { asRow, text } from '../../actors/read.ts';
import { BookSet } from '../../actors/sources/books/book-set.ts';
import { LiveBooks } from '../../actors/sources/books/live-books.ts';
import type { BookStream } from '../../actors/sources/streams/stream.ts';
import type { Instrument } from '../../actors/topics/index.ts';
import { messageOf } from '../../actors/upstream/frames.ts';
import { books as bybit } from '../../actors/venues/bybit/streams.ts';
import { books as coinbase } from '../../actors/venues/coinbase/streams.ts';
import { numbersRead, printFloors } from './floor.ts';
import { inTurns, median, printTable, received } from './report.ts';
import { benchBesideBare, startBybit } from './servers.ts';
import { answered, Stage } from './stage.ts';

const folder = fileURLToPath(new URL('../../../shared/wire-sessions', import.meta.url));

/** The frames of books in a recorded session. */
function recorded(venue: string, wanted: RegExp): string[] {
  const lines = readFileSync(`${folder}/${venue}.jsonl`, 'utf8').split('\n').filter(Boolean);
  return lines
    .map((line) => asRow(JSON.parse(line)))
    .filter(({ t, data }) => t === 'recv' && wanted.test(text(data)))
    .map(({ data }) => received(text(data)));
}

/** A session in the form of Bybit, for a machine without recordings: twenty changes a message near the best prices. */
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

const instrumentOf = (market: string): Instrument => ({
  ...{ market, kind: 'spot', symbol: market, quote: 'USD', scale: 1 },
  ...{ contract: 1, inverse: false, funding_hours: null },
});

const cpuUs = (work: () => void): number => {
  const from = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(from);
  return user + system;
};

interface Session {
  name: string;
  stream: BookStream;
  frames: readonly string[];
}

const changesIn = ({ stream, frames }: Session): number =>
  frames
    .flatMap((one) => stream.parse(JSON.parse(one), new Map(), {})?.updates ?? [])
    .reduce((sum, { bids, asks }) => sum + (bids.length + asks.length) / 2, 0);

/** A row: changes a second, a frame to its `JSON.parse` with and without 2 µs, and the memory of the books. */
function measured(session: Session): (string | number)[] {
  const { name, stream, frames } = session;
  const live = new LiveBooks();
  const ask = async () => null;
  const set = new BookSet({ source: name, part: 'spot', stream, live, ask });
  const markets = new Set(
    frames.flatMap((one) =>
      (stream.parse(JSON.parse(one), new Map(), {})?.updates ?? []).map(({ market }) => market),
    ),
  );
  set.want(new Map([...markets].map((market) => [market, instrumentOf(market)])), 0);
  const replay = () => {
    const peer = { send: () => {} };
    for (const frame of frames) set.take(messageOf(frame), peer, 0);
  };
  const parse = () => {
    for (const frame of frames) JSON.parse(frame);
  };
  const [first, second] = inTurns([parse, replay]);
  const parsed = (1_000 * (first?.ms ?? Number.NaN)) / frames.length;
  // By the ratio within each round: a machine that is busy for some rounds would distort that of two medians.
  const own = parsed * (second?.ratio ?? Number.NaN);
  const perSecond = (changesIn(session) / frames.length / own) * 1e6;
  return [name, perSecond, own, parsed, own / (1.5 * parsed + 2), set.live];
}

/** Thirty assets on fifteen exchanges, each book with ten messages a second. */
const [manyBooks, perSecond] = [450, 10];

/** Share of a core and memory of so many books. */
function many(frames: readonly string[]): (string | number)[] {
  const stream = bybit.linear;
  const live = new LiveBooks();
  const before = process.memoryUsage();
  const sets = Array.from({ length: manyBooks }, () => {
    const set = new BookSet({ source: 'made', part: '', stream, live, ask: async () => null });
    set.want(new Map([['BTCUSDT', instrumentOf('BTCUSDT')]]), 0);
    return set;
  });
  const peer = { send: () => {} };
  const tell = (frame: string) => {
    for (const set of sets) set.take(messageOf(frame), peer, 0);
  };
  for (const frame of frames.slice(0, perSecond)) tell(frame);
  const seconds = Math.floor(frames.length / perSecond) - 1;
  const figures = Array.from({ length: seconds }, (_, second) =>
    cpuUs(() => {
      const from = (second + 1) * perSecond;
      for (const frame of frames.slice(from, from + perSecond)) tell(frame);
    }),
  );
  const { rss, arrayBuffers } = process.memoryUsage();
  const mebibytes = (bytes: number) => Math.max(0, bytes) / 2 ** 20;
  return [
    manyBooks,
    median(figures) / 1e6,
    mebibytes(rss - before.rss),
    mebibytes(arrayBuffers - before.arrayBuffers),
  ];
}

const book = '/v2/orderbook?exchange=bybit&symbol=BTCUSDT&kind=perpetual&depth=20';

/** A book that a stream keeps, from the process that has it to clients. */
async function benchAnswers(): Promise<void> {
  const stage = new Stage();
  try {
    const { ours } = await startBybit(stage);
    const isLive = async () => {
      const reply = await answered(ours.base + book, { headers: ours.key });
      return (await reply.text()).includes('"source":"live"');
    };
    for (let tries = 0; !(await isLive()); tries++) {
      if (tries > patience) throw new Error('the book has not become live');
      await new Promise((wait) => setTimeout(wait, 100));
    }
    await benchBesideBare(stage, ours, { title: 'A live book, warm', goal: 0.8, paths: [book] });
  } finally {
    await stage.end();
  }
}

/** Questions until a book must be live, ten a second. */
const patience = 200;

/** Prints what the replay of a session costs, and its answers. */
export async function benchBooks(): Promise<void> {
  const sessions: Session[] = existsSync(folder)
    ? [
        { name: 'bybit', stream: bybit.linear, frames: recorded('bybit', /"topic":"orderbook/) },
        { name: 'coinbase', stream: coinbase.spot, frames: recorded('coinbase', /"sequence_num"/) },
      ]
    : [];
  sessions.push({ name: 'made', stream: bybit.linear, frames: made() });
  printTable(
    'A recorded session of order books at full speed, on one core (goals: 200,000 changes a second; a frame 1.5 times ' +
      'JSON.parse of its text + 2 µs). Frame: the check of nesting of long ones, JSON.parse, all checks, the book brought up ' +
      'to date',
    [
      [
        'session',
        'level changes a second',
        'frame, µs',
        'JSON.parse, µs',
        'frame to goal',
        'books',
      ],
      ...sessions.map(measured),
    ],
  );
  printTable(
    'thirty assets on fifteen exchanges, ten messages of twenty changes a second and book',
    [['books', 'share of one core', 'resident MiB more', 'of it levels, MiB'], many(made())],
  );
  printFloors(
    sessions.map(({ name, stream, frames }) => ({
      name,
      json: () => frames.map((frame): unknown => JSON.parse(frame)),
      texts: () =>
        frames.flatMap((frame) =>
          numbersRead(JSON.parse(frame), (message) => stream.parse(message, new Map(), {})),
        ),
    })),
  );
  await benchAnswers();
}
