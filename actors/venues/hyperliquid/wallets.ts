/**
 * Accounts of Hyperliquid: the positions, margin, orders and fills of an address, the leaderboard, and the addresses in trades.
 * https://hyperliquid.gitbook.io/hyperliquid-docs/for-developers/api/info-endpoint/perpetuals
 */
import { rounded } from '../../../indicators/digits.ts';
import {
  asRow,
  bulk,
  field,
  list,
  optional,
  positive,
  text,
  time,
  type WireRow,
} from '../../read.ts';
import type { SourceQuery } from '../../sources/queries/forms.ts';
import type {
  HyperliquidWalletParams,
  WalletBalance,
  WalletFill,
  WalletOrder,
  WalletPosition,
} from '../../topics/hyperliquid-wallets.ts';
import { mayFail } from '../apis.ts';
import { type Ask, info } from './markets.ts';

/** What a market's numbers are converted by. */
export interface Contract {
  symbol: string;
  scale: number;
}
export type Contracts = ReadonlyMap<string, Contract>;

/** A position; null for one that is unreadable, empty or of a market that no list holds. */
function positionOf(
  value: unknown,
  { address, contracts, received }: { address: string; contracts: Contracts; received: number },
): WalletPosition | null {
  const row = asRow(asRow(value).position);
  const contract = text(row.coin);
  const market = contracts.get(contract);
  const [size, entry, worth] = [
    optional(row.szi),
    positive(row.entryPx),
    positive(row.positionValue),
  ];
  if (!market || size === null || size === 0 || !(entry > 0) || !(worth > 0)) return null;
  const { scale, symbol } = market;
  const liquidation = positive(row.liquidationPx);
  const leverage = asRow(row.leverage);
  return {
    address,
    symbol,
    contract,
    side: size > 0 ? 'long' : 'short',
    quantity_base: Math.abs(size) * scale,
    value_usd: worth,
    entry_price: rounded(entry / scale),
    liquidation_price: liquidation > 0 ? rounded(liquidation / scale) : null,
    leverage: optional(leverage.value) ?? 1,
    margin_mode: leverage.type === 'isolated' ? 'isolated' : 'cross',
    margin_usd: optional(row.marginUsed) ?? 0,
    unrealized_pnl_usd: optional(row.unrealizedPnl) ?? 0,
    funding_usd: optional(asRow(row.cumFunding).sinceOpen),
    updated_at: received,
  };
}

/** The positions of `clearinghouseState`. ShapeError without a list of them. */
export const positionsOf = (
  body: unknown,
  about: { address: string; contracts: Contracts; received: number },
): WalletPosition[] =>
  list(field(body, 'assetPositions'), 'positions').flatMap((one) => positionOf(one, about) ?? []);

/** Modes of accounts whose perpetual account has its own collateral; that of all others is in spot. */
const separate = ['default', 'disabled', 'dexAbstraction'];

/**
 * The margin of `clearinghouseState`. The value of an account that keeps its collateral in spot is unknown: what is stated
 * there is near 0. Without a mode (null) an account that has a value is taken for one with its own collateral.
 * https://hyperliquid.gitbook.io/hyperliquid-docs/trading/account-abstraction-modes
 */
export function marginOf(body: unknown, mode: string | null) {
  const row = asRow(body);
  const summary = asRow(row.marginSummary);
  const value = optional(summary.accountValue);
  const own = mode === null ? value !== 0 : separate.includes(mode);
  return {
    account_value_usd: own ? value : null,
    margin_used_usd: optional(summary.totalMarginUsed) ?? 0,
    withdrawable_usd: own ? optional(row.withdrawable) : null,
  };
}

export const isAddress = (value: string): boolean => /^0x[0-9a-f]{40}$/.test(value);

/** A wallet that was found, and what speaks for its size: US dollars of its account, or of a trade. */
export interface FoundWallet {
  address: string;
  worth: number;
}

const found = (address: unknown, worth: number): FoundWallet[] => {
  const own = text(address).toLowerCase();
  return isAddress(own) && worth > 0 ? [{ address: own, worth }] : [];
};

/** The leaderboard, which is not documented: of its 40 MB the address and the worth of each account. */
export const leaderboard: Ask = {
  api: 'stats',
  path: '/Mainnet/leaderboard',
  scan: /"ethAddress"\s*:\s*"([^"]*)"[^{}]{0,500}?"accountValue"\s*:\s*"?([\d.]+)["\s,}]/g,
};

/** The wallets of what was found in the leaderboard. ShapeError without any. */
export const leadersIn = (matches: unknown): FoundWallet[] =>
  bulk(matches, 'leaderboardRows').flatMap((match) => {
    const [address, worth] = Array.isArray(match) ? match : [];
    return found(address, positive(worth));
  });

