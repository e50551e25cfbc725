/** KuCoin to WOO X: what the simulated venues list: the form of their ids, and which coins trade in them. */
import { yymmdd } from '../calendar.ts';
import { lotDecimals, priceDecimals } from '../format.ts';
import {
  crossed,
  dated,
  equities,
  haltAt,
  halted,
  hundredOrTen,
  joined,
  listing,
  type More,
  named,
  part,
  plain,
  preopen,
  ranks,
  slice,
  spot,
  stables,
  thousands,
  type Which,
  without,
  worth,
} from '../listing.ts';
import type { MarketSpec } from '../market.ts';
import type { Asset } from '../symbols.ts';
import { nativeBase, valueScale } from '../venues/names.ts';

const kucoinMonth = 'HMUZ';
/** Quarterly futures: `XBTMZ25`. */
function kucoinExpiry(_: MarketSpec, expires: number): string {
  const time = new Date(expires);
  return `XBTM${kucoinMonth[Math.floor(time.getUTCMonth() / 3)]}${time.getUTCFullYear() % 100}`;
}
/** Futures linear, inverse and dated in one list; whole contracts. */
export const kucoinMarkets = listing(
  'kucoin',
  without(10, 9),
  {
    spot: spot(10, 8, joined('-')),
    leveraged: { ...spot(10, 8, (base) => `${base}3L-USDT`), kind: 'other' },
    linear: {
      ...{ group: 'futures', id: joined('', 'M'), digits: 10, lot: 0 },
      scale: ({ symbol }) => (symbol === 'PEPE' || symbol === 'BONK' ? 1000 : 1),
      base: ({ symbol }, scale) => nativeBase({ symbol, scale }),
      contract: worth(10, { BTC: 0.001, ETH: 0.01 }),
    },
    inverse: {
      ...{ group: 'futures', id: joined('', 'M'), inverse: true, digits: 10, lot: 0 },
      base: ({ symbol }) => nativeBase({ symbol, scale: 1 }),
    },
  },
  [
    ['spot', 'USDT', 0.04, slice(0, -1)],
    ['spot', 'USDC', 0.004, slice(0, 6)],
    ['spot', 'BTC', 0.001, crossed(8)],
    ['spot', 'USDT', 0.02, named('USDC')],
    ['leveraged', 'USDT', 0.001, slice(0, 1)],
    ['spot', 'USDT', 0, slice(-1), halted],
    ['linear', 'USDT', 0.08, part(0.8)],
    ['linear', 'USDC', 0.004, slice(0, 3)],
    ['linear', 'USDT', 0, slice(-1), halted],
    ['inverse', 'USD', 0.01, ranks(0, 4, 0.01)],
    ['inverse', 'USD', 0.0005, slice(0, 1), dated(kucoinExpiry)],
  ],
);

/** ETH is 0 and BTC is 1. */
const ordered: Which = (coins) => {
  const place = ({ symbol, rank }: Asset) => ['ETH', 'BTC'].indexOf(symbol) + 1 || rank + 3;
  return coins.toSorted((a, b) => place(a) - place(b));
};
const lighterId = () => '';
const lighterPerpetuals: Which = (coins, all) => [...ordered(coins, all), ...equities(coins, all)];
const lighterPlace: More = (_, { i, coins }) => ({
  id: String(i),
  ...(i === Math.min(12, coins - 1) && preopen),
  ...(i === Math.min(10, coins - 1) && halted),
});
/** Perpetuals with ids from 0, spot pairs with ids from 2048. */
export const lighterMarkets = listing(
  'lighter',
  without(4, 3),
  {
    perpetual: { group: 'all', id: lighterId, scale: thousands(1e-3), digits: 10, lots: 5 },
    spot: { group: 'all', kind: 'spot', id: lighterId, digits: 12, lots: 5, crossed: 8 },
  },
  [
    ['perpetual', 'USDC', 0.015, lighterPerpetuals, lighterPlace],
    [
      'spot',
      'USDC',
      0.001,
      (coins, all) => ordered(coins, all).slice(0, 8),
      (_, { i }) => ({ id: String(2048 + i) }),
    ],
    [
      'spot',
      'BTC',
      0.001,
      named('ETH'),
      (_, { coins }) => ({ id: String(2048 + Math.min(8, coins)) }),
    ],
  ],
);

/** Whole contracts, linear and inverse ones in one list. One scaled base (1000BONK); shares end in STOCK. */
export const mexcMarkets = listing(
  'mexc',
  without(11, 10),
  {
    spot: spot(10, 6),
    leveraged: { ...spot(10, 6, (base) => `${base}3LUSDT`), kind: 'other' },
    linear: {
      ...{ group: 'contracts', id: joined('_'), digits: 10, lot: 0 },
      scale: ({ symbol }) => (symbol === 'BONK' ? 1000 : 1),
      base: ({ symbol, kind }, scale) =>
        `${scale > 1 ? scale : ''}${symbol}${kind === 'equity' ? 'STOCK' : ''}`,
      contract: worth(10, { BTC: 0.0001, ETH: 0.01 }),
    },
    inverse: {
      group: 'contracts',
      id: joined('_'),
      contract: hundredOrTen,
      inverse: true,
      digits: 10,
      lot: 0,
    },
  },
  [
    ['spot', 'USDT', 0.05, slice(0, -1)],
    ['spot', 'USDC', 0.005, slice(0, 6)],
    ['spot', 'BTC', 0.001, crossed(8)],
    ['spot', 'USDT', 0.02, named('USDC')],
    ['leveraged', 'USDT', 0.001, slice(0, 1)],
    ['spot', 'USDT', 0, slice(-1), halted],
    ['linear', 'USDT', 0.1, part(0.85)],
    ['linear', 'USDC', 0.005, slice(0, 3)],
    ['linear', 'USDT', 0, slice(-1), halted],
    ['linear', 'USDT', 0.1, equities],
    ['inverse', 'USD', 0.01, ranks(0, 4, 0.01)],
  ],
);

