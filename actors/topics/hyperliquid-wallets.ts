/** Wallets of Hyperliquid that are tracked: their positions, and what became of them. */
import * as s from './schema.ts';

const sides = ['long', 'short'] as const;
export const positionActions = ['open', 'close'] as const;

const position = {
  address: s.string('Address of the wallet.'),
  symbol: s.symbol,
  contract: s.contract,
  side: s.oneOf(sides, 'Long: it gains when the price rises.'),
  quantity_base: s.number('Base assets.'),
  value_usd: s.number('Size x mark price, as the exchange states it, US dollars.'),
  entry_price: s.number('Mean price of entry, US dollars.'),
  liquidation_price: s.numberOrNull(
    'At which the exchange closes it, as it states, US dollars; null where the margin covers any price.',
  ),
  leverage: s.number('As the holder has set it, a multiple of the margin.'),
  margin_mode: s.oneOf(
    ['cross', 'isolated'],
    'Cross: the whole account is its margin. Isolated: its own margin alone.',
  ),
  margin_usd: s.number('Margin in use, US dollars.'),
  unrealized_pnl_usd: s.number('Profit at the mark price, US dollars.'),
  funding_usd: s.numberOrNull(
    'Funding paid since it was opened, US dollars; negative when received.',
  ),
} as const;

/** An open position of a wallet. */
export const walletPosition = s.object({
  ...position,
  updated_at: s.unixMs('When it was received.'),
});
export type WalletPosition = s.Static<typeof walletPosition>;

/** A position that a wallet has opened or closed between two looks at it. */
export const positionEvent = s.object({
  action: s.oneOf(positionActions, 'A turn to the other side is a close and an open.'),
  ...position,
  seen_after: s.unixMs('Of the look before: it happened after that.'),
  timestamp: s.unixMs('Of the look that found it.'),
});
export type PositionEvent = s.Static<typeof positionEvent>;

const share = (side: string) =>
  s.numberOrNull(
    `${side} positions of tracked wallets over the open interest of the same markets, a fraction; null where that is not known.`,
  );

/** How much of a market the tracked wallets are. */
export const walletCoverage = s.object(
  {
    tracked_wallets: s.integer('Wallets whose positions are known.'),
    found_wallets: s.integer('Wallets that are known from the leaderboard and from trades.'),
    long_share: share('Long'),
    short_share: share('Short'),
    open_interest_share: s.numberOrNull('Mean of both, a fraction.'),
    weight_share: s.number(
      'Part of the request weight of the exchange that the tracking may use, a fraction.',
    ),
    since: s.unixMs('When the tracking began.'),
  },
  'The answer is about tracked wallets, not about all of the market.',
);
export type WalletCoverage = s.Static<typeof walletCoverage>;

/** What tracked wallets have opened and closed, as it was seen. */
export interface PositionEvents {
  /** Unix ms. */
  at: number;
  events: readonly PositionEvent[];
}

/** A wallet on one dex, whose positions are asked for in turn. */
export interface TrackedWallet {
  address: string;
  /** '' is the exchange itself. */
  dex: string;
  /** When it was asked last, Unix ms; 0 before the first question. */
  at: number;
  positions: readonly WalletPosition[];
}

/** All that the tracking knows, for whoever goes on with it. Times are Unix ms. */
export interface WalletTracking {
  at: number;
  /** When it began. */
  since: number;
  /** Largest worth first, US dollars. */
  found: readonly { address: string; worth: number; dexes: readonly string[] }[];
  tracked: readonly TrackedWallet[];
  /** Newest first. */
  events: readonly PositionEvent[];
}

export interface WalletPositionsParams {
  /** Base asset; that of all when absent. */
  symbol?: string;
  /** Most positions, those of the largest value. */
  most: number;
}
export interface WalletPositionsReply {
  coverage: WalletCoverage;
  /** Largest value first. */
  positions: readonly WalletPosition[];
}
/** Newest first. */
export interface PositionEventsReply {
  coverage: WalletCoverage;
  /** Positions of less value open and close without an event, US dollars. */
  least_usd: number;
  events: readonly PositionEvent[];
}

export interface HyperliquidWalletParams {
  /** In lower case. */
  address: string;
  /** A dex of builders; the exchange itself when empty. */
  dex: string;
}
const orderSide = s.oneOf(['buy', 'sell'], 'Side of the order.');

export const walletOrder = s.object({
  symbol: s.symbol,
  contract: s.contract,
  side: orderSide,
  type: s.string('As the exchange calls it: `Limit`, `Stop Market`, `Take Profit Limit`.'),
  price: s.numberOrNull('Limit, US dollars; null where the exchange states none.'),
  trigger_price: s.numberOrNull(
    'At which it becomes an order, US dollars; null for one that is one.',
  ),
  quantity_base: s.number('What is left of it, base assets.'),
  reduce_only: s.boolean('It closes a position and opens none.'),
  timestamp: s.unixMs('When it was placed.'),
});
export type WalletOrder = s.Static<typeof walletOrder>;

export const walletFill = s.object({
  symbol: s.symbol,
  contract: s.contract,
  side: orderSide,
  direction: s.string('In the words of the exchange: `Open Long`, `Close Short`, `Long > Short`.'),
  price: s.number('Of one base asset, US dollars.'),
  quantity_base: s.number('Base assets.'),
  value_usd: s.number('Price x size, US dollars.'),
  closed_pnl_usd: s.number('Profit that it has realised, US dollars.'),
  fee_usd: s.numberOrNull('US dollars; null where the fee is not in USDC.'),
  is_taker: s.boolean('It took the liquidity of another order.'),
  is_liquidation: s.boolean('A liquidation of this wallet or by it.'),
  timestamp: s.unixMs('When it was traded.'),
});
export type WalletFill = s.Static<typeof walletFill>;

export const walletBalance = s.object({
  token: s.string("The exchange's own name."),
  total: s.number('Coins of the token.'),
  hold: s.number('Coins of it that orders hold.'),
});
export type WalletBalance = s.Static<typeof walletBalance>;

export interface HyperliquidWalletReply {
  account_value_usd: number | null;
  margin_used_usd: number;
  withdrawable_usd: number | null;
  positions: readonly WalletPosition[];
  orders: readonly WalletOrder[];
  /** Newest first. */
  fills: readonly WalletFill[];
  spot: readonly WalletBalance[];
}
