/** Hyperliquid: vaults and accounts. Source: the venue's public API documentation. */
import { plain } from '../format.ts';
import { unit } from '../noise.ts';
import type { Ask } from '../venue.ts';

const hour = 3_600_000;
const day = 24 * hour;
const id = 'hyperliquid';

/** The vault of the protocol: it makes markets, and holds a small part of all positions. */
export const vault = '0xdfc24b077bc1425ad1dea75bcb6f8158e10df303';

/** Decimal numbers always show a point: `5.0`. */
export const decimal = (value: number, decimals = 6): string => {
  const digits = plain(value, decimals);
  return digits.includes('.') ? digits : `${digits}.0`;
};

const live = ({ model, now }: Ask) =>
  model.markets(id, now, 'perp').filter(({ state }) => state === 'live');

/** Value of all positions, USD. */
const positions = (ask: Ask): number =>
  live(ask).reduce((sum, m) => sum + m.openInterest(ask.now) * m.exact(ask.now), 0);

/** `perpsAtOpenInterestCap`. */
export const capped = (ask: Ask): string[] =>
  live(ask)
    .filter(({ seed }) => seed % 29 === 0)
    .map((market) => market.id);

/** `clearinghouseState`: an empty account unless it is the vault's. */
export function account(ask: Ask, user: string) {
  const total = user.toLowerCase() === vault ? positions(ask) * 0.05 : 0;
  return {
    marginSummary: {
      accountValue: decimal(total * 2),
      totalNtlPos: decimal(total),
      totalMarginUsed: decimal(total / 10),
    },
    withdrawable: decimal(total * 1.5),
    assetPositions: [],
    time: ask.now,
  };
}

const addressOf = (n: number): string => `0x${(n + 1).toString(16).padStart(40, 'a')}`;

/** One period of a vault's chart: its value and its profit at 25 times. */
function period(value: number, now: number, length: number) {
  const times = Array.from({ length: 25 }, (_, i) => Math.round(now - length + (i * length) / 24));
  const gain = (t: number) => value * 1e-3 * (unit(7, Math.floor(t / hour)) + (t - now) / day);
  const from = gain(times[0] ?? now);
  return {
    accountValueHistory: times.map((t) => [t, decimal(value + gain(t) - gain(now))]),
    pnlHistory: times.map((t) => [t, decimal(gain(t) - from)]),
    vlm: decimal((value * length) / day / 10),
  };
}

const periods = { day, week: 7 * day, month: 30 * day, allTime: 300 * day } as const;

/** `vaultDetails`: null for an address that is not a vault. */
export function vaultDetails(ask: Ask, address: string) {
  if (address.toLowerCase() !== vault) return null;
  const { now } = ask;
  const value = positions(ask) * 0.1;
  return {
    name: 'Hyperliquidity Provider (HLP)',
    vaultAddress: vault,
    leader: addressOf(1000),
    description: 'It provides liquidity, liquidates, and accrues fees.',
    portfolio: Object.entries(periods).map(([name, length]) => [name, period(value, now, length)]),
    apr: 0.12,
    leaderFraction: 0.0008,
    leaderCommission: 0,
    followers: Array.from({ length: 100 }, (_, i) => ({
      user: i === 0 ? 'Leader' : addressOf(i),
      vaultEquity: decimal((value / 1000) * unit(3, i)),
      pnl: decimal((value / 10_000) * (unit(4, i) - 0.4)),
      allTimePnl: decimal((value / 5_000) * unit(5, i)),
      daysFollowing: Math.floor(300 * unit(6, i)),
      vaultEntryTime: Math.floor(now / day) * day - Math.floor(300 * unit(6, i)) * day,
    })),
    maxDistributable: value * 0.9,
    maxWithdrawable: value * 0.01,
    isClosed: false,
    relationship: { type: 'parent', data: { childAddresses: [addressOf(2000), addressOf(2001)] } },
    allowDeposits: true,
  };
}