const okxDated = dated(({ id }, expires) => id.replace('SWAP', yymmdd(expires)), {
  group: 'FUTURES',
});
/** Linear and inverse swaps in one group, and dated futures. */
export const okxMarkets = listing(
  'okx',
  without(7, 6),
  {
    spot: { ...spot(13, 8, joined('-')), group: 'SPOT', kind: 'spot' },
    linear: {
      ...{ group: 'SWAP', id: joined('-', '-SWAP'), digits: 13, lot: 2 },
      contract: worth(100, { BTC: 0.01, ETH: 0.1 }),
    },
    inverse: {
      group: 'SWAP',
      id: joined('-', '-SWAP'),
      contract: hundredOrTen,
      inverse: true,
      digits: 13,
      lot: 0,
    },
  },
  [
    ['spot', 'USDT', 0.08],
    ['spot', 'USDC', 0.01, ranks(0, 40)],
    ['spot', 'USD', 0.01, ranks(0, 10)],
    ['spot', 'BTC', 0.002, crossed(20)],
    ['spot', 'EUR', 0.002, ranks(0, 6)],
    ['spot', 'USD', 0.02, stables],
    ['spot', 'USDT', 0.02, named('USDC')],
    ['linear', 'USDT', 0.15, part(0.8), haltAt(60)],
    ['linear', 'USDC', 0.01, part(0.8, 5)],
    ['inverse', 'USD', 0.02, part(0.8, 5)],
    ['linear', 'USDT', 0, slice(-1), preopen],
    ['linear', 'USDT', 0.15 / 40, part(0.8, 2), okxDated],
    ['inverse', 'USD', 0.02 / 40, part(0.8, 2), okxDated],
  ],
);

const delisted = { ...halted, share: 0 };
/** Spot and inverse in scaled integers: the price is that of 10^8 or 10^4 coins; contracts of 1 USD. */
export const phemexMarkets = listing(
  'phemex',
  without(8, 7),
  {
    spot: {
      ...{
        group: 'spot',
        id: (base: string, quote: string) => `s${base}${quote}`,
        base: ({ symbol }) => symbol,
      },
      scale: () => 1e8,
      contract: ({ price }) => 10 ** -valueScale(price) / 1e8,
      decimals: ({ price }, quote) => (quote === 'BTC' ? 0 : priceDecimals(price, 8) - 8),
      lot: ({ price }) => lotDecimals(price, valueScale(price)) - valueScale(price),
    },
    linear: {
      ...{ group: 'linear', id: plain, scale: thousands(1e-3), digits: 8, lots: 3 },
      base: ({ symbol }, scale) => `${scale > 1 ? 'u1000' : ''}${symbol}`,
    },
    inverse: {
      ...{ group: 'inverse', id: plain, scale: () => 1e4, inverse: true, lot: 0 },
      base: ({ symbol }) => `${symbol === 'BTC' ? '' : 'c'}${symbol}`,
      decimals: ({ price }) => priceDecimals(price, 4) - 4,
    },
  },
  [
    ['spot', 'USDT', 0.04],
    ['spot', 'USDC', 0.005, slice(0, 8)],
    ['spot', 'BTC', 0.001, slice(1, 4)],
    ['spot', 'USDT', 0.02, named('USDC')],
    ['spot', 'USDC', 0, slice(9, 11), delisted],
    ['linear', 'USDT', 0.08, part(0.8)],
    ['linear', 'USDC', 0.01, slice(0, 4)],
    ['linear', 'USDC', 0, slice(5, 7), delisted],
    ['linear', 'USDC', 0.01, slice(-1), preopen],
    ['linear', 'USDT', 0.05, equities],
    ['inverse', 'USD', 0.01, slice(0, 2)],
    ['inverse', 'USD', 0, slice(2, 3), delisted],
  ],
);

/** About four coins of five; none is scaled. */
export const whitebitMarkets = listing(
  'whitebit',
  without(5, 4),
  {
    spot: spot(12, 6, joined('_')),
    futures: { group: 'futures', id: (base) => `${base}_PERP`, digits: 12, lots: 6 },
  },
  [
    ['spot', 'USDT', 0.03],
    ['spot', 'EUR', 0.002, ranks(0, 8)],
    ['spot', 'BTC', 0.001, crossed(10)],
    ['spot', 'USDT', 0.03, named('USDC')],
    ['spot', 'BUSD', 0, slice(2, 4), halted],
    ['futures', 'USDT', 0.02, part(0.6), haltAt(20)],
    ['futures', 'USDT', 0.02, equities],
  ],
);

/** All in USDT but for one pair. */
export const wooMarkets = listing(
  'woo',
  without(5, 4),
  {
    spot: spot(12, 6, (base, quote) => `SPOT_${base}_${quote}`, 8),
    perp: { group: 'perp', id: (base, quote) => `PERP_${base}_${quote}`, digits: 12, lots: 6 },
  },
  [
    ['spot', 'USDT', 0.005, slice(0, 24)],
    ['spot', 'USDT', 0.01, named('USDC')],
    ['spot', 'BTC', 0.001, slice(1, 2)],
    ['spot', 'USDT', 0, slice(24, 25), halted],
    ['perp', 'USDT', 0.01, undefined, haltAt(Number.POSITIVE_INFINITY, { share: 0 })],
  ],
);
