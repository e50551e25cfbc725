import { priceDecimals } from '../format.ts';
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
  plain,
  preopen,
  ranks,
  since,
  slice,
  spot,
  stables,
  thousands,
  type Which,
  without,
} from '../listing.ts';
import type { MarketSpec } from '../market.ts';
import { ownNames } from '../venues/names.ts';

/** One of each kind is stopped, and one pair was never traded. */
export const asterMarkets = listing(
  'aster',
  without(8, 7),
  {
    spot: spot(10, 5),
    linear: { group: 'linear', id: plain, scale: thousands(1e-4), digits: 8, lots: 4 },
  },
  [
    ['spot', 'USDT', 0.01, slice(0, 24), haltAt(15)],
    ['spot', 'BTC', 0.001, slice(1, 3)],
    ['spot', 'USD1', 0, slice(-1), preopen],
    ['linear', 'USDT', 0.08, undefined, haltAt(30)],
    ['linear', 'USD1', 0.005, slice(0, 4)],
    ['linear', 'USDT', 0.1, equities],
  ],
);

/** In one list; about every third coin. */
export const backpackMarkets = listing(
  'backpack',
  ({ rank }) => rank < 12 || rank % 3 === 0,
  {
    spot: { group: 'all', kind: 'spot', id: joined('_'), digits: 10, lots: 5, crossed: 8 },
    perpetual: {
      group: 'all',
      id: joined('_', '_PERP'),
      base: ({ symbol, kind }, scale) =>
        `${scale > 1 ? 'k' : ''}${symbol}${kind === 'equity' ? '.US' : ''}`,
      ...{ scale: thousands(1e-4), digits: 10, lots: 5 },
    },
  },
  [
    ['spot', 'USDC', 0.002],
    ['spot', 'USDC', 0.001, named('USDT')],
    ['spot', 'BTC', 0.0005, named('ETH')],
    ['perpetual', 'USDC', 0.01, undefined, haltAt(15)],
    ['spot', 'USDC', 0, slice(-1), { id: 'SOON_USDC', ...preopen }],
    ['perpetual', 'USDC', 0.01, equities],
  ],
);

const binanceDated = dated(date('_', '_PERP'));
/** USD-margined (`fapi`) and coin-margined (`dapi`) contracts. Prices have 8 decimals at most: SATS by the thousand. */
export const binanceMarkets = listing(
  'binance',
  every,
  {
    spot: {
      ...{ ...spot(8, 5, plain, 8), scale: thousands(1e-6) },
      decimals: ({ price }, quote) =>
        quote === 'BTC' || quote === 'EUR'
          ? 8
          : priceDecimals(price * (price < 1e-6 ? 1000 : 1), 8),
    },
    fapi: { group: 'fapi', id: plain, scale: thousands(1e-4), digits: 7, lots: 3 },
    dapi: {
      ...{
        group: 'dapi',
        id: joined('', '_PERP'),
        contract: hundredOrTen,
        inverse: true,
        digits: 5,
        lot: 0,
      },
    },
  },
  [
    ['spot', 'USDT', 0.25, undefined, since('BTCUSDT', Date.UTC(2017, 7, 17))],
    ['spot', 'USDC', 0.03, ranks(0, 60)],
    ['spot', 'FDUSD', 0.04, ranks(0, 12)],
    ['spot', 'BTC', 0.004, crossed(30)],
    ['spot', 'EUR', 0.003, ranks(0, 8)],
    ['spot', 'USDT', 0.3, named('USDC')],
    ['spot', 'BUSD', 0.01, slice(9, 13), halted],
    ['fapi', 'USDT', 0.35, part(0.85), haltAt(60)],
    ['fapi', 'USDT', 0, slice(-1), preopen],
    ['fapi', 'USDC', 0.02, slice(0, 8)],
    ['fapi', 'USDT', 0.3, equities],
    ['fapi', 'USDT', 0.35 / 40, slice(0, 2), binanceDated],
    ['dapi', 'USD', 0.03, ranks(0, 24, 0.01)],
    ['dapi', 'USD', 0.03 / 40, slice(0, 2), binanceDated],
  ],
);

const bingxHalt = (_market: MarketSpec, { i, coins }: { i: number; coins: number }) =>
  i === Math.min(25, Math.ceil(coins * 0.9) - 1) ? halted : {};
/** Linear contracts count in base, inverse ones in dollars; the cheapest coins trade by the million. */
export const bingxMarkets = listing(
  'bingx',
  without(9, 8),
  {
    spot: spot(12, 8, joined('-')),
    linear: {
      ...{ group: 'linear', id: joined('-'), digits: 10, lots: 4 },
      scale: ({ price }) => (price < 1e-6 ? 1_000_000 : price < 1e-4 ? 1000 : 1),
    },
    inverse: {
      ...{
        group: 'inverse',
        id: joined('-'),
        contract: hundredOrTen,
        inverse: true,
        digits: 12,
        lot: 0,
      },
    },
    share: { group: 'linear', id: (base) => `NCSK${base}2USD-USDT`, digits: 10, lots: 4 },
  },
  [
    ['spot', 'USDT', 0.03, undefined, bingxHalt],
    ['spot', 'USDC', 0.002, ranks(0, 4)],
    ['spot', 'BTC', 0.001, ranks(1, 2)],
    ['linear', 'USDT', 0.06, part(0.9), haltAt(25)],
    ['linear', 'USDC', 0.004, part(0.9, 4)],
    ['inverse', 'USD', 0.002, part(0.9, 5)],
    ['share', 'USDT', 0.01, equities],
  ],
);

