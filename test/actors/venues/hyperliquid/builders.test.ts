import { deflateRawSync } from 'node:zlib';
import t from 'tap';
import { failed } from '../../../../actors/failure.ts';
import { gather } from '../../../../actors/sources/polling/ask.ts';
import { excessesOf, reservedOf } from '../../../../actors/sources/polling/plan.ts';
import { hyperliquid } from '../../../../actors/venues/hyperliquid/index.ts';
import { classOfSymbol, isCoin, symbolOf } from '../../../../config/assets/symbols.ts';
import { bodiesOf, contextOf, received } from '../fixtures.ts';
import { upstream, worldOf } from '../readings.ts';

const list = hyperliquid.feeds.instruments.parts.builders;
const contexts = hyperliquid.feeds.prices.parts.builders;
const nothing = { received, instruments: new Map() };
const marketsIn = (all: readonly unknown[]) =>
  list.parse(all, nothing).instruments.rows.map(({ market }) => market);

const dex = (name: string) => ({ name, fullName: name });
const meta = (collateralToken: number, ...names: string[]) => ({
  universe: names.map((name) => ({ name, szDecimals: 2, maxLeverage: 3 })),
  collateralToken,
});
const tokens = { tokens: [{ index: 0, name: 'USDC', fullName: null }] };

t.test(
  'a dex that is new comes with its markets, and one ticker on two is two markets',
  async (t) => {
    const before = [[null, dex('one')], [meta(0, 'BTC'), meta(0, 'one:ABC')], tokens, undefined];
    const after = [
      [null, dex('one'), dex('two')],
      [meta(0, 'BTC'), meta(0, 'one:ABC'), meta(0, 'two:ABC')],
      tokens,
      [['two:ABC', 'stocks']],
    ];
    t.strictSame(marketsIn(before), ['one:ABC']);
    const { rows } = list.parse(after, nothing).instruments;
    t.match(rows, [
      { market: 'one:ABC', symbol: 'ONE:ABC', dex: 'one', asset_class: 'unknown' },
      { market: 'two:ABC', symbol: 'TWO:ABC', dex: 'two', asset_class: 'stock' },
    ]);
  },
);

t.test('lists of two moments: a dex that is in one of them only waits', async (t) => {
  const early = [[null, dex('one'), dex('two')], [meta(0, 'BTC'), meta(0, 'one:A')], tokens];
  t.strictSame(marketsIn(early), ['one:A']);
  const moved = [[null, dex('one')], [meta(0, 'BTC'), meta(0, 'two:A', 'one:B')], tokens];
  const { rows, dropped } = list.parse(moved, nothing).instruments;
  t.strictSame(
    [rows.map(({ market }) => market), dropped],
    [['one:B'], [{ key: 'two:A', code: 'bad_row' }]],
    'a market of another dex is not taken for one of this',
  );
  const unknown = [[null, dex('one')], [meta(0, 'BTC'), meta(77, 'one:A')], tokens];
  t.strictSame(list.parse(unknown, nothing).instruments.dropped, [
    { key: 'one:A', code: 'bad_row' },
  ]);
});

t.test(
  'a refused list of dexes: the last markets stand; without categories they have no class',
  async (t) => {
    const requests = list.requests({ markets: [], now: 0 });
    const refused = failed('refused', 'no');
    const answered = { ok: true as const, value: { body: [], asked: 0, received: 0, status: 200 } };
    const asked = (at: number) =>
      requests.map((request, i) => ({ request, result: i === at ? refused : answered }));
    t.match(gather(asked(0), 0), { ok: false }, 'the poll fails as a whole, and publishes nothing');
    t.match(gather(asked(3), 0), { ok: true, value: { missing: { code: 'refused' } } });
    t.equal(requests[0]?.weight, 20);
  },
);

t.test('dexes that trade are asked, each by itself, and all polls fit the budget', async (t) => {
  const { instruments } = contextOf(hyperliquid, 'builders');
  t.strictSame(contexts.names?.(instruments), ['xyz', 'hyna'], 'all of flx are delisted');
  const asked = contexts.requests({ markets: ['xyz', 'hyna'], now: 0 });
  t.match(asked, [
    { market: 'xyz', weight: 20, body: { type: 'metaAndAssetCtxs', dex: 'xyz' } },
    { market: 'hyna', weight: 20, body: { type: 'metaAndAssetCtxs', dex: 'hyna' } },
  ]);
  t.strictSame(excessesOf(hyperliquid), []);
  const { 'info/default': weight = NaN } = reservedOf(hyperliquid);
  // Each minute at most 12 dexes, 4 lists of builders, 2 lists of the exchange, and its contexts and pairs three times.
  t.ok(weight <= 20 * (12 + 4 + 2 + 2 * 3), `${weight}`);
});

t.test('one dex that fails costs its own markets', async (t) => {
  const [, hyna] = bodiesOf(hyperliquid, 'builders-prices');
  const { rows } = contexts.parse([undefined, hyna], contextOf(hyperliquid, 'builders')).prices;
  t.strictSame(
    rows.map(({ market }) => market),
    ['hyna:BTC', 'hyna:TSLA'],
  );
});

t.test('contexts by stream stand at their places within their dex', async (t) => {
  const context = { ...contextOf(hyperliquid, 'builders'), connection: {} };
  const { builders } = hyperliquid.live.openInterest;
  const marks = {
    'xyz:GOLD': { markPx: '3650', midPx: '3651' },
    'hyna:BTC': { markPx: '104000', midPx: null },
  };
  const data = deflateRawSync(JSON.stringify(marks)).toString('base64');
  builders.parse({ channel: 'fastAssetCtxs', data }, context);
  const row = (markPx: string, openInterest: string) => ({ markPx, midPx: markPx, openInterest });
  const ctxs = [
    ['', [row('104000', '9')]],
    ['hyna', [row('104010', '7'), row('404', '6')]],
    ['late', [row('1', '1')]],
    ['xyz', [row('400', '1'), row('3652', '2'), row('7', '3'), row('1.1', '4'), row('12', '5')]],
  ];
  const parsed = builders.parse({ channel: 'allDexsAssetCtxs', data: { ctxs } }, context);
  t.match(parsed?.openInterest?.rows, [
    { market: 'xyz:GOLD', units: 2 },
    { market: 'hyna:BTC', units: 7 },
  ]);
});

t.test(
  'the world of the simulator has three dexes: one of delisted markets, one with another collateral',
  async (t) => {
    const world = worldOf(hyperliquid, 'builders', upstream(hyperliquid));
    const rows = [...world.values()].map(({ dex, quote, kind }) => `${dex} ${quote} ${kind}`);
    t.strictSame(
      [...new Set(rows)],
      ['xyz USDC perpetual', 'xyz USDC other', 'flx USDH other', 'hyna USDE perpetual'],
    );
    t.match(world.get('xyz:GOLD'), { symbol: 'XYZ:GOLD', asset_class: 'unknown' });
  },
);

t.test('symbols say whether they are those of coins', async (t) => {
  t.strictSame(
    ['BTC', 'HYNA:BTC', 'DASH.STOCK', 'XYZ:TSLA'].map((symbol) => [
      isCoin(symbol),
      classOfSymbol(symbol),
    ]),
    [
      [true, 'crypto'],
      [false, 'crypto'],
      [false, 'stock'],
      [false, 'crypto'],
    ],
  );
  t.equal(symbolOf('DASH', 'crypto'), 'DASH');
  t.equal(symbolOf('XYZ:TSLA', 'stock'), 'XYZ:TSLA');
});
