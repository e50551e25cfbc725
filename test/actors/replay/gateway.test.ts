/** A recording that is lived again through the gateway gives the lists, prices, trades, events, books and tables that were there the first time. */
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { zstdCompressSync } from 'node:zlib';
import t, { type Test } from 'tap';
import { WebSocket } from 'ws';
import { replayServer } from '../../../actors/replay/gateway/server.ts';
import { requestText } from '../../../actors/sources/recording/format.ts';
import type { Venue } from '../../../actors/sources/venue.ts';
import type { PublicTrade } from '../../../actors/topics/index.ts';
import { httpTarget } from '../../../actors/upstream/gateway.ts';
import { venues as registry } from '../../../actors/venues/registry.ts';
import { FakeClock } from '../../support/clock.ts';
import { recordedStage, replayedStage } from '../../support/recorded-stage.ts';
import { folderOf } from '../../support/recorder.ts';
import { until } from '../../support/until.ts';

/** Books that are asked for beside the stream, with checksums, and counted by connection. */
const venues: readonly Venue[] = [registry.binance, registry.okx, registry.coinbase];
const symbols = ['BTC', 'ETH'];
/** A file ends four seconds later. */
const start = Date.parse('2026-11-29T12:09:56Z');
const lasting = 10_000;
/** When a second replay begins, ms after that. */
const later = 6_500;

type Stage = Pick<Awaited<ReturnType<typeof replayedStage>>, 'kept' | 'published'>;

const entriesOf = <Found>(
  offers: { markets(source: string): readonly string[] },
  find: (source: string, part: string, market: string) => Found,
): Map<string, Found> =>
  new Map(
    venues.flatMap(({ id }) =>
      offers.markets(id).map((key): [string, Found] => {
        const [part = '', ...market] = key.split('/');
        return [`${id}/${key}`, find(id, part, market.join('/'))];
      }),
    ),
  );

/** The book of each market that is followed, with its last change. */
const booksIn = ({ kept: { books } }: Stage) =>
  entriesOf(books, (...of) => {
    const book = books.read(...of)?.book;
    return [book?.sequence, book?.book.native(1e9)];
  });

/** The trades that were heard of each market, and holes. */
const tradesIn = ({ kept: { trades } }: Stage): Map<string, (PublicTrade | null)[]> =>
  entriesOf(trades, (...of) => trades.find(...of)?.after(1).entries ?? []);

interface Row {
  market: string;
  price?: number;
  stated: number | null;
}

/** The prices of each market by the time that its exchange states. */
function pricesIn({ published }: Stage): Map<string, number> {
  const found = new Map<string, number>();
  for (const { topic, key, value } of published)
    if (topic.startsWith('price') && 'rows' in value && Array.isArray(value.rows))
      for (const { market, price, stated } of value.rows satisfies Row[])
        if (stated !== null) found.set(`${key}/${market} ${stated}`, price ?? Number.NaN);
  return found;
}

/** The newest list of each part. */
const listsIn = ({ published }: Stage): Map<string, unknown> =>
  new Map(
    published.flatMap(({ topic, key, value }) =>
      topic === 'instruments' && 'rows' in value ? [[key, value.rows]] : [],
    ),
  );

/** Each liquidation. */
const eventsIn = ({ published }: Stage): string[] =>
  published.flatMap(({ topic, value }) =>
    topic === 'liquidations' && 'events' in value && Array.isArray(value.events)
      ? value.events.map((event) => JSON.stringify(event))
      : [],
  );

const answersOf = (stage: Stage) => ({
  books: booksIn(stage),
  trades: tradesIn(stage),
  prices: pricesIn(stage),
  lists: listsIn(stage),
  events: eventsIn(stage),
});
type Answers = ReturnType<typeof answersOf>;

/** A replay begins to listen a little later: what it has from then on is what there was. */
function compare(t: Test, live: Answers, again: Answers): void {
  t.ok(live.books.size > 20 && live.trades.size > 20, `${live.books.size} books`);
  for (const [name, book] of live.books) t.strictSame(again.books.get(name), book, `book ${name}`);
  for (const [name, trades] of live.trades) {
    const all = again.trades.get(name) ?? [];
    const heard = all.slice(all.lastIndexOf(null) + 1);
    t.strictSame(heard, trades.slice(-heard.length), `${heard.length} trades ${name}`);
  }
  const both = [...again.prices].filter(([name]) => live.prices.has(name));
  t.ok(both.length > 100, `${both.length} prices`);
  const others = both.filter(([name, price]) => live.prices.get(name) !== price);
  t.strictSame(others, [], 'prices are those of their time');
  t.strictSame(again.lists, live.lists, 'lists');
  t.ok(again.events.length > 0, 'liquidations');
  const unknown = again.events.filter((event) => !live.events.includes(event));
  t.strictSame(unknown, [], 'no other liquidation');
}

