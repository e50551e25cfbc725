import { yymmdd } from '../calendar.ts';
import {
  crossed,
  date,
  dated,
  equities,
  every,
  haltAt,
  halted,
  hundredOrTen,
  joined,
  listing,
  named,
  part,
  preopen,
  ranks,
  type Sort,
  slice,
  spot,
  stables,
  thousands,
  type Which,
  without,
  worth,
} from '../listing.ts';
import type { Asset } from '../symbols.ts';
import { dayOf, krakenId, nameOf } from '../venues/names.ts';

/** The USDC names of the USD books are no markets of their own. */
export const coinbaseMarkets = listing(
  'coinbase',
  without(6, 4),
  {
    spot: spot(10, 8, joined('-')),
    perpetual: {
      group: 'perpetual',
      id: (base) => `${base}-PERP`,
      scale: thousands(1e-4),
      digits: 10,
      lots: 4,
    },
  },
  [
    ['spot', 'USD', 0.06, undefined, haltAt(30)],
    ['spot', 'USDT', 0.002, ranks(0, 6)],
    ['spot', 'EUR', 0.004, ranks(0, 6)],
    ['spot', 'BTC', 0.001, ranks(1, 2)],
    ['spot', 'USD', 0.02, named('USDT')],
    ['perpetual', 'USDC', 0.015, part(0.5), (_, { i }) => (i === 12 ? halted : {})],
  ],
);

const cryptocomPerpetual: Sort = { group: 'all', id: joined('', '-PERP'), digits: 12, lots: 6 };
/** Contracts are settled in USD. */
export const cryptocomMarkets = listing(
  'cryptocom',
  without(5, 4),
  {
    spot: { ...spot(12, 6, joined('_')), group: 'all', kind: 'spot' },
    perpetual: cryptocomPerpetual,
  },
  [
    ['spot', 'USDT', 0.01],
    ['spot', 'USD', 0.02, slice(0, 60)],
    ['spot', 'USD', 0.01, stables],
    ['spot', 'BTC', 0.002, slice(1, 4)],
    ['perpetual', 'USD', 0.02, part(0.7), haltAt(Number.POSITIVE_INFINITY)],
    ['perpetual', 'USD', 0.02, equities],
    ['perpetual', 'USD', 0.0005, slice(0, 2), dated(date('-', '-PERP'))],
  ],
);

const deribitDated = dated(({ id }, expires) => id.replace('PERPETUAL', dayOf(expires)));
const deribitScaled = new Set(['PEPE', 'SHIB', 'BONK', 'FLOKI', 'SATS']);
/** A few spot pairs, USDC-settled perpetuals; inverse amounts are US dollars, in steps of 10 for BTC and of 1 for ETH. */
export const deribitMarkets = listing(
  'deribit',
  every,
  {
    spot: spot(8, 4, joined('_'), 7),
    linear: {
      ...{ group: 'linear', id: joined('_', '-PERPETUAL'), digits: 8, lots: 4 },
      scale: ({ symbol }) => (deribitScaled.has(symbol) ? 1000 : 1),
    },
    inverse: {
      ...{ group: 'inverse', id: (base) => `${base}-PERPETUAL`, inverse: true },
      decimals: ({ symbol }) => (symbol === 'BTC' ? 1 : 2),
      lot: ({ symbol }) => (symbol === 'BTC' ? -1 : 0),
    },
  },
  [
    ['spot', 'USDC', 0.01, slice(0, 4)],
    ['spot', 'USDT', 0.01, named('BTC', 'ETH')],
    ['spot', 'USDT', 0.01, named('USDC')],
    ['spot', 'BTC', 0.01, named('ETH')],
    ['linear', 'USDC', 0.01, slice(0, 60), haltAt(60)],
    ['linear', 'USDC', 0.01, equities],
    ['inverse', 'USD', 0.05, named('BTC', 'ETH')],
    ['linear', 'USDC', 0.01 / 20, named('BTC', 'ETH'), deribitDated],
    ['inverse', 'USD', 0.05 / 20, named('BTC', 'ETH'), deribitDated],
  ],
);

