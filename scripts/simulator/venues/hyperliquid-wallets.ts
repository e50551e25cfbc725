/** Hyperliquid: five hundred wallets with positions in its perpetuals. A part of each market is theirs, the rest nobody's. */

import { isLive } from '../answers.ts';
import { newestTrades } from '../events.ts';
import type { Market } from '../market.ts';
import { seedOf, unit } from '../noise.ts';
import type { Ask } from '../venue.ts';
import { decimal } from './hyperliquid-accounts.ts';

/** Wallets, and those of them that the leaderboard has. */
const count = 500;
const leaders = 250;
/** Part of the open interest of each side that is theirs while all of them hold it, and part of the time for which each does. */
const theirs = 0.9;
const holding = 0.95;
const minute = 60_000;

const addressOf = (n: number): string =>
  `0x${'b'.repeat(32)}${(n + 1).toString(16).padStart(8, '0')}`;
const numberOf = new Map(Array.from({ length: count }, (_, n) => [addressOf(n), n]));

/** How large a wallet is beside the others: the first ones hold most. */
const weightOf = (n: number): number => 1 / (n + 2) ** 0.5;

/** The holders of a market, with their part of a side of it; each is long or short in it. */
const holders = new WeakMap<Market, ReadonlyMap<number, number>>();
function holdersOf(market: Market): ReadonlyMap<number, number> {
  const known = holders.get(market);
  if (known) return known;
  const all = Array.from({ length: count }, (_, n) => n).filter(
    (n) => unit(seedOf(market.seed, `holder ${n}`), 1) < 0.12 || n === market.seed % count,
  );
  const whole = [0, 0];
  for (const [i, n] of all.entries()) whole[i % 2] = (whole[i % 2] ?? 0) + weightOf(n);
  const made = new Map(
    all.map((n, i) => [n, ((i % 2 === 0 ? 1 : -1) * weightOf(n)) / (whole[i % 2] ?? 1)]),
  );
  holders.set(market, made);
  return made;
}

/** The position of a wallet in a market, with its sign; 0 without one. It is opened and closed every hour or two. */
function sizeOf(market: Market, n: number, now: number): number {
  const part = holdersOf(market).get(n) ?? 0;
  const length = (60 + 60 * unit(seedOf(market.seed, `span ${n}`), 2)) * minute;
  const isHeld = unit(seedOf(market.seed, `held ${n}`), Math.floor(now / length)) < holding;
  return isHeld ? part * theirs * market.openInterest(now) : 0;
}

function positionOf(market: Market, n: number, now: number) {
  const size = sizeOf(market, n, now);
  const mark = market.exact(now);
  if (size === 0 || !isLive(market)) return [];
  const u = unit(seedOf(market.seed, `terms ${n}`), 3);
  const leverage = 2 + Math.floor(18 * u);
  const entry = mark * (1 + 0.06 * (unit(seedOf(market.seed, `entry ${n}`), 4) - 0.5));
  const sign = Math.sign(size);
  const digits = market.decimals + 2;
  const worth = Math.abs(size) * mark;
  return [
    {
      type: 'oneWay',
      position: {
        coin: market.id,
        szi: decimal(size, 6),
        leverage: { type: u < 0.7 ? 'cross' : 'isolated', value: leverage },
        entryPx: decimal(entry, digits),
        positionValue: decimal(worth, 6),
        unrealizedPnl: decimal(size * (mark - entry), 6),
        returnOnEquity: decimal(((sign * (mark - entry)) / entry) * leverage, 6),
        liquidationPx: u < 0.05 ? null : decimal(entry * (1 - (sign * 0.9) / leverage), digits),
        marginUsed: decimal(worth / leverage, 6),
        maxLeverage: 20,
        cumFunding: { allTime: '1.5', sinceOpen: decimal(worth * 1e-5, 6), sinceChange: '0.0' },
      },
    },
  ];
}

