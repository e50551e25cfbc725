import t from 'tap';
import { failed, type Result, success } from '../../../../actors/failure.ts';
import { LiveBooks } from '../../../../actors/sources/books/live-books.ts';
import { InstrumentBook } from '../../../../actors/sources/instruments.ts';
import { venueAnswers } from '../../../../actors/sources/queries/queries.ts';
import { NewestRows } from '../../../../actors/state/newest-rows.ts';
import {
  type Asking,
  type CandleParams,
  type Instrument,
  intervals,
  type OrderBookParams,
} from '../../../../actors/topics/index.ts';
import type { HttpClient } from '../../../../actors/upstream/client.ts';
import type { UpstreamAnswer, UpstreamRequest } from '../../../../actors/upstream/request.ts';
import { binance } from '../../../../actors/venues/binance/index.ts';
import { okx } from '../../../../actors/venues/okx/index.ts';
import { FollowedBook } from '../../../../indicators/order-book/followed-book.ts';
import { FakeClock } from '../../../support/clock.ts';
import { instrument as listed } from '../../../support/makers.ts';
import { around } from '../../../support/sources.ts';

const hour = intervals['1h'];

const instrument = (over: Partial<Instrument>) => listed({ kind: 'spot', ...over });

function stage(reply: (request: UpstreamRequest) => Result<unknown>) {
  const clock = new FakeClock();
  const asked: { request: UpstreamRequest; deadline: number; account: string | undefined }[] = [];
  const unknown: string[] = [];
  const client: HttpClient = {
    async send(request, { deadline, account }): Promise<Result<UpstreamAnswer>> {
      asked.push({ request, deadline, account });
      const result = reply(request);
      if (!result.ok) return result;
      return success({ body: result.value, asked: clock.now(), received: clock.now() });
    },
    state: () => ({ breaker: 'closed', pausedUntil: null, host: '' }),
    close: async () => {},
  };
  const newest = new NewestRows();
  const book = new InstrumentBook(newest);
  const list = (source: string, part: string, rows: Instrument[]) =>
    newest.accept('instruments', { source, part, asked: 0, received: 0, rows });
  list('binance', 'spot', [instrument({})]);
  list('binance', 'linear', [
    instrument({ kind: 'perpetual' }),
    instrument({ market: 'PEPEUSDT', kind: 'perpetual', scale: 1000 }),
  ]);
  list('binance', 'inverse', []);
  list('okx', 'swap', [instrument({ market: 'BTC-USDT-SWAP', kind: 'perpetual', contract: 0.01 })]);
  const onUnknown = (source: string) => void unknown.push(source);
  const live = new LiveBooks();
  const context = { book, clock, onUnknown, live, ...around(clock) };
  const venues: Readonly<Record<string, ReturnType<typeof venueAnswers>>> = {
    binance: venueAnswers(binance, client, context),
    okx: venueAnswers(okx, client, context),
  };
  type Of<P> = P & { exchange: string };
  const answers = {
    async orderBook({ exchange, ...params }: Of<OrderBookParams>, asking: Asking) {
      const result = await venues[exchange]?.orderBook?.(params, asking);
      if (!result?.ok) return result ?? failed('refused', 'no such exchange');
      return success(result.value.value);
    },
    async candles({ exchange, ...params }: Of<CandleParams>, asking: Asking) {
      const result = await venues[exchange]?.candles?.(params, asking);
      if (!result?.ok) return result ?? failed('refused', 'no such exchange');
      const { value, stale } = result.value;
      return success({ ...value, ...(stale && { stale }) });
    },
  };
  const asking = { deadline: clock.now() + 10_000, account: 'a' };
  return { live, answers, asked, unknown, book, newest, clock, list, asking };
}

const emptyBook = success({ bids: [], asks: [] });

t.test('an order book is cut and sorted, and asked with time for the reply', async (t) => {
  const bids = [
    ['99', '1'],
    ['100', '2'],
    ['98', '3'],
  ];
  const asks = [
    ['102', '1'],
    ['101', '2'],
    ['103', '3'],
  ];
  const { answers, asked, asking, clock } = stage(() => success({ bids, asks }));
  await clock.advance(3_000);
  const reply = await answers.orderBook(
    { exchange: 'binance', market: 'BTCUSDT', depth: 2 },
    asking,
  );
  t.same(reply, {
    ok: true,
    value: {
      market: 'BTCUSDT',
      bids: [
        { price: 100, quantity: 2 },
        { price: 99, quantity: 1 },
      ],
      asks: [
        { price: 101, quantity: 2 },
        { price: 102, quantity: 1 },
      ],
      timestamp: clock.now(),
    },
  });
  t.match(asked, [
    { deadline: 6_000, account: 'a', request: { api: 'spot', query: { symbol: 'BTCUSDT' } } },
  ]);
});