/** No spot, no quote but USD; some coins under the long tickers of decentralised exchanges. */
export const dydxMarkets = listing(
  'dydx',
  without(6, 4),
  {
    perp: {
      ...{ group: 'perp', digits: 12, lots: 6 },
      id: (base, _, { rank }) =>
        rank >= 20 && rank % 10 === 3
          ? `${base},raydium,${base.toLowerCase().padEnd(8, '1')}pump-USD`
          : `${base}-USD`,
    },
  },
  [['perp', 'USD', 0.01, undefined, haltAt(30)]],
);

const cheap = ({ price }: Asset) => price < 1e-6 || price === 0.000021;
const dear: Which = (coins) => coins.filter((coin) => !cheap(coin));
/** `BTC_USDT_20260327`. */
const gateDated = dated(({ id }, expires) => `${id}_20${yymmdd(expires)}`, { group: 'delivery' });
/** Contracts settled in `usdt`, `btc` and `usd1`, whole ones only. SATS and BONK have too many zeros for the prices. */
export const gateMarkets = listing(
  'gate',
  without(10, 8),
  {
    spot: spot(12, 6, joined('_')),
    leveraged: { ...spot(12, 6, (base) => `${base}3L_USDT`), kind: 'other', decimals: () => 4 },
    usdt: {
      group: 'usdt',
      id: joined('_'),
      contract: worth(10, { BTC: 0.0001 }),
      digits: 12,
      lot: 0,
    },
    scaled: {
      ...{ group: 'usdt', id: joined('_'), scale: () => 1000, digits: 10, lot: 0 },
      contract: (asset) => worth(10)(asset, 1) / 1000,
    },
    btc: { group: 'btc', id: joined('_'), inverse: true, decimals: () => 1, lot: 0 },
    usd1: {
      group: 'usd1',
      id: joined('_'),
      contract: worth(10, { BTC: 0.0001 }),
      digits: 12,
      lot: 0,
    },
  },
  [
    ['leveraged', 'USDT', 0.001, slice(0, 2), (_, { asset }) => ({ basis: 2.5 / asset.price - 1 })],
    ['spot', 'USDT', 0.04],
    ['spot', 'USDC', 0.003, slice(0, 6)],
    ['spot', 'BTC', 0.001, crossed(10)],
    ['spot', 'USDT', 0.02, named('USDC')],
    ['spot', 'BUSD', 0, slice(2, 4), halted],
    [
      'usdt',
      'USDT',
      0.1,
      (coins, all) => dear(coins, all).slice(0, -2),
      (_, { i }) => (i === 9 ? halted : {}),
    ],
    ['usdt', 'USDT', 0.1, (coins, all) => dear(coins, all).slice(-1), preopen],
    ['scaled', 'USDT', 0.1, (coins) => coins.filter(cheap)],
    ['usdt', 'USDT', 0.1, equities],
    ['btc', 'USD', 0.005, slice(0, 1)],
    ['usd1', 'USD1', 0.001, slice(0, 3)],
    ['usd1', 'USD1', 0.001, equities],
    ['usdt', 'USDT', 0.1 / 40, slice(0, 2), gateDated],
  ],
);

