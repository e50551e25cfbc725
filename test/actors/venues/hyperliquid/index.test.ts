import { deflateRawSync } from 'node:zlib';
import t from 'tap';
import { candlesQuery } from '../../../../actors/sources/queries/candles.ts';
import { hyperliquid } from '../../../../actors/venues/hyperliquid/index.ts';
import { contextOf, received } from '../fixtures.ts';
import { context as listing } from '../stream-suite.ts';
import { wholeVenue } from '../suite/index.ts';

const { feeds } = hyperliquid;
const nothing = { received, instruments: new Map() };

const perps = contextOf(hyperliquid, 'perp');

t.test('weeks open on Mondays: its own open on Thursdays', async (t) => {
  // https://github.com/rainbow-me/rainbow/pull/6920
  const day = 86_400_000;
  const first = Date.UTC(2025, 9, 20);
  const bars = Array.from({ length: 14 }, (_, at) => {
    const [opened, price] = [first + at * day, 100 + at];
    return { t: opened, T: opened + day - 1, o: price, h: price + 1, l: price, c: price, v: 2 };
  });
  const instrument = perps.instruments.get('BTC');
  if (!instrument) throw new Error('no BTC');
  const now = Date.UTC(2025, 10, 3, 1);
  const about = { market: 'BTC', kind: 'perpetual', part: 'perp', instrument, now } as const;
  const asked = { ...about, interval: '1w', limit: 2 } as const;
  const query = candlesQuery(hyperliquid.queries.candles);
  const page = query.parse([bars], asked, now);
  const { candles } = query.whole([page], asked);
  t.strictSame(
    candles.map(({ timestamp, open, high, volume }) => [timestamp, open, high, volume]),
    [
      [first, 100, 107, 14],
      [first + 7 * day, 107, 114, 14],
    ],
  );
});

t.test('tokens that stand for an asset of another chain', async (t) => {
  const units = [
    'UBTC',
    'UETH',
    'USOL',
    'UFART',
    'UPUMP',
    'UBONK',
    'UUUSPX',
    'UXPL',
    'UDZ',
    'UANSEM',
  ];
  const all = [...units, 'HPENGU', 'USDT0', 'XAUT0', 'kHYPE', 'UNI', 'PUMP', 'FXRP', 'XMR1'];
  const tokens = [...all, 'USDC'].map((name, at) => ({
    ...{ name, index: 1_000 + at, fullName: units.includes(name) ? `Unit ${name}` : null },
  }));
  const universe = all.map((_, at) => ({
    name: `@${at}`,
    tokens: [1_000 + at, 1_000 + all.length],
  }));
  const { parse } = hyperliquid.feeds.instruments.parts.spot;
  const { rows } = parse([[{ tokens, universe }, []]], nothing).instruments;
  t.strictSame(
    rows.map(({ symbol }) => symbol).join(' '),
    'BTC ETH SOL FARTCOIN PUMP BONK SPX XPL 2Z ANSEM PENGU USDT XAUT KHYPE UNI PUMPHYPERLIQUID XRP XMR',
  );
});

t.test('tokens of shares are no coins, whatever coin has their ticker', async (t) => {
  const tokens = [
    { index: 0, name: 'USDC', fullName: null },
    { index: 1, name: 'MUX', fullName: 'Wrapped Micron Technology xStock' },
    { index: 2, name: 'EQNVDA', fullName: 'EQX Tokenized NVIDIA' },
    { index: 3, name: 'META', fullName: null },
    { index: 4, name: 'AAPL', fullName: null },
    { index: 5, name: 'PURR', fullName: null },
    { index: 6, name: 'MU', fullName: null },
    { index: 7, name: 'SPCX', fullName: null },
  ];
  const universe = [1, 2, 3, 4, 5, 6, 7].map((at) => ({ name: `@${at}`, tokens: [at, 0] }));
  const { parse } = hyperliquid.feeds.instruments.parts.spot;
  const { rows } = parse([[{ tokens, universe }, []]], nothing).instruments;
  t.strictSame(
    rows.map(({ symbol }) => symbol).join(' '),
    'MUX.STOCK EQNVDA.STOCK META.STOCK AAPL.STOCK PURR MU.STOCK SPCX.STOCK',
  );
});

t.test('a pair of unknown tokens is dropped', async (t) => {
  const body = [{ tokens: [], universe: [{ name: '@1', tokens: [5, 0] }, { name: '@2' }] }, []];
  const { rows, dropped } = feeds.instruments.parts.spot.parse([body], nothing).instruments;
  t.strictSame(rows, []);
  t.strictSame(dropped, [
    { key: '@1', code: 'bad_row' },
    { key: '@2', code: 'bad_row' },
  ]);
});

