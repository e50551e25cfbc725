/** Vaults of Hyperliquid, and the state of its clearinghouse beside its markets. */
import * as s from './schema.ts';

const usd = s.number('USDC, counted as US dollars.');
const chart = (description: string) =>
  s.list(s.list(s.number()), `${description}: [Unix ms, USD].`);

const period = (description: string) =>
  s.named(
    'VaultPeriod',
    s.object(
      {
        pnl_usd: s.number('Profit of the period: the last value of `pnl` less the first.'),
        volume_usd: usd,
        account_value: chart('Value of the vault'),
        pnl: chart('Profit and loss'),
      },
      description,
    ),
  );
export type VaultPeriod = s.Static<ReturnType<typeof period>>;

const follower = s.object({
  address: s.string('`Leader` for the leader.'),
  equity_usd: usd,
  pnl_usd: usd,
  all_time_pnl_usd: usd,
  days_following: s.integer('Days since the deposit, as the exchange counts them.'),
  entry_time: s.unixMsOrNull(),
});
export type VaultFollower = s.Static<typeof follower>;

export const vault = s.object({
  address: s.string('Address of the vault.'),
  name: s.string('Name of the vault.'),
  leader: s.string('Address of its leader.'),
  description: s.string('In the words of the leader.'),
  apr: s.number('A fraction, as the exchange states it.'),
  tvl_usd: s.number('Last value of the vault in the chart of the day.'),
  leader_fraction: s.number("Part of the vault that is the leader's own, a fraction."),
  leader_commission: s.number('Part of the profit that the leader takes, a fraction.'),
  is_closed: s.boolean('It is closed for good.'),
  allow_deposits: s.boolean('It takes deposits.'),
  max_distributable_usd: usd,
  max_withdrawable_usd: usd,
  follower_count: s.integer('Followers that the exchange names.'),
  follower_count_capped: s.boolean('True at 100: the exchange names no more.'),
  child_vaults: s.list(s.string(), 'Addresses of vaults that it holds.'),
  performance: s.object(
    {
      day: period('The last 24 hours.'),
      week: period('The last 7 days.'),
      month: period('The last 30 days.'),
      all_time: period('Since the vault was made.'),
    },
    'Profit, volume and value over several periods.',
  ),
  followers: s.list(follower, 'As the exchange orders them.'),
});
export type Vault = s.Static<typeof vault>;

export interface VaultParams {
  /** `0x` and 40 hexadecimal digits in lower case. */
  address: string;
}

export const account = s.named(
  'HyperliquidAccount',
  s.object(
    {
      address: s.string('Address of the account.'),
      account_value_usd: usd,
      total_position_usd: usd,
      total_margin_used_usd: usd,
      withdrawable_usd: usd,
    },
    "Account of the protocol's own vault.",
  ),
);

/** The statistics of the clearinghouse besides its markets. */
export interface Clearinghouse {
  /** Ids of perpetuals whose open interest may not grow. */
  capped: string[];
  /** The account of the protocol's own vault. */
  vault: s.Static<typeof account>;
}