/** `BTC-USDT-260327`, and `BTC260327` of coin-margined ones. */
const htxLinear = dated(({ symbol }, expires) => `${symbol}-USDT-${yymmdd(expires)}`, {
  group: 'linearDated',
});
const htxDated = dated(({ symbol }, expires) => `${symbol}${yymmdd(expires)}`, { group: 'dated' });
const lower = (base: string, quote: string) => `${base}${quote}`.toLowerCase();
/** Whole contracts. One scaled base: 1000BONK. */
export const htxMarkets = listing(
  'htx',
  without(8, 6),
  {
    spot: spot(10, 6, lower),
    leveraged: { ...spot(10, 6, (base) => `${base}3susdt`.toLowerCase()), kind: 'other' },
    linear: {
      ...{ group: 'linear', id: joined('-'), digits: 10, lot: 0 },
      scale: ({ symbol }) => (symbol === 'BONK' ? 1000 : 1),
      contract: worth(10, { BTC: 0.001, ETH: 0.01 }),
    },
    inverse: {
      group: 'inverse',
      id: joined('-'),
      contract: hundredOrTen,
      inverse: true,
      digits: 10,
      lot: 0,
    },
  },
  [
    ['leveraged', 'USDT', 0.001, (coins) => coins.filter(({ symbol }) => symbol === 'XRP')],
    ['spot', 'USDT', 0.03, slice(0, -1)],
    ['spot', 'BTC', 0.001, crossed(8)],
    ['spot', 'USDT', 0.02, named('USDC')],
    ['spot', 'USDT', 0, slice(-1), halted],
    ['linear', 'USDT', 0.06, part(0.7)],
    ['linear', 'USDT', 0, slice(-1), halted],
    ['linear', 'USDT', 0.06 / 40, slice(0, 2), htxLinear],
    ['inverse', 'USD', 0.01, ranks(0, 6, 0.01)],
    ['inverse', 'USD', 0.01 / 40, slice(0, 2), htxDated],
  ],
);

const numbered =
  (first: number) =>
  (_base: string, _quote: string, { rank }: Asset) =>
    `@${first + rank}`;
const hyperliquidSpot = { group: 'spot', digits: 10, lots: 5 };
/** Perpetuals by name and spot pairs by number. */
export const hyperliquidMarkets = listing(
  'hyperliquid',
  every,
  {
    perp: {
      ...{ group: 'perp', id: (base: string) => base, scale: thousands(1e-3), digits: 8, lots: 5 },
      base: ({ symbol }, scale) => `${scale > 1 ? 'k' : ''}${symbol}`,
    },
    usdc: { ...hyperliquidSpot, id: numbered(100) },
    usdt: { ...hyperliquidSpot, id: numbered(200) },
    btc: { ...hyperliquidSpot, id: numbered(300) },
  },
  [
    ['perp', 'USDC', 0.08, (coins) => coins.filter(without(5, 4)), haltAt(40)],
    ['usdc', 'USDC', 0.01, ranks(0, 30), haltAt(20)],
    ['usdt', 'USDT', 0.01, slice(0, 3)],
    ['btc', 'BTC', 0.01, slice(1, 2)],
    ['usdc', 'USDC', 0.01, named('USDT'), { id: '@166' }],
  ],
);

const krakenInverse = { group: 'futures', inverse: true, digits: 10, lot: 0 } as const;
/** Spot under its own names of assets, and futures (`PF_`, `PI_`, `FI_`). */
export const krakenMarkets = listing(
  'kraken',
  without(7, 6),
  {
    spot: {
      ...{ group: 'spot', digits: 10, crossed: 9 },
      // Quantities of coins of the smallest prices have fewer decimals, so that no checksum is of more than 15 digits.
      lot: ({ price }: Asset) => (price < 1e-3 ? 5 : 8),
      id: (_, quote, { symbol }) => krakenId({ symbol, quote }),
    },
    linear: {
      group: 'futures',
      id: (_, __, { symbol }) => `PF_${nameOf(symbol)}USD`,
      digits: 10,
      lots: 4,
    },
    inverse: { ...krakenInverse, id: (_, __, { symbol }) => `PI_${nameOf(symbol)}USD` },
    fixed: { ...krakenInverse, id: (_, __, { symbol }) => `FI_${nameOf(symbol)}USD` },
  },
  [
    ['spot', 'USD', 0.02, undefined, haltAt(40)],
    ['spot', 'USDT', 0.004, ranks(0, 20)],
    ['spot', 'EUR', 0.004, ranks(0, 6)],
    ['spot', 'BTC', 0.001, ranks(1, 2)],
    ['spot', 'USD', 0.03, stables],
    ['linear', 'USD', 0.01, part(0.7)],
    ['inverse', 'USD', 0.001, part(0.7, 4)],
    ['fixed', 'USD', 0.0002, part(0.7, 1), dated(date('_'))],
  ],
);