t.test('only a middle that is stated as null gives way to the mark price', async (t) => {
  const parse = (midPx: unknown) => {
    const context = { midPx, markPx: '105', prevDayPx: '100', dayNtlVlm: '7' };
    const { rows, dropped } = hyperliquid.feeds.prices.parts.perp.parse(
      [[{ universe: [{ name: 'BTC' }] }, [context]]],
      perps,
    ).prices;
    return [rows[0]?.price, dropped.length];
  };
  t.strictSame(parse('104'), [104, 0]);
  t.strictSame(parse(null), [105, 0]);
  for (const bad of ['', '0', 'garbage', '-1', undefined, {}]) {
    t.strictSame(parse(bad), [undefined, 1], `${bad}`);
  }
});

t.test('a context that is missing or broken loses its own market only', async (t) => {
  const part = feeds.prices.parts.spot;
  const context = contextOf(hyperliquid, 'spot');
  const universe = [{ name: '@107' }, { name: '@142' }, null];
  const body = [{ universe }, [null, { coin: '@107', midPx: '42', dayNtlVlm: '1' }, 7, {}]];
  const { rows, dropped } = part.parse([body], context).prices;
  t.match(rows, [{ market: '@107', price: 42, change: null }]);
  t.strictSame(dropped, [
    { key: '@142', code: 'bad_row' },
    { key: '', code: 'bad_row' },
  ]);
  const older = [{ universe: [{ name: '@107' }] }, [{ midPx: '42', dayNtlVlm: '1' }]];
  t.match(
    part.parse([older], context).prices.rows,
    [{ market: '@107', price: 42 }],
    'without names',
  );
  const perp = feeds.prices.parts.perp;
  const listed = listing([{ market: 'BTC' }, { market: 'ETH' }]);
  const one = [{ universe: [{ name: 'BTC' }, { name: 'ETH' }] }, [null, { midPx: '3600' }]];
  t.match(perp.parse([one], listed).prices.rows, [{ market: 'ETH', price: 3600, volume: null }]);
  t.strictSame(perp.parse([one], listed).prices.dropped, [{ key: 'BTC', code: 'bad_row' }]);
  t.throws(() => perp.parse([[{ universe: [{ name: 'BTC' }] }, []]], listed), {
    name: 'ShapeError',
  });
});

t.test(
  'contexts by stream: a market has the one at its position, whose mark price is its own',
  async (t) => {
    const { prices, openInterest } = hyperliquid.live;
    const context = { ...contextOf(hyperliquid, 'perp'), connection: {} };
    const told = {
      BTC: { markPx: '104000.0', midPx: '104000.5' },
      SOL: { markPx: '180', midPx: null },
    };
    const data = deflateRawSync(JSON.stringify(told)).toString('base64');
    prices.perp.parse({ channel: 'fastAssetCtxs', data }, context);
    const row = (markPx: string) => ({ markPx, midPx: markPx, openInterest: '5.0' });
    const contexts = ['104000.0', '0.0112', '0.3', '0.0112', '2.0'].map(row);
    const message = { channel: 'allDexsAssetCtxs', data: { ctxs: [['', contexts]] } };
    const parsed = openInterest.perp.parse(message, context)?.openInterest;
    t.match(parsed?.rows, [{ market: 'BTC', units: 5 }]);
    t.equal(parsed?.rows.length, 1, 'a market without a mark price waits for one');
    t.strictSame(parsed?.dropped, [{ key: 'SOL', code: 'suspect' }]);
    const near = (bitcoin: string) => {
      const data = { ctxs: [['', contexts.with(0, row(bitcoin))]] };
      const read = openInterest.perp.parse({ ...message, data }, context)?.openInterest;
      return read?.rows.some(({ market }) => market === 'BTC');
    };
    const limits = ['102960', '102959', '105040', '105041'];
    t.strictSame(limits.map(near), [true, false, true, false], '1 % around the mark');
  },
);

t.test('by stream a spot pair without quotes has no price: its mark may be very old', async (t) => {
  const context = { ...contextOf(hyperliquid, 'spot'), connection: {} };
  const priceAt = (midPx: unknown) => {
    const told = { '@107': { markPx: '93', midPx } };
    const data = deflateRawSync(JSON.stringify(told)).toString('base64');
    const { rows, dropped } =
      hyperliquid.live.prices.spot.parse({ channel: 'fastAssetCtxs', data }, context)?.prices ?? {};
    return [rows?.map(({ price }) => price), dropped];
  };
  t.strictSame(priceAt('92'), [[92], []]);
  t.strictSame(priceAt(null), [[], []]);
});

t.test('marks that are damaged inside', async (t) => {
  const { perp } = hyperliquid.live.prices;
  for (const one of [null, '', 'NaN', 'Infinity', '-1', 0, -1, true, {}, [], '<>']) {
    const context = { ...contextOf(hyperliquid, 'perp'), connection: {} };
    for (const marks of [
      { BTC: { markPx: one, midPx: '5' } },
      { BTC: { midPx: one } },
      { BTC: one },
    ]) {
      const data = deflateRawSync(JSON.stringify(marks)).toString('base64');
      const rows = perp.parse({ channel: 'fastAssetCtxs', data }, context)?.prices?.rows ?? [];
      t.ok(rows.every(({ price }) => price === 5));
    }
  }
});

wholeVenue(t, hyperliquid);