t.test('pages of the back-fill are not kept, those of clients are', async (t) => {
  const { answers, asked, asking } = stage(() => success([]));
  const params = { exchange: 'binance', market: 'BTCUSDT', interval: '1h', limit: 5 } as const;
  const ask = async (account: string) => {
    const { ok } = await answers.candles(params, { ...asking, account });
    t.ok(ok);
    return asked.length;
  };
  const counts = [await ask(''), await ask(''), await ask('a'), await ask('b')];
  const [first = 0, second = 0, third = 0, fourth] = counts;
  t.ok(0 < first && first < second && second < third, `each asks the exchange: ${counts}`);
  t.equal(fourth, third, 'the second client does not');
});

const bookOf = (bid: string, ask: string) => success({ bids: [[bid, '1']], asks: [[ask, '1']] });

t.test('a crossed book is requested again, and marked if it is still crossed', async (t) => {
  const crossed = bookOf('101', '100');
  const replies = (...list: Result<unknown>[]) => {
    const rest = [...list];
    return stage(() => rest.shift() ?? failed('network', 'asked too often'));
  };
  const request = { exchange: 'binance', market: 'BTCUSDT', depth: 5 };
  const sent = async (...list: Result<unknown>[]) => {
    const { answers, asked, asking } = replies(...list);
    const reply = await answers.orderBook(request, asking);
    if (!reply.ok) throw new Error(reply.failure.message);
    const { bids, asks, crossed } = reply.value;
    return [bids[0]?.price, asks[0]?.price, crossed, asked.length];
  };
  t.same(await sent(bookOf('99', '100')), [99, 100, undefined, 1]);
  t.same(await sent(crossed, bookOf('99', '100')), [99, 100, undefined, 2]);
  t.same(await sent(crossed, bookOf('103', '102')), [103, 102, true, 2]);
  t.same(await sent(bookOf('100', '100'), bookOf('100', '100')), [100, 100, true, 2], 'locked');
  for (const code of ['rate_limited', 'over_budget'] as const)
    t.same(await sent(crossed, failed(code, 'no')), [101, 100, true, 2]);
  t.same(await sent(success({ bids: [], asks: [['100', '1']] })), [undefined, 100, undefined, 1]);
});

t.test('candles of which too many are impossible are refused', async (t) => {
  const newest = Math.floor(new FakeClock().now() / hour) * hour;
  const reply = (bad: number, wrong: (time: number) => number) =>
    stage(() =>
      success(
        Array.from({ length: 10 }, (_, i) => {
          const time = newest - i * hour;
          const open = i < bad ? wrong(time) : time;
          return [open, '10', '12', '9', '11', '7', open + hour - 1, '77', 5, '3', '33', '0'];
        }),
      ),
    );
  const request = { exchange: 'binance', market: 'BTCUSDT', interval: '1h', limit: 10 } as const;
  for (const wrong of [(time: number) => time / 1000, (time: number) => time + 100 * hour]) {
    const few = reply(2, wrong);
    const answer = await few.answers.candles(request, few.asking);
    t.equal(answer.ok && answer.value.candles.length, 8, 'a fifth is left out');
    const many = reply(3, wrong);
    t.match(await many.answers.candles(request, many.asking), {
      ok: false,
      failure: { code: 'shape' },
    });
  }
});

t.test('depth is capped at what the venue is served with', async (t) => {
  const { answers, asked, asking } = stage(() => emptyBook);
  await answers.orderBook({ exchange: 'binance', market: 'BTCUSDT', depth: 5_000 }, asking);
  t.equal(asked[0]?.request.query?.limit, 50);
});

t.test('one id on two markets: spot first, the other by kind', async (t) => {
  const { answers, asked, asking } = stage(() => emptyBook);
  const ask = (market: string, kind?: 'spot' | 'perpetual') =>
    answers.orderBook({ exchange: 'binance', market, kind, depth: 5 }, asking);
  await ask('BTCUSDT');
  await ask('BTCUSDT', 'perpetual');
  await ask('PEPEUSDT');
  await ask('btcusdt');
  t.same(
    asked.map(({ request }) => [request.api, request.query?.symbol]),
    [
      ['spot', 'BTCUSDT'],
      ['linear', 'BTCUSDT'],
      ['linear', 'PEPEUSDT'],
      ['spot', 'BTCUSDT'],
    ],
  );
});

t.test('a question to a source whose lists are not all known', async (t) => {
  const { answers, asked, unknown, asking } = stage(() => emptyBook);
  const request = { exchange: 'okx', market: 'ETH-USDT', depth: 1 };
  const notReady = { ok: false, failure: { code: 'not_ready', retryAfter: 5_000 } };
  t.match(await answers.orderBook(request, asking), notReady);
  t.strictSame([asked, unknown], [[], []], 'the missing list may hold it');
  await answers.orderBook({ ...request, market: 'BTC-USDT-SWAP' }, asking);
  t.equal(asked.length, 1, 'what a list holds is asked');
});

