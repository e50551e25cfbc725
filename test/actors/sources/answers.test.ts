import t from 'tap';
import { failed, type Result, success } from '../../../actors/failure.ts';
import { createAnswers } from '../../../actors/sources/answers.ts';
import { InstrumentBook } from '../../../actors/sources/instruments.ts';
import { type Instrument, intervals } from '../../../actors/topics.ts';
import type { HttpClient } from '../../../actors/upstream/client.ts';
import type { UpstreamAnswer, UpstreamRequest } from '../../../actors/upstream/request.ts';
import { binance } from '../../../actors/venues/binance.ts';
import { okx } from '../../../actors/venues/okx.ts';
import type { Venue } from '../../../actors/venues/venue.ts';
import { FakeClock } from '../../support/clock.ts';

const instrument = (over: Partial<Instrument>): Instrument => ({
  market: 'BTCUSDT',
  kind: 'spot',
  symbol: 'BTC',
  quote: 'USDT',
  scale: 1,
  contract: 1,
  inverse: false,
  funding_hours: null,
  ...over,
});

function setup(reply: (request: UpstreamRequest) => Result<unknown>) {
  const clock = new FakeClock();
  const asked: { request: UpstreamRequest; deadline: number; urgent: boolean | undefined }[] = [];
  const client: HttpClient = {
    async send(request, { deadline, urgent }): Promise<Result<UpstreamAnswer>> {
      asked.push({ request, deadline, urgent });
      const result = reply(request);
      if (!result.ok) return result;
      return success({ body: result.value, asked: clock.now(), received: clock.now() });
    },
    state: () => ({ breaker: 'closed', pausedUntil: null, host: '' }),
    close: async () => {},
  };
  const book = new InstrumentBook();
  const list = (source: string, part: string, rows: Instrument[]) =>
    book.accept({ source, part, asked: 0, received: 0, rows });
  list('binance', 'spot', [instrument({})]);
  list('binance', 'linear', [
    instrument({ kind: 'perpetual' }),
    instrument({ market: 'PEPEUSDT', kind: 'perpetual', scale: 1000 }),
  ]);
  list('okx', 'swap', [instrument({ market: 'BTC-USDT-SWAP', kind: 'perpetual', contract: 0.01 })]);
  const venues = new Map<string, Venue>([
    ['binance', binance],
    ['okx', okx],
  ]);
  const clients = new Map([
    ['binance', client],
    ['okx', client],
  ]);
  const answers = createAnswers({ venues, clients, book, clock });
  return { answers, asked, book, clock, deadline: clock.now() + 10_000 };
}

const emptyBook = success({ bids: [], asks: [] });

t.test(
  'an order book is cut to what was asked and sorted, and asked urgently within its deadline',
  async (t) => {
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
    const { answers, asked, deadline, clock } = setup(() => success({ bids, asks }));
    await clock.advance(3_000);
    const reply = await answers.orderBook(
      { exchange: 'binance', market: 'BTCUSDT', depth: 2 },
      { deadline },
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
      { deadline: 7_000, urgent: true, request: { api: 'spot', query: { symbol: 'BTCUSDT' } } },
    ]);
  },
);

t.test('depth is capped at what the venue is served with', async (t) => {
  const { answers, asked, deadline } = setup(() => emptyBook);
  await answers.orderBook({ exchange: 'binance', market: 'BTCUSDT', depth: 5_000 }, { deadline });
  t.equal(asked[0]?.request.query?.limit, 50);
});

t.test(
  'one id on two markets: spot first, the other by kind; unlisted ids go by their form',
  async (t) => {
    const { answers, asked, deadline } = setup(() => emptyBook);
    const ask = (market: string, kind?: 'spot' | 'perpetual') =>
      answers.orderBook({ exchange: 'binance', market, kind, depth: 5 }, { deadline });
    await ask('BTCUSDT');
    await ask('BTCUSDT', 'perpetual');
    await ask('PEPEUSDT');
    await ask('btcusdt');
    await ask('nosuchthing');
    t.same(
      asked.map(({ request }) => [request.api, request.query?.symbol]),
      [
        ['spot', 'BTCUSDT'],
        ['linear', 'BTCUSDT'],
        ['linear', 'PEPEUSDT'],
        ['spot', 'BTCUSDT'],
        ['spot', 'nosuchthing'],
      ],
    );
  },
);