t.test('what was recorded is there again', async (t) => {
  const first = await recordedStage(t, venues, symbols, { start });
  await first.pass(lasting);
  const live = answersOf(first);
  await first.stop();
  // What came last has a time of some milliseconds later: those of the recorder are finer than the clock of the stage.
  const to = start + lasting + 10;
  for (const from of [start, start + later]) {
    const again = await replayedStage(t, {
      venues,
      symbols,
      folder: first.folder,
      range: { from, to },
    });
    // What there was at the end stays: a busy machine may come to it later.
    const isComplete = () => booksIn(again).size >= live.books.size;
    for (let at = from; at < to || (at < to + 10_000 && !isComplete()); at += 1_000)
      await again.pass(1_000);
    await again.pass(1_000);
    compare(t, live, answersOf(again));
    await again.stop();
  }
});

/** Twenty seconds before the hour at which fundings are settled, until the first minute after it is stored. */
const settling = Date.parse('2026-11-29T15:59:40Z');
const minutes = 87_000;

type Cell = number | string | null;
type Tables = Awaited<ReturnType<typeof replayedStage>>['tables'];

/** What `/v1/rows` has of both kinds of market, and the prices of all exchanges together: each cell that is known by its name. */
async function tablesIn(tables: Tables): Promise<Map<string, Cell>> {
  const found = new Map<string, Cell>();
  const put = (name: string, time: number, cell: Cell | undefined) => {
    if (cell !== null && cell !== undefined)
      found.set(`${name} ${new Date(time).toISOString().slice(11, 16)}`, cell);
  };
  const rowsOf = async (kind: string, columns: string, interval = '1m') => {
    const asked = `kind=${kind}&columns=${columns}&interval=${interval}`;
    const answer = await tables?.read(`/v1/rows?exchanges=binance,okx&symbols=BTC,ETH&${asked}`);
    const rows: [number, string, string, ...Cell[]][] = answer.rows;
    for (const [time, exchange, symbol, ...cells] of rows)
      for (const [at, name] of columns.split(',').entries())
        put(`${name} ${exchange} ${kind} ${symbol}`, time, cells[at]);
  };
  const both =
    'taker_buy_usd,taker_sell_usd,spread_percent,bid_depth_usd,ask_depth_usd,slippage_buy,slippage_sell';
  await rowsOf('spot', both);
  const interest = 'open_interest_usd,open_interest_base';
  const closings = 'long_liquidations_usd,short_liquidations_usd';
  await rowsOf('perpetual', `${both},${interest},${closings}`);
  await rowsOf('perpetual', 'funding_rate,funding_hours', '1h');
  const keys = ['spot/BTC', 'spot/ETH', 'perpetual/BTC', 'perpetual/ETH'];
  const prices = await tables?.series({ series: 'price', keys, step: '1m', limit: 9 });
  for (const { key, times, columns } of Array.isArray(prices) ? prices : [])
    for (const [at, time] of times.entries()) {
      put(`price ${key}`, time, columns.price?.[at]);
      put(`turnover ${key}`, time, columns.turnover?.[at]);
    }
  return found;
}

t.test('tables are those that were served live', async (t) => {
  const of = [registry.binance, registry.okx];
  const first = await recordedStage(t, of, symbols, { start: settling, hasTables: true });
  await first.pass(minutes);
  const live = await tablesIn(first.tables);
  await first.stop();
  const range = { from: settling, to: settling + minutes + 10 };
  const { folder } = first;
  const again = await replayedStage(t, { venues: of, symbols, folder, range, hasTables: true });
  await again.pass(minutes);
  t.strictSame(Object.fromEntries(await tablesIn(again.tables)), Object.fromEntries(live));
  await again.stop();
  const known = new Set([...live.keys()].map((name) => name.split(' ')[0]));
  t.equal(known.size, 15, `all columns: ${[...known]}`);
  for (const exchange of ['binance', 'okx'])
    for (const kind of ['spot', 'perpetual'])
      t.ok(live.has(`taker_sell_usd ${exchange} ${kind} ETH 16:00`), 'a whole minute');
});