t.test('what no list holds is never asked, and has the lists read', async (t) => {
  const { answers, asked, unknown, list, asking } = stage(() => emptyBook);
  const ask = (market: string, kind?: 'spot' | 'perpetual') =>
    answers.orderBook({ exchange: 'binance', market, kind, depth: 5 }, asking);
  const refused = { ok: false, failure: { code: 'unknown_instrument' } };
  t.match(await ask('nosuchthing'), refused);
  t.match(await ask('../../x?'), refused);
  t.match(await ask('PEPEUSDT', 'spot'), refused);
  const bars = { exchange: 'binance', market: 'NEWUSDT', interval: '1h', limit: 5 } as const;
  t.match(await answers.candles(bars, asking), refused);
  t.same(asked, []);
  t.same(unknown, ['binance', 'binance', 'binance', 'binance']);
  list('binance', 'spot', [instrument({ market: 'NEWUSDT' })]);
  t.ok((await ask('NEWUSDT')).ok, 'a new market is there with its list');
});

t.test('failures and unreadable bodies come back as values', async (t) => {
  const banned = stage(() => failed('unknown_instrument', 'no'));
  t.match(
    await banned.answers.orderBook(
      { exchange: 'binance', market: 'BTCUSDT', depth: 5 },
      banned.asking,
    ),
    { ok: false, failure: { code: 'unknown_instrument' } },
  );
  for (const body of [null, '<html>', [], { bids: 3 }]) {
    const garbage = stage(() => success(body));
    const request = { exchange: 'binance', market: 'BTCUSDT', depth: 5 };
    t.match(await garbage.answers.orderBook(request, garbage.asking), {
      ok: false,
      failure: { code: 'shape' },
    });
    if (Array.isArray(body)) continue; // An empty history is an answer.
    const bars = { exchange: 'binance', market: 'BTCUSDT', interval: '1h', limit: 5 } as const;
    t.match(await garbage.answers.candles(bars, garbage.asking), {
      ok: false,
      failure: { code: 'shape' },
    });
  }
});

/** OKX candles: newest first, at most 300 a page, back to the begin of a history of `rows`. */
function okxHistory(rows: number, length: number, now: number) {
  const newest = Math.floor(now / length) * length;
  return (request: UpstreamRequest) => {
    const { after, limit } = request.query ?? {};
    const from = after === undefined ? newest + length : Number(after);
    const data: string[][] = [];
    for (let at = from - length; data.length < Number(limit); at -= length) {
      if (at <= newest - rows * length) break;
      data.push([String(at), '10', '12', '9', '11', '100', '1', '11', at === newest ? '0' : '1']);
    }
    return success({ code: '0', msg: '', data });
  };
}

type Bars = Partial<Pick<CandleParams, 'interval' | 'limit' | 'from' | 'to'>>;

/** A source with `rows` candles of `length` ms; `bars` requests three hours of them, or what it is told. */
function history(rows: number, length: number) {
  const made = stage(okxHistory(rows, length, new FakeClock().now()));
  made.list('okx', 'spot', []);
  const bars = async (over: Bars = {}) => {
    const market = { exchange: 'okx', market: 'BTC-USDT-SWAP', interval: '1h', limit: 3 } as const;
    const deadline = made.clock.now() + 10_000;
    const reply = await made.answers.candles({ ...market, ...over }, { ...made.asking, deadline });
    if (!reply.ok) throw new Error(reply.failure.message);
    return reply.value;
  };
  return { ...made, bars };
}

t.test('1000 rows are put together from pages, ascending, without gaps or doubles', async (t) => {
  const { bars, asked } = history(5_000, hour);
  const { candles, kind, quote } = await bars({ limit: 1000 });
  t.same([kind, quote, candles.length], ['perpetual', 'USDT', 1000]);
  const limits = asked.map(({ request }) => Number(request.query?.limit));
  t.same(limits, [300, 300, 300, 100], 'no more rows than are missing');
  t.ok(candles.every((c, i) => i === 0 || c.timestamp - (candles[i - 1]?.timestamp ?? 0) === hour));
  t.equal(candles.at(-1)?.closed, false);
  t.equal(candles.at(-2)?.closed, true);
});

t.test('a page without anything new ends the paging', async (t) => {
  const { bars, asked } = history(310, hour);
  t.equal((await bars({ limit: 1000 })).candles.length, 310);
  t.equal(asked.length, 3);
});

