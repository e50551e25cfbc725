/** Bybit: spot, linear and inverse contracts. Source: the venue's public API v5 documentation. */

import { bybitBooks } from '../books/table.ts';
import { routesOf } from '../exchange.ts';
import { channels } from '../liquidations/bybit.ts';
import { objectOf } from '../liquidations/forced.ts';
import { bybitMarkets } from '../listings/aster-bybit.ts';
import { tickers as liveTickers } from '../live/bybit.ts';
import { together } from '../live/moving.ts';
import { bybitTrades } from '../trades/bybit.ts';
import type { Ask, SimulatedVenue } from '../venue.ts';
import { accountRatio, fundingHistory, interestHistory, priceCandles } from './bybit-analytics.ts';
import { candles, instruments, orderBook, tickers, trades } from './bybit-answers.ts';
import { loans } from './bybit-loans.ts';

const time = ({ now }: Ask) => ({
  retCode: 0,
  retMsg: 'OK',
  result: { timeSecond: String(now / 1000), timeNano: `${now}000000` },
  retExtInfo: {},
  time: now,
});

const answers = {
  'market/time': time,
  'market/instruments-info': instruments,
  'market/tickers': tickers,
  'market/orderbook': orderBook,
  'market/recent-trade': trades,
  'market/kline': candles,
  'market/mark-price-kline': priceCandles('mark'),
  'market/index-price-kline': priceCandles('index'),
  'market/account-ratio': accountRatio,
  'market/open-interest': interestHistory,
  'market/funding/history': fundingHistory,
  'spot-margin-trade/data': loans,
};

const routes = routesOf('/v5/', answers, 'all');

const refusal = (status: number, retCode: number, retMsg: string) => ({
  status,
  body: { retCode, retMsg, result: {}, retExtInfo: {}, time: 0 },
});

/** The simulated venue. */
export const bybit: SimulatedVenue = {
  id: 'bybit',
  hosts: ['api.bybit.com', 'api.bytick.com', 'stream.bybit.com'],
  markets: bybitMarkets,
  route: (path) => routes.get(path),
  buckets: { all: { weight: 600, per: 5000 } },
  refusals: {
    rate_limit: refusal(429, 10429, 'System level frequency protection.'),
    ban: refusal(403, 10006, 'access too frequent'),
    server_error: refusal(503, 10016, 'Server error.'),
  },
  channels: together(channels, liveTickers, bybitBooks, bybitTrades),
  /** Pings get a pong; `{"op":"subscribe","args":[…]}` gets one acknowledgement. */
  reply(frame) {
    const message: unknown = JSON.parse(frame);
    const op = typeof message === 'object' && message !== null && 'op' in message && message.op;
    if (op !== 'ping' && op !== 'subscribe') return [];
    const ret_msg = op === 'ping' ? 'pong' : '';
    const { req_id = '' } = objectOf(frame);
    return [JSON.stringify({ success: true, ret_msg, conn_id: '2324d924', req_id, op })];
  },
};
