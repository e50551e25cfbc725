/** Large positions of tracked wallets of Hyperliquid in an asset. */
import { compact, fixed, percent, price, signOf } from '../format.ts';
import type { Part } from '../part.ts';
import { at, type HyperliquidPositionsItem } from '../request.ts';
import { tablePart } from '../table-part.ts';

const shortAddress = ({ address }: HyperliquidPositionsItem): string =>
  `${address.slice(0, 6)}…${address.slice(-4)}`;

/** Profit over what the position has cost, a fraction. */
const gainOf = ({ unrealized_pnl_usd: gain, value_usd: value }: HyperliquidPositionsItem) =>
  value > 0 ? (gain / value) * 100 : null;

/** Follows the largest positions in an asset. */
export const positionsPart = (symbol: string): Part =>
  tablePart({
    title: 'Positions on Hyperliquid',
    about({ coverage }) {
      const { open_interest_share: share, tracked_wallets: wallets } = coverage;
      const part = share === null ? 'an unknown part' : percent(share * 100);
      return `Of ${wallets} tracked wallets, which hold ${part} of its open interest there`;
    },
    name: `${symbol}-positions`,
    path: at('/v1/hyperliquid/positions', { symbol, limit: 50 }),
    every: 10_000,
    isWide: true,
    rows: ({ items }) => items,
    columns: [
      { head: 'Wallet', of: shortAddress },
      {
        head: 'Side',
        of: ({ side }) => side,
        tone: ({ side }) => (side === 'long' ? 'up' : 'down'),
      },
      { head: 'Value, USD', of: (one) => one.value_usd, as: compact },
      { head: 'Entry', of: (one) => one.entry_price, as: price },
      { head: 'Liquidation', of: (one) => one.liquidation_price, as: price },
      { head: 'Leverage', of: (one) => one.leverage, as: (value) => fixed(value, 0) },
      {
        head: 'Profit, USD',
        of: (one) => one.unrealized_pnl_usd,
        as: compact,
        tone: (one) => signOf(one.unrealized_pnl_usd),
      },
      { head: 'Profit', of: gainOf, as: percent, tone: (one) => signOf(gainOf(one)) },
    ],
    none: `No tracked wallet holds ${symbol} there.`,
  });
