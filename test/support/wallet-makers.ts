/** Tracked wallets of Hyperliquid. */
import type {
  HyperliquidWalletReply,
  PositionEvent,
  WalletCoverage,
  WalletPosition,
} from '../../actors/topics/hyperliquid-wallets.ts';
import { now } from './makers.ts';

export const coverage: WalletCoverage = {
  tracked_wallets: 3,
  found_wallets: 5,
  long_share: 0.4,
  short_share: 0.2,
  open_interest_share: 0.3,
  weight_share: 0.33,
  since: now - 60_000,
};

const position = (more: Partial<WalletPosition>): WalletPosition => ({
  address: `0x${'a'.repeat(40)}`,
  symbol: 'BTC',
  contract: 'BTC',
  side: 'long',
  quantity_base: 20,
  value_usd: 2_000_000,
  entry_price: 99_000,
  liquidation_price: 90_000,
  leverage: 10,
  margin_mode: 'cross',
  margin_usd: 200_000,
  unrealized_pnl_usd: 20_000,
  funding_usd: null,
  updated_at: now,
  ...more,
});

/** Largest value first. */
export const positions: readonly WalletPosition[] = [
  position({}),
  position({
    address: `0x${'b'.repeat(40)}`,
    side: 'short',
    quantity_base: 12,
    value_usd: 1_200_000,
    liquidation_price: 110_000,
  }),
  position({ symbol: 'ETH', contract: 'ETH', value_usd: 500, liquidation_price: null }),
];

/** Newest first. */
export const positionEvents: readonly PositionEvent[] = positions.map(
  ({ updated_at: _, ...one }, i) => ({
    action: i === 0 ? 'close' : 'open',
    ...one,
    seen_after: now - 2_000 - i,
    timestamp: now - i,
  }),
);

export const walletOf: HyperliquidWalletReply = {
  account_value_usd: 7,
  margin_used_usd: 5,
  withdrawable_usd: 3,
  positions,
  orders: [
    {
      symbol: 'BTC',
      contract: 'BTC',
      side: 'buy',
      type: 'Limit',
      price: 90_000,
      trigger_price: null,
      quantity_base: 1,
      reduce_only: false,
      timestamp: now,
    },
  ],
  fills: [
    {
      symbol: 'BTC',
      contract: 'BTC',
      side: 'sell',
      direction: 'Close Long',
      price: 100_000,
      quantity_base: 2,
      value_usd: 200_000,
      closed_pnl_usd: 12,
      fee_usd: 1.5,
      is_taker: true,
      is_liquidation: false,
      timestamp: now,
    },
  ],
  spot: [{ token: 'USDC', total: 8, hold: 1 }],
};