t.test('a question to a source that has only just started waits for its instruments', async (t) => {
  const levels = [['100', '5', '0', '1']];
  const { answers, book, clock, asked, deadline } = setup(() =>
    success({ code: '0', msg: '', data: [{ bids: levels, asks: levels, ts: '1700000000000' }] }),
  );
  const request = { exchange: 'okx', market: 'ETH-USDT', depth: 1 };
  const reply = answers.orderBook(request, { deadline });
  await clock.advance(1_000);
  t.equal(asked.length, 0);
  const row = instrument({ market: 'ETH-USDT', symbol: 'ETH' });
  book.accept({ source: 'okx', part: 'spot', asked: 0, received: 0, rows: [row] });
  t.match(await reply, { ok: true, value: { bids: [{ price: 100, quantity: 5 }] } });
  const late = setup(() => emptyBook);
  const unanswered = late.answers.orderBook(request, late);
  await late.clock.advance(3_000);
  t.match(await unanswered, { ok: false });
  t.equal(late.asked.length, 1, 'after three seconds it is asked as it is');
});

t.test('failures and unreadable bodies come back as values', async (t) => {
  const banned = setup(() => failed('unknown_instrument', 'no'));
  t.match(await banned.answers.orderBook({ exchange: 'binance', market: 'X', depth: 5 }, banned), {
    ok: false,
    failure: { code: 'unknown_instrument' },
  });
  for (const body of [null, '<html>', [], { bids: 3 }]) {
    const garbage = setup(() => success(body));
    const request = { exchange: 'binance', market: 'BTCUSDT', depth: 5 };
    t.match(await garbage.answers.orderBook(request, garbage), {
      ok: false,
      failure: { code: 'shape' },
    });
    if (Array.isArray(body)) continue; // An empty history is an answer.
    const bars = { exchange: 'binance', market: 'BTCUSDT', interval: '1h', limit: 5 } as const;
    t.match(await garbage.answers.candles(bars, garbage), {
      ok: false,
      failure: { code: 'shape' },
    });
  }
  const { answers, deadline } = setup(() => emptyBook);
  t.match(await answers.orderBook({ exchange: 'nosuch', market: 'X', depth: 5 }, { deadline }), {
    ok: false,
  });
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

t.test('1000 rows are put together from pages, ascending, without gaps or doubles', async (t) => {
  const now = new FakeClock().now();
  const { answers, asked, deadline } = setup(okxHistory(5_000, intervals['1h'], now));
  const reply = await answers.candles(
    { exchange: 'okx', market: 'BTC-USDT-SWAP', interval: '1h', limit: 1000 },
    { deadline },
  );
  if (!reply.ok) throw new Error(reply.failure.message);
  const { candles, kind, quote } = reply.value;
  t.same([kind, quote, candles.length, asked.length], ['perpetual', 'USDT', 1000, 4]);
  t.ok(
    candles.every(
      (c, i) => i === 0 || c.timestamp - (candles[i - 1]?.timestamp ?? 0) === 3_600_000,
    ),
  );
  t.equal(candles.at(-1)?.closed, false);
  t.equal(candles.at(-2)?.closed, true);
});

t.test('a page without anything new ends the paging', async (t) => {
  const now = new FakeClock().now();
  const { answers, asked, deadline } = setup(okxHistory(310, intervals['1h'], now));
  const reply = await answers.candles(
    { exchange: 'okx', market: 'BTC-USDT-SWAP', interval: '1h', limit: 1000 },
    { deadline },
  );
  t.equal(reply.ok && reply.value.candles.length, 310);
  t.equal(asked.length, 3);
});

t.test('an interval that the venue lacks is built from a shorter one', async (t) => {
  const now = new FakeClock().now();
  const { answers, asked, deadline } = setup(okxHistory(5_000, intervals['4h'], now));
  const reply = await answers.candles(
    { exchange: 'okx', market: 'BTC-USDT-SWAP', interval: '8h', limit: 10 },
    { deadline },
  );
  if (!reply.ok) throw new Error(reply.failure.message);
  const { candles } = reply.value;
  t.equal(asked[0]?.request.query?.bar, '4H');
  t.equal(candles.length, 10);
  t.ok(candles.every((c) => c.timestamp % intervals['8h'] === 0));
  t.match(candles[0], {
    open: 10,
    high: 12,
    low: 9,
    close: 11,
    volume: 2,
    turnover: 22,
    closed: true,
  });
});

t.test('where ids are mere numbers, the name does as well', async (t) => {
  const { book } = setup(() => emptyBook);
  const rows = [instrument({ market: '17', name: 'BTC', kind: 'perpetual' })];
  book.accept({ source: 'okx', part: 'swap', asked: 0, received: 0, rows });
  t.match(book.find(okx, 'BTC', undefined), { market: '17', part: 'swap' });
  t.match(book.find(okx, 'btc', 'perpetual'), { market: '17' });
  t.match(book.find(okx, '17', undefined), { market: '17' });
  t.match(book.find(okx, 'BTC', 'spot'), { instrument: null });
});