const noon = Date.parse('2026-11-29T12:00:00Z');

/** A gateway of a recording of Binance whose files begin at these seconds after noon, and its clock. */
async function gatewayOf(
  t: Test,
  files: Readonly<Record<number, readonly object[]>>,
  from: number,
) {
  const folder = await folderOf(t);
  const day = join(folder, 'binance', '2026-11-29');
  await mkdir(day, { recursive: true });
  for (const [second, lines] of Object.entries(files)) {
    const time = new Date(noon + Number(second) * 1_000).toISOString();
    const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
    const name = `${time.slice(11, 23).replaceAll(/\D/g, '')}-p.jsonl.zst`;
    await writeFile(join(day, name), zstdCompressSync(Buffer.from(text)));
  }
  const clock = new FakeClock(noon + from * 1_000);
  const range = { from: clock.now(), to: noon + 600_000 };
  const venues = [registry.binance];
  const { server, ready, stop } = replayServer({ folder, venues, clock, range });
  t.teardown(stop);
  await ready;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { clock, url: `http://127.0.0.1:${Object(server.address()).port}` };
}

const at = (second: number) => (noon + second * 1_000) * 1_000;
const head = (second: number, follows: string | null) => ({
  kind: 'file',
  t: at(second),
  version: 1,
  exchange: 'binance',
  process: 'p',
  follows,
  types: [],
  symbols: [],
});

t.test('what was known before a gap is not known after it', async (t) => {
  const { binance } = registry;
  const [request] = binance.feeds.prices.parts.linear.requests({ markets: [], now: noon });
  if (!request) throw new Error('no request');
  const about = { part: 'linear', topics: ['prices'], requests: [requestText(request)] };
  const poll = { kind: 'poll', t: at(1), ...about, bodies: [[7]] };
  const { clock, url } = await gatewayOf(t, { 0: [head(0, null), poll], 60: [head(60, null)] }, 30);
  const { origin, prefix } = httpTarget(binance.apis[request.api].hosts[0], url);
  const ask = async () => (await fetch(`${origin}${prefix}${request.path}`)).status;
  await clock.advance(9_000);
  t.equal(await ask(), 200);
  await clock.advance(22_000);
  await until(async () => (await ask()) === 404, 'the next file is read');
});

t.test('a book is not gone on with after lost lines', async (t) => {
  const stream = registry.binance.books?.linear;
  if (!stream) throw new Error('no stream');
  const subscription = '{"method":"SUBSCRIBE","params":["btcusdt@depth@100ms"],"id":1}';
  const open = { kind: 'open', c: 1, stream: 'books/linear', part: 'linear', url: stream.url };
  const book = { kind: 'book', t: at(60), c: 1, part: 'linear', market: 'BTCUSDT', edges: [] };
  const { clock, url } = await gatewayOf(
    t,
    {
      0: [
        ...[head(0, null), { ...open, t: at(0) }],
        ...[{ kind: 'sent', t: at(1), c: 1, text: subscription }, [at(31), 1, { u: 1 }]],
        ...[{ kind: 'lost', t: at(32), lines: 3 }, [at(33), 1, { u: 9 }]],
      ],
      60: [
        head(60, 'binance/2026-11-29/120000000-p.jsonl.zst'),
        ...[
          { ...open, t: at(60), since: at(0), sent: [subscription] },
          book,
          [at(61), 1, { u: 10 }],
        ],
      ],
    },
    30,
  );
  const found: unknown[] = [];
  const connect = async () => {
    const socket = new WebSocket(stream.url.replace('wss:/', url.replace('http', 'ws')));
    t.teardown(() => socket.terminate());
    socket.on('message', (data) => found.push(JSON.parse(`${data}`)));
    await once(socket, 'open');
    socket.send(subscription);
    return socket;
  };
  const first = await connect();
  const over = once(first, 'close');
  await until(async () => {
    await clock.advance(100);
    return clock.now() > noon + 32_000;
  }, 'lines are lost');
  await over;
  await connect();
  await until(async () => {
    await clock.advance(1_000);
    return found.length > 2;
  }, 'the next file is read');
  t.match(found, [{ u: 1 }, { kind: 'book' }, { u: 10 }]);
});
