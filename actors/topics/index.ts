/**
 * The contract between the processes: every topic with its rows, and every question with its request and reply. A file
 * per subject; the tables are `table.ts` and `queries.ts`. Times are Unix milliseconds throughout.
 */

export * from '../../indicators/market/intervals.ts';
export * from './alerts.ts';
export type * from './analytics.ts';
export type * from './chains.ts';
export * from './compute.ts';
export * from './defi.ts';
export * from './fixings.ts';
export * from './footprint.ts';
export * from './history.ts';
export type { RelayedParams, RelayedReply } from './hyperliquid-info.ts';
export * from './indicator-names.ts';
export type * from './instruments.ts';
export * from './liquidations.ts';
export * from './market-indicators.ts';
export type * from './market-queries.ts';
export type * from './market-rows.ts';
export * from './options.ts';
export type * from './order-book.ts';
export * from './queries.ts';
export * from './schemas.ts';
export * from './status.ts';
export * from './table.ts';
export type * from './wallet.ts';