/** The buyers and sellers of `recentTrades`. */
export const tradersIn = (body: unknown): FoundWallet[] =>
  list(body, 'trades').flatMap((value) => {
    const { users, px, sz } = asRow(value);
    const worth = positive(px) * positive(sz);
    return Array.isArray(users) ? users.flatMap((user) => found(user, worth)) : [];
  });

/** Weights of the questions about an address: fills are 20 and one for each 20 of 2,000 rows at most. */
const weights = { state: 2, mode: 20, orders: 20, fills: 120 };

export const stateOf = (user: string, dex: string): Ask =>
  info({ type: 'clearinghouseState', user, ...(dex !== '' && { dex }) }, weights.state);

/** Fills of an address that are read, the newest. */
const mostFills = 200;

const rowsIn = (body: unknown, what: string): WireRow[] => list(body, what).map(asRow);
const newest = (rows: readonly WireRow[]): WireRow[] =>
  rows.toSorted((a, b) => (time(b.time) ?? 0) - (time(a.time) ?? 0)).slice(0, mostFills);

/** The answers about an address as they came: those who ask read them with the markets that they know. */
export const accountQuery: SourceQuery<'hyperliquidAccount', Ask> = {
  about: 'source',
  ttl: 15_000,
  requests: ({ address: user, dex }) => [
    stateOf(user, dex),
    info({ type: 'spotClearinghouseState', user }, weights.state),
    info({ type: 'frontendOpenOrders', user, ...(dex !== '' && { dex }) }, weights.orders),
    info({ type: 'userFills', user, aggregateByTime: true }, weights.fills),
    mayFail(info({ type: 'userAbstraction', user }, weights.mode)),
  ],
  parse: ([state, spot, orders, fills, mode]) => ({
    state: { ...asRow(state), assetPositions: list(field(state, 'assetPositions'), 'positions') },
    mode: typeof mode === 'string' ? mode : null,
    spot: rowsIn(field(spot, 'balances'), 'balances'),
    orders: rowsIn(orders, 'orders'),
    fills: newest(rowsIn(fills, 'fills')),
  }),
};

/** Orders that rest; those of markets that no list holds are left out. */
export const ordersOf = (rows: readonly WireRow[], contracts: Contracts): WalletOrder[] =>
  rows.flatMap((row) => {
    const market = contracts.get(text(row.coin));
    const [limit, size, placed] = [positive(row.limitPx), positive(row.sz), time(row.timestamp)];
    if (!market || !(size > 0) || placed === null) return [];
    const trigger = positive(row.triggerPx);
    return [
      {
        symbol: market.symbol,
        contract: text(row.coin),
        side: text(row.side) === 'B' ? ('buy' as const) : ('sell' as const),
        type: text(row.orderType) || 'Limit',
        price: limit > 0 ? rounded(limit / market.scale) : null,
        trigger_price:
          row.isTrigger === true && trigger > 0 ? rounded(trigger / market.scale) : null,
        quantity_base: size * market.scale,
        reduce_only: row.reduceOnly === true,
        timestamp: placed,
      },
    ];
  });

/** Fills, the newest first. */
export const fillsOf = (rows: readonly WireRow[], contracts: Contracts): WalletFill[] =>
  rows.flatMap((row) => {
    const market = contracts.get(text(row.coin));
    const [price, size, at] = [positive(row.px), positive(row.sz), time(row.time)];
    if (!market || !(price > 0) || !(size > 0) || at === null) return [];
    return [
      {
        symbol: market.symbol,
        contract: text(row.coin),
        side: text(row.side) === 'B' ? ('buy' as const) : ('sell' as const),
        direction: text(row.dir),
        price: rounded(price / market.scale),
        quantity_base: size * market.scale,
        value_usd: price * size,
        closed_pnl_usd: optional(row.closedPnl) ?? 0,
        fee_usd: text(row.feeToken) === 'USDC' ? optional(row.fee) : null,
        is_taker: row.crossed === true,
        is_liquidation: row.liquidation !== undefined && row.liquidation !== null,
        timestamp: at,
      },
    ];
  });

/** Balances of the spot account, which are the collateral of a unified one. */
export const balancesOf = (rows: readonly WireRow[]): WalletBalance[] =>
  rows.flatMap((row) => {
    const total = optional(row.total);
    return total === null || total === 0
      ? []
      : [{ token: text(row.coin), total, hold: optional(row.hold) ?? 0 }];
  });

declare module '../../topics/queries.ts' {
  interface Queries {
    hyperliquidAccount: {
      params: HyperliquidWalletParams;
      reply: {
        state: WireRow;
        mode: string | null;
        spot: WireRow[];
        orders: WireRow[];
        fills: WireRow[];
      };
    };
  }
}