/** `clearinghouseState` of one of the wallets on a dex; null for any other address. */
export function walletState({ model, now }: Ask, user: string, group: string) {
  const n = numberOf.get(user.toLowerCase());
  if (n === undefined) return null;
  const markets = model.markets('hyperliquid', now, group);
  const assetPositions = markets.flatMap((market) => positionOf(market, n, now));
  const sum = (key: 'positionValue' | 'marginUsed') =>
    assetPositions.reduce((all, { position }) => all + Number(position[key]), 0);
  const margin = {
    accountValue: decimal(sum('marginUsed') * 1.6),
    totalNtlPos: decimal(sum('positionValue')),
    totalRawUsd: '0.0',
    totalMarginUsed: decimal(sum('marginUsed')),
  };
  return {
    marginSummary: margin,
    crossMarginSummary: margin,
    crossMaintenanceMarginUsed: '0.0',
    withdrawable: decimal(sum('marginUsed') * 0.6),
    assetPositions,
    time: now,
  };
}

/** The two wallets of a trade. */
const usersOf = (seed: number): string[] =>
  [1, 2].map((side) => addressOf(Math.floor(count * unit(seed, side))));

/** `recentTrades`: the newest hundred, the newest first. */
export const recentTrades = ({ now }: Ask, market: Market) =>
  newestTrades(market, now, 100).map(({ id, price, quantity, time, bought }) => ({
    coin: market.id,
    side: bought ? 'B' : 'A',
    px: decimal(price, market.decimals),
    sz: decimal(quantity, 6),
    time,
    hash: `0x${id.toString(16)}`,
    tid: id,
    users: usersOf(seedOf(market.seed, `trade ${id}`)),
  }));

/** `userFills`: one for each position of the wallet, when it was opened. */
export function fills(ask: Ask, user: string, groups: readonly string[]) {
  const n = numberOf.get(user.toLowerCase());
  if (n === undefined) return [];
  const all = groups.flatMap((group) => ask.model.markets('hyperliquid', ask.now, group));
  return all.flatMap((market, i) =>
    positionOf(market, n, ask.now).map(({ position: { coin, szi, entryPx } }) => ({
      coin,
      px: entryPx,
      sz: szi.replace('-', ''),
      side: szi.startsWith('-') ? 'A' : 'B',
      time: ask.now - (i + 1) * minute,
      startPosition: '0.0',
      closedPnl: '0.0',
      dir: szi.startsWith('-') ? 'Open Short' : 'Open Long',
      hash: `0x${i}`,
      oid: i + 1,
      crossed: true,
      fee: '0.5',
      feeToken: 'USDC',
      tid: i + 1,
    })),
  );
}

/** `frontendOpenOrders`: one that takes profit for each position. */
export const orders = (ask: Ask, user: string, group: string) =>
  (walletState(ask, user, group)?.assetPositions ?? []).map(
    ({ position: { coin, szi, entryPx } }, i) => ({
      coin,
      side: szi.startsWith('-') ? 'B' : 'A',
      limitPx: entryPx,
      origSz: '1.0',
      sz: szi.replace('-', ''),
      oid: 1_000 + i,
      timestamp: ask.now - hourOf(i),
      orderType: 'Take Profit Market',
      isTrigger: true,
      triggerPx: entryPx,
      reduceOnly: true,
      tif: null,
      cloid: null,
      isPositionTpsl: false,
      triggerCondition: 'Price above',
    }),
  );
const hourOf = (i: number): number => (i + 1) * 60 * minute;

/** The leaderboard: half of the wallets. */
export const leaderboard = ({ now }: Ask) => ({
  leaderboardRows: Array.from({ length: leaders }, (_, n) => ({
    ethAddress: addressOf(n * 2),
    accountValue: decimal(4e6 * weightOf(n * 2)),
    displayName: null,
    windowPerformances: ['day', 'week', 'month', 'allTime'].map((name) => [
      name,
      { pnl: decimal(1_000 * unit(n, now % 7)), roi: '0.01', vlm: '100000.0' },
    ]),
  })),
});