t.test('candles of a range: the newest of it, kept longer where it has ended', async (t) => {
  const now = new FakeClock().now();
  const newest = Math.floor(now / hour) * hour;
  const { bars, asked, clock } = history(5_000, hour);
  const opens = async (range: Bars) =>
    (await bars(range)).candles.map(({ timestamp }) => (timestamp - newest) / hour);
  const [from, to] = [newest - 900 * hour, newest - 700 * hour];
  t.same(await opens({ to }), [-702, -701, -700], 'inclusive');
  t.same(await opens({ to: to + hour - 1 }), [-702, -701, -700], 'within one hour');
  t.same(await opens({ from, to: from + hour }), [-900, -899]);
  t.same(await opens({ from: newest - hour }), [-1, 0]);
  t.same(await opens({ from: newest - hour, to: now + 1 }), [-1, 0], 'of what is to come');
  t.same((await opens({ from, to, limit: 1_000 })).length, 201);
  const before = asked.length;
  t.same(asked[0]?.request.query?.after, to + hour);
  await clock.advance(30_000);
  await opens({ to });
  t.equal(asked.length, before);
});

t.test('the newest candles are kept for a second, not beyond the end of the last', async (t) => {
  const { bars, asked, clock } = history(5_000, hour);
  const left = hour - (clock.now() % hour);
  // After so many ms: how often the exchange was asked in all.
  const steps: [number, number, string][] = [
    [0, 1, 'the first time'],
    [999, 1, 'kept'],
    [1, 2, 'after a second'],
    [left - 1_001, 3, '1 ms before the end'],
    [1, 4, 'at the end'],
    [99, 4, 'no other has begun'],
    [1, 5, 'and after 100 ms'],
  ];
  for (const [wait, times, what] of steps) {
    await clock.advance(wait);
    await bars();
    t.equal(asked.length, times, what);
  }
});

t.test('an interval that the venue lacks is built from a shorter one', async (t) => {
  const { bars, asked } = history(5_000, intervals['4h']);
  const { candles } = await bars({ interval: '8h', limit: 10 });
  t.equal(asked[0]?.request.query?.bar, '4H');
  t.equal(candles.length, 10);
  t.ok(candles.every((c) => c.timestamp % intervals['8h'] === 0));
  const prices = { open: 10, high: 12, low: 9, close: 11 };
  t.match(candles[0], { ...prices, volume: 2, turnover: 22, closed: true });
});

t.test('where ids are mere numbers, the name does as well', async (t) => {
  const { book, newest } = stage(() => emptyBook);
  const rows = [instrument({ market: '17', name: 'BTC', kind: 'perpetual' })];
  newest.accept('instruments', { source: 'okx', part: 'swap', asked: 0, received: 0, rows });
  t.match(book.find(okx, 'BTC', undefined), { market: '17', part: 'swap' });
  t.match(book.find(okx, 'btc', 'perpetual'), { market: '17' });
  t.match(book.find(okx, '17', undefined), { market: '17' });
  t.equal(book.find(okx, 'BTC', 'spot'), null);
  const gone = instrument({ market: '3', name: 'BTC', kind: 'other' });
  for (const all of [
    [gone, ...rows],
    [...rows, gone],
  ]) {
    newest.accept('instruments', { source: 'okx', part: 'swap', asked: 1, received: 1, rows: all });
    t.match(book.find(okx, 'BTC', undefined), { market: '17' }, 'listed anew with a new id');
  }
});

t.test('a live book is the answer for as long as it is right, in base units', async (t) => {
  const { answers, asked, asking, live } = stage(() => failed('network', 'away'));
  const book = new FollowedBook({ rule: 'chained', most: 10, window: true, asked: false });
  const listed = instrument({ contract: 0.01 });
  live.put('binance', 'linear', listed.market, {
    instrument: listed,
    book,
    received: 1.7e12,
  });
  const question = { exchange: 'binance', market: 'BTCUSDT', kind: 'perpetual', depth: 1 } as const;
  t.notOk((await answers.orderBook(question, asking)).ok, 'no snapshot yet: the exchange is asked');
  const about = { last: 7, stated: 1.7e12 };
  book.take({ kind: 'snapshot', bids: [99, 50, 98, 1], asks: [101, 200], ...about });
  const found = await answers.orderBook(question, asking);
  const sides = { bids: [{ price: 99, quantity: 0.5 }], asks: [{ price: 101, quantity: 2 }] };
  const own = { market: 'BTCUSDT', timestamp: about.stated, source: 'live', sequence: 7 };
  t.same(found.ok && found.value, { ...sides, ...own });
  book.take({ kind: 'update', bids: [], asks: [], previous: 8, last: 9, stated: null });
  t.notOk((await answers.orderBook(question, asking)).ok, 'a message is missing');
  t.equal(asked.length, 2, 'before there was a book, and when there was none any more');
});
