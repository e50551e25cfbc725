/**
 * Settled funding, vaults and the clearinghouse of Hyperliquid.
 * https://hyperliquid.gitbook.io/hyperliquid-docs/for-developers/api/info-endpoint
 */
import { hour, minute } from '../../../config/time.ts';
import { ShapeError } from '../../failure.ts';
import { asRow, field, list, optional, text, time, type WireRow } from '../../read.ts';
import type { SourceQuery } from '../../sources/queries/forms.ts';
import type { Vault, VaultFollower, VaultPeriod } from '../../topics/hyperliquid.ts';
import { fundings } from '../fundings.ts';
import { type Ask, info } from './markets.ts';

/** Rows of one answer. */
const page = 500;
/** Rows are written a little after the full hour. */
const slack = minute;

/** Rates ascending from a start on, in the first months of 2023 of 8 hours, since then of one. A history weighs 20 and one more for each 20 rows. */
export const fundingHistory = fundings<Ask>({
  page,
  requests({ market, now }, { range }) {
    const endTime = range === null ? now : range.end + slack;
    const startTime = Math.max(0, endTime - page * hour);
    const body = { type: 'fundingHistory', coin: market, startTime, endTime };
    return [info(body, 20 + page / 20)];
  },
  rows: '',
  at: 'time',
  columns: { rate: 'fundingRate', premium: 'premium' },
  usual: 1,
});

/** Number of a value that must be there, or ShapeError. */
function numberAt(row: WireRow, key: string): number {
  const value = optional(row[key]);
  if (value === null) throw new ShapeError(`${key}: no number`);
  return value;
}

/** `[[ms, value]]`; pairs that are unreadable are left out. */
const chartOf = (value: unknown): [number, number][] =>
  list(value, 'chart').flatMap((pair): [number, number][] => {
    const [at, worth] = Array.isArray(pair) ? [time(pair[0]), optional(pair[1])] : [null, null];
    return at === null || worth === null ? [] : [[at, worth]];
  });

const noPeriod: VaultPeriod = { pnl_usd: 0, volume_usd: 0, account_value: [], pnl: [] };

function periodOf(value: unknown): VaultPeriod {
  const row = asRow(value);
  const pnl = chartOf(row.pnlHistory);
  return {
    pnl_usd: (pnl.at(-1)?.[1] ?? 0) - (pnl[0]?.[1] ?? 0),
    volume_usd: optional(row.vlm) ?? 0,
    account_value: chartOf(row.accountValueHistory),
    pnl,
  };
}

function followerOf(value: unknown): VaultFollower {
  const row = asRow(value);
  return {
    address: text(row.user),
    equity_usd: numberAt(row, 'vaultEquity'),
    pnl_usd: numberAt(row, 'pnl'),
    all_time_pnl_usd: numberAt(row, 'allTimePnl'),
    days_following: numberAt(row, 'daysFollowing'),
    entry_time: time(row.vaultEntryTime),
  };
}

/** Periods by name: `day`, `week`, `month`, `allTime`, and the same of perpetuals alone, which are left out. */
function performanceOf(value: unknown): Vault['performance'] {
  const named = new Map(
    list(value, 'portfolio').flatMap((entry) =>
      Array.isArray(entry) ? [[text(entry[0]), periodOf(entry[1])] as const] : [],
    ),
  );
  const of = (name: string) => named.get(name) ?? noPeriod;
  return { day: of('day'), week: of('week'), month: of('month'), all_time: of('allTime') };
}

/** The most followers that the exchange lists. */
const maxFollowers = 100;

export function vaultOf(body: unknown): Vault {
  const row = asRow(body);
  const performance = performanceOf(field(body, 'portfolio'));
  const followers = list(row.followers, 'followers').map(followerOf);
  const children = asRow(asRow(row.relationship).data).childAddresses;
  const address = text(row.vaultAddress);
  if (address === '') throw new ShapeError('vaultAddress: absent');
  return {
    address,
    name: text(row.name),
    leader: text(row.leader),
    description: text(row.description),
    apr: numberAt(row, 'apr'),
    tvl_usd: performance.day.account_value.at(-1)?.[1] ?? 0,
    leader_fraction: numberAt(row, 'leaderFraction'),
    leader_commission: numberAt(row, 'leaderCommission'),
    is_closed: row.isClosed === true,
    allow_deposits: row.allowDeposits === true,
    max_distributable_usd: numberAt(row, 'maxDistributable'),
    max_withdrawable_usd: numberAt(row, 'maxWithdrawable'),
    follower_count: followers.length,
    follower_count_capped: followers.length >= maxFollowers,
    child_vaults: Array.isArray(children) ? children.map(text) : [],
    performance,
    followers,
  };
}

/** A vault; an address that is none is answered with null, which the faults read. */
export const vault: SourceQuery<'vault', Ask> = {
  about: 'source',
  ttl: 60_000,
  requests: ({ address }) => [info({ type: 'vaultDetails', vaultAddress: address }, 20)],
  parse: ([body]) => vaultOf(body),
};

/** The vault of the protocol, which makes markets. */
export const protocolVault = '0xdfc24b077bc1425ad1dea75bcb6f8158e10df303';

/** Perpetuals whose open interest may not grow, and the account of the protocol's vault. */
export const clearinghouse: SourceQuery<'clearinghouse', Ask> = {
  about: 'source',
  ttl: 30_000,
  requests: () => [
    info({ type: 'perpsAtOpenInterestCap' }, 20),
    info({ type: 'clearinghouseState', user: protocolVault }, 2),
  ],
  parse([coins, state]) {
    const summary = asRow(field(state, 'marginSummary'));
    return {
      capped: list(coins, 'capped').map(text),
      vault: {
        address: protocolVault,
        account_value_usd: numberAt(summary, 'accountValue'),
        total_position_usd: numberAt(summary, 'totalNtlPos'),
        total_margin_used_usd: numberAt(summary, 'totalMarginUsed'),
        withdrawable_usd: numberAt(asRow(state), 'withdrawable'),
      },
    };
  },
};
