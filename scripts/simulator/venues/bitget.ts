/** Bitget: spot and futures. Source: the venue's public API v2 documentation. */

import { bitgetBooks } from '../books/table.ts';
import { type Answer, eachPath, routesOf } from '../exchange.ts';
import { channels } from '../liquidations/bitget.ts';
import { bitgetMarkets } from '../listings/aster-bybit.ts';
import { tickers as liveTickers } from '../live/bitget.ts';
import { together } from '../live/moving.ts';
import type { Ask, SimulatedVenue } from '../venue.ts';
import { accountRatio, fundingHistory } from './bitget-analytics.ts';
import {
  candles,
  funding,
  instruments,
  mergedBook,
  spotBook,
  ticker,
  tickers,
} from './bitget-answers.ts';
import { marginLoan } from './bitget-loans.ts';

const time = ({ now }: Ask) => ({
  code: '00000',
  msg: 'success',
  requestTime: now,
  data: { serverTime: String(now) },
});

const answers: Readonly<Record<string, Answer>> = {
  'v2/public/time': time,
  'v2/spot/public/symbols': instruments('spot'),
  'v2/spot/market/tickers': tickers('spot'),
  'v2/spot/market/orderbook': spotBook,
  'v2/spot/market/candles': candles('spot', 1000),
  'v2/spot/market/history-candles': candles('spot', 200),
  'v2/mix/market/contracts': instruments('futures'),
  'v2/mix/market/tickers': tickers('futures'),
  'v2/mix/market/ticker': ticker('futures'),
  'v2/mix/market/current-fund-rate': funding,
  'v2/mix/market/merge-depth': mergedBook,
  'v2/mix/market/candles': candles('futures', 1000),
  'v2/mix/market/history-candles': candles('futures', 200),
  'v2/mix/market/account-long-short': accountRatio,
  'v2/mix/market/history-fund-rate': fundingHistory,
  'v3/market/margin-loans': marginLoan,
};

const routes = routesOf('/api/', answers);

const refusal = (status: number, code: string, msg: string) => ({
  status,
  body: { code, msg, requestTime: 0, data: null },
});

/** The simulated venue. */
export const bitget: SimulatedVenue = {
  id: 'bitget',
  hosts: ['api.bitget.com', 'ws.bitget.com'],
  markets: bitgetMarkets,
  route: (path) => routes.get(path),
  buckets: {
    ...eachPath(answers, { weight: 20, per: 1000 }),
    'v2/mix/market/account-long-short': { weight: 1, per: 1000 },
  },
  refusals: {
    rate_limit: refusal(429, '429', 'Too Many Requests'),
    ban: refusal(403, '403', 'Forbidden'),
    server_error: refusal(503, '40725', 'service return an error'),
  },
  channels: together(channels, liveTickers, bitgetBooks),
  /** Text `ping` gets `pong`; `{"op":"subscribe","args":[…]}` gets one `subscribe` event for each channel. */
  reply(frame) {
    if (frame === 'ping') return ['pong'];
    const message: unknown = JSON.parse(frame);
    if (typeof message !== 'object' || message === null || !('args' in message)) return [];
    const args: unknown[] = Array.isArray(message.args) ? message.args : [];
    return args.map((arg) => JSON.stringify({ event: 'subscribe', arg }));
  },
};
