import t from 'tap';
import { gate } from '../../../../actors/venues/gate/index.ts';
import { connection } from '../../../../actors/venues/gate/streams.ts';
import { instrument } from '../../../support/makers.ts';
import { contextOf, ownPoll } from '../fixtures.ts';
import { listed } from '../stream-suite.ts';
import { wholeVenue } from '../suite/index.ts';

/** A contract of ten units. */
const contractOf = (market: string) => instrument({ market, kind: 'perpetual', contract: 10 });

const nothing = { received: 0, instruments: new Map() };

t.test('every message that is sent states the time of our clock, in seconds', async (t) => {
  const { stamp, keepAlive } = connection('futures');
  const sent = [...gate.live.prices.usdt.channels(contextOf(gate, 'usdt').instruments)];
  for (const message of [...sent, keepAlive.message]) {
    const { time, ...rest } = JSON.parse(stamp(message, 1_764_000_123_456));
    t.equal(time, 1_764_000_123);
    const { time: _, ...unstamped } = JSON.parse(message);
    t.strictSame(rest, unstamped, 'and nothing else changes');
  }
});

t.test('an acknowledgement stands for all names of its message', (t) => {
  const list = listed(Array.from({ length: 23 }, (_, at) => ({ market: `A${at}_USDT` })));
  const { acknowledges } = connection('futures');
  const told = gate.live.prices.usdt.channels(list).map((sent) => {
    const { id, channel, event } = JSON.parse(sent);
    return { id, channel, event, error: null, result: { status: 'success' } };
  });
  t.strictSame(told.map(acknowledges), [20, 3]);
  const [first] = told;
  const others = [
    { ...first, id: undefined },
    { ...first, error: { code: 2 } },
  ];
  t.strictSame(others.map(acknowledges), [1, 0], 'older answers lack the id');
  t.end();
});

t.test('a list of contracts that is longer than its pages is named', async (t) => {
  const { parse } = ownPoll(gate, 'instruments', 'usdt');
  const contract = { quanto_multiplier: '0.0001', funding_interval: 28_800, in_delisting: false };
  const page = (first: number, length: number) =>
    Array.from({ length }, (_, at) => ({ ...contract, name: `A${first + at}_USDT` }));
  const cut = parse([page(0, 1_000), page(1_000, 1_000)], nothing);
  t.equal(cut.rows.length, 2_000);
  t.strictSame(cut.dropped, [{ key: 'list', code: 'list_cut_off' }]);
  t.strictSame(parse([page(0, 1_000), page(1_000, 999)], nothing).dropped, []);
  t.strictSame(parse([page(0, 3)], nothing).dropped, []);
});

t.test('candles that are refused as too old are not asked for', async (t) => {
  const market = 'BTC_USDT';
  const now = 1_780_000_000_000;
  const minutes = 60_000;
  const asked = { market, part: 'usdt', instrument: contractOf(market), now, limit: 100 } as const;
  const basisOf = (to: number) =>
    gate.queries.basisHistory
      .requests({ ...asked, interval: '5m', to })
      .map(({ query }) => [query?.contract, Number(query?.from), Number(query?.to)]);
  const from = now / 1_000 - 9_990 * 300;
  t.strictSame(basisOf(now - 9_950 * 5 * minutes), [
    ['mark_BTC_USDT', from, now / 1_000 - 9_950 * 300],
    ['index_BTC_USDT', from, now / 1_000 - 9_950 * 300],
  ]);
  t.strictSame(
    basisOf(now - 20_000 * 5 * minutes).map(([, ...times]) => times),
    [
      [from, from],
      [from, from],
    ],
  );
  t.ok((gate.queries.candles.kept ?? Infinity) < 10_000);
});

t.test('an unknown name leaves the message that it was in', (t) => {
  const { channels, refuses, parse } = gate.live.prices.usdt;
  const instruments = contextOf(gate, 'usdt').instruments;
  const sent = channels(instruments);
  const refusal = (message: string) => ({
    time: 1_790_000_000,
    channel: 'futures.tickers',
    event: 'subscribe',
    payload: ['BTC_USDT'],
    error: { code: 2, message },
    result: { status: 'fail' },
  });
  const names = [...instruments.keys()].filter((name) => name !== 'PEPE_USDT');
  const rest = JSON.stringify({ ...JSON.parse(sent[0] ?? ''), id: names.length, payload: names });
  const unknown = refusal('unknown contract PEPE_USDT');
  t.strictSame(refuses?.(unknown, sent), { of: sent[0], rest });
  t.throws(() => parse(unknown, { instruments, received: 0, connection: {} }), {
    message: 'Gate error: unknown contract PEPE_USDT',
  });
  t.strictSame(refuses?.(refusal(`unknown: ${[...instruments.keys()]}`), sent), {
    of: sent[0],
    rest: null,
  });
  const other = { ...unknown, event: 'unsubscribe' };
  const update = { ...unknown, event: 'update', error: null };
  for (const message of [refusal('Alert sub'), other, update, null, 'x'])
    t.equal(refuses?.(message, sent), null);
  t.end();
});

wholeVenue(t, gate);

t.test('sizes of contracts are fractions: requests and handshakes ask for them', (t) => {
  const { apis, live, books, events, queries } = gate;
  const asked = { 'x-gate-size-decimal': '1' };
  t.strictSame(apis.futures.headers, asked);
  for (const { headers } of [
    live.prices.usdt,
    live.prices.btc,
    books.usdt,
    events.liquidations.usdt,
  ])
    t.strictSame(headers, asked);
  t.strictSame([live.prices.spot.headers, 'headers' in apis.spot], [{}, false]);

  const market = 'AAA_USDT';
  const instrument = contractOf(market);
  const at = { part: 'usdt' as const, market, instrument };
  const trade = { contract: market, price: '20.5' };
  const read = queries.recentTrades.parse(
    [
      [
        {
          ...trade,
          id: 12,
          create_time: 1_790_000_001,
          create_time_ms: 1_790_000_001.25,
          size: '0.7',
        },
        {
          ...trade,
          id: 11,
          create_time: 1_790_000_000,
          create_time_ms: 1_790_000_000.5,
          size: '-2.3',
        },
      ],
    ],
    { ...at, limit: 10, now: 1_790_000_002_000 },
    1_790_000_002_000,
  );
  t.strictSame(
    read.trades.map(({ quantity, bought }) => [quantity, bought]),
    [
      [7, true],
      [23, false],
    ],
  );
  const book = queries.orderBook.parse(
    {
      current: 1_790_000_000.2,
      asks: [{ p: '20.6', s: '0.4' }],
      bids: [{ p: '20.4', s: '1.5' }],
    },
    at,
  );
  t.strictSame(
    [book.asks, book.bids],
    [[{ price: 20.6, quantity: 4 }], [{ price: 20.4, quantity: 15 }]],
    'the best ask is there',
  );
  const streamed = books.usdt.parse(
    {
      channel: 'futures.obu',
      event: 'update',
      result: {
        t: 1_790_000_000_123,
        full: true,
        s: `ob.${market}.400`,
        u: 9,
        a: [['20.6', '0.4']],
        b: [],
      },
    },
    { received: 0, instruments: new Map([[market, instrument]]) },
  );
  t.strictSame(streamed?.updates[0]?.asks, [20.6, 0.4]);
  t.end();
});
