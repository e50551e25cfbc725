/** Deribit: spot, linear and inverse futures. Source: the venue's public API v2 documentation. */

import { deribitBooks } from '../books/table.ts';
import { channels } from '../liquidations/deribit.ts';
import { deribitMarkets } from '../listings/coinbase-kraken.ts';
import { tickers } from '../live/deribit.ts';
import { together } from '../live/moving.ts';
import type { Route, SimulatedVenue } from '../venue.ts';
import {
  candles,
  failure,
  fundings,
  instruments,
  oneSummary,
  orderBook,
  summaries,
  ticker,
} from './deribit-answers.ts';

/** Path below `/api/v2/public`, bucket, answer. */
const table: readonly (readonly [path: string, bucket: string, answer: Route['answer']])[] = [
  ['get_instruments', 'instruments', instruments],
  ['get_book_summary_by_currency', 'default', summaries],
  ['get_book_summary_by_instrument', 'default', oneSummary],
  ['ticker', 'default', ticker],
  ['get_order_book', 'default', orderBook],
  ['get_tradingview_chart_data', 'default', candles],
  ['get_funding_rate_history', 'default', fundings],
];

const routes: ReadonlyMap<string, Route> = new Map(
  table.map(([path, bucket, answer]) => [
    `/api/v2/public/${path}`,
    { bucket, weight: () => 1, answer },
  ]),
);

const tooMany = { status: 429, body: failure(0, 10_028, 'too_many_requests') };

/** The simulated venue. */
export const deribit: SimulatedVenue = {
  id: 'deribit',
  hosts: ['www.deribit.com', 'streams.deribit.com'],
  markets: deribitMarkets,
  route: (path) => routes.get(path),
  buckets: { default: { weight: 20, per: 1000 }, instruments: { weight: 5, per: 50_000 } },
  refusals: {
    rate_limit: tooMany,
    ban: { ...tooMany, status: 403 },
    server_error: { status: 503, body: failure(0, 11_051, 'system_maintenance') },
  },
  channels: together(channels, tickers, deribitBooks),
  /** `public/subscribe` is answered with its channels. */
  reply(frame) {
    const message: unknown = JSON.parse(frame);
    if (typeof message !== 'object' || message === null || !('params' in message)) return [];
    const { params, ...rest } = message;
    const id = 'id' in rest ? rest.id : null;
    const has = typeof params === 'object' && params !== null && 'channels' in params;
    return [JSON.stringify({ jsonrpc: '2.0', id, result: has ? params.channels : [] })];
  },
};
