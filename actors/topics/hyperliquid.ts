/** Vaults of Hyperliquid, and the state of its clearinghouse beside its markets. */
import * as s from './schema.ts';

const usd = s.number('USDC, counted as dollars.');
const chart = (description: string) =>
  s.list(s.list(s.number()), `${description}: [Unix ms, USD].`);

const period = s.object({
  pnl_usd: s.number('Profit of the period: the last value of `pnl` less the first.'),
  volume_usd: usd,
  account_value: chart('Value of the vault'),
  pnl: chart('Profit and loss'),
});
export type VaultPeriod = s.Static<typeof period>;

const follower = s.object({
  address: s.string('`Leader` for the leader.'),
  equity_usd: usd,
  pnl_usd: usd,
  all_time_pnl_usd: usd,
  days_following: s.integer(),
  entry_time: s.unixMsOrNull(),
});
export type VaultFollower = s.Static<typeof follower>;

export const vault = s.object({
  address: s.string(),
  name: s.string(),
  leader: s.string(),
  description: s.string(),
  apr: s.number('A fraction, as the exchange states it.'),
  tvl_usd: s.number('Last value of the vault in the chart of the day, USD.'),
  leader_fraction: s.number(),
  leader_commission: s.number(),
  is_closed: s.boolean(),
  allow_deposits: s.boolean(),
  max_distributable_usd: usd,
  max_withdrawable_usd: usd,
  follower_count: s.integer(),
  follower_count_capped: s.boolean('True at 100: the exchange names no more.'),
  child_vaults: s.list(s.string()),
  performance: s.object({ day: period, week: period, month: period, all_time: period }),
  followers: s.list(follower),
});
export type Vault = s.Static<typeof vault>;

export interface VaultParams {
  /** `0x` and 40 hexadecimal digits in lower case. */
  address: string;
}

export const account = s.object({
  address: s.string(),
  account_value_usd: usd,
  total_position_usd: usd,
  total_margin_used_usd: usd,
  withdrawable_usd: usd,
});

/** The statistics of the clearinghouse besides its markets. */
export interface Clearinghouse {
  /** Ids of perpetuals whose open interest may not grow. */
  capped: string[];
  /** The account of the protocol's own vault. */
  vault: s.Static<typeof account>;
}