const bitfinexName = (symbol: string) => ownNames.get(symbol) ?? symbol;
/** Own names: UST is USDT, DSH is DASH; a colon between two currencies unless both have three letters. */
export const bitfinexMarkets = listing(
  'bitfinex',
  without(3, 2),
  {
    spot: {
      ...{ group: 'all', kind: 'spot', digits: 10, lots: 8, crossed: 9 },
      id(_, quote, { symbol }) {
        const [base, other] = [bitfinexName(symbol), bitfinexName(quote)];
        return `t${base}${base.length === 3 && other.length === 3 ? '' : ':'}${other}`;
      },
    },
    perpetual: {
      ...{ group: 'all', digits: 10, lots: 8 },
      id: (_, __, { symbol }) => `t${bitfinexName(symbol)}F0:USTF0`,
    },
  },
  [
    ['spot', 'USD', 0.02, undefined, since('tBTCUSD', Date.UTC(2013, 3, 1))],
    ['spot', 'USDT', 0.01, slice(0, 40)],
    ['spot', 'USD', 0.01, stables],
    ['spot', 'BTC', 0.002, slice(1, 6)],
    ['perpetual', 'USDT', 0.01, slice(0, 30), haltAt(30)],
  ],
);

const withoutBonk: Which = (coins) =>
  coins.filter(({ symbol }) => symbol !== 'BONK').slice(0, coins.length - 4);
const bitgetContracts = { digits: 12, lots: 6 };
/** All of them counted in the base. BONK trades by the thousand although its price would do. */
export const bitgetMarkets = listing(
  'bitget',
  without(8, 6),
  {
    spot: spot(12, 6),
    linear: { group: 'usdt-futures', id: plain, scale: thousands(1e-6), digits: 10, lots: 4 },
    bonk: { group: 'usdt-futures', id: plain, scale: () => 1000, digits: 7, lots: 4 },
    usdc: { group: 'usdc-futures', id: (base) => `${base}PERP`, ...bitgetContracts },
    coin: { group: 'coin-futures', id: plain, ...bitgetContracts },
  },
  [
    ['spot', 'USDT', 0.05],
    ['spot', 'USDC', 0.005, slice(0, 12)],
    ['spot', 'BTC', 0.001, crossed(12)],
    ['spot', 'USDT', 0.03, named('USDC')],
    ['spot', 'BUSD', 0, slice(3, 5), halted],
    ['linear', 'USDT', 0.1, withoutBonk, (_, { i }) => (i === 11 ? { ...halted, share: 0 } : {})],
    ['bonk', 'USDT', 0.02, (coins) => coins.filter(({ symbol }) => symbol === 'BONK')],
    ['linear', 'USDT', 0.05, equities],
    ['usdc', 'USDC', 0.005, slice(0, 5)],
    ['coin', 'USD', 0.005, ranks(0, 6, 0.01)],
    ['coin', 'USD', 0.005, slice(1, 2), dated(date('_'))],
  ],
);

const months = 'JAN FEB MAR APR MAY JUN JUL AUG SEP OCT NOV DEC'.split(' ');
/** `26JUN26`. */
function bybitExpiry({ symbol }: MarketSpec, expires: number): string {
  const time = new Date(expires);
  const day = String(time.getUTCDate()).padStart(2, '0');
  return `${symbol}-${day}${months[time.getUTCMonth()]}${time.getUTCFullYear() % 100}`;
}
/** Scaled bases come in two spellings: 1000PEPE and SHIB1000. USDC contracts are named without their quote. */
export const bybitMarkets = listing(
  'bybit',
  without(9, 8),
  {
    spot: spot(10, 6, plain, 8),
    linear: {
      ...{ group: 'linear', digits: 7, lots: 3 },
      scale: ({ price }) => (price >= 1e-4 ? 1 : price < 1e-6 ? 10_000 : 1000),
      base: ({ symbol }, scale) =>
        scale === 1 ? symbol : symbol === 'SHIB' ? `SHIB${scale}` : `${scale}${symbol}`,
      id: (base, quote) => `${base}${quote === 'USDC' ? 'PERP' : quote}`,
    },
    inverse: { group: 'inverse', id: plain, inverse: true, digits: 5, lot: 0 },
  },
  [
    ['spot', 'USDT', 0.08],
    ['spot', 'USDC', 0.01, slice(0, 20)],
    ['spot', 'BTC', 0.002, crossed(12)],
    ['spot', 'USDT', 0.05, named('USDC')],
    ['spot', 'BUSD', 0, slice(4, 6), halted],
    ['linear', 'USDT', 0.15, part(0.85)],
    ['linear', 'USDC', 0.01, slice(0, 6)],
    ['linear', 'USDT', 0, slice(-1), preopen],
    ['linear', 'USDT', 0.1, equities],
    ['linear', 'USDC', 0.002, slice(0, 1), dated(bybitExpiry)],
    ['inverse', 'USD', 0.02, ranks(0, 8, 0.01)],
  ],
);
