/** OKX: spot, swaps and dated futures. Source: the venue's public API v5 documentation. */

import { okxBooks } from '../books/table.ts';
import { channels } from '../liquidations/okx.ts';
import { okxMarkets } from '../listings/kucoin-woo.ts';
import { together } from '../live/moving.ts';
import { channels as liveChannels } from '../live/okx.ts';
import { okxTrades } from '../trades/okx.ts';
import type { Ask, Route, SimulatedVenue } from '../venue.ts';
import {
  accountRatio,
  contractVolume,
  currencyVolume,
  interestHistory,
  topRatio,
} from './okx-analytics.ts';
import {
  books,
  candles,
  fundingHistory,
  fundingRates,
  historyCandles,
  historyIndexCandles,
  historyMarkCandles,
  indexCandles,
  indexTickers,
  markCandles,
  markPrices,
  oneTicker,
  openInterest,
  tickers,
  trades,
} from './okx-answers.ts';
import { instruments } from './okx-instruments.ts';
import { lendingHistory, loanQuota } from './okx-loans.ts';
import { optionInterest, optionMarks, optionSummaries, optionTickers } from './okx-options.ts';

/** Options are asked by family, everything else by type. */
const orOptions =
  (others: Route['answer'], options: Route['answer']): Route['answer'] =>
  (ask) =>
    ask.query.get('instType') === 'OPTION' ? options(ask) : others(ask);

const time = ({ now }: Ask) => ({ code: '0', msg: '', data: [{ ts: String(now) }] });

/** Path below `/api/v5`, requests per 2 s, answer. Each path has its own bucket. */
const table: readonly (readonly [path: string, limit: number, answer: Route['answer']])[] = [
  ['public/instruments', 20, instruments],
  ['public/time', 10, time],
  ['public/open-interest', 20, orOptions(openInterest, optionInterest)],
  ['public/opt-summary', 20, optionSummaries],
  ['public/funding-rate', 10, fundingRates],
  ['public/funding-rate-history', 10, fundingHistory],
  ['public/mark-price', 10, orOptions(markPrices, optionMarks)],
  ['rubik/stat/contracts/long-short-account-ratio', 5, accountRatio],
  ['rubik/stat/contracts/long-short-account-ratio-contract-top-trader', 5, topRatio(1)],
  ['rubik/stat/contracts/long-short-position-ratio-contract-top-trader', 5, topRatio(2)],
  ['rubik/stat/contracts/open-interest-history', 10, interestHistory],
  ['rubik/stat/taker-volume-contract', 5, contractVolume],
  ['rubik/stat/taker-volume', 5, currencyVolume],
  ['market/tickers', 20, orOptions(tickers, optionTickers)],
  ['market/ticker', 20, oneTicker],
  ['market/books', 40, books],
  ['market/trades', 50, trades],
  ['market/candles', 40, candles],
  ['market/history-candles', 20, historyCandles],
  ['market/mark-price-candles', 20, markCandles],
  ['market/index-candles', 20, indexCandles],
  ['market/history-mark-price-candles', 10, historyMarkCandles],
  ['market/history-index-candles', 10, historyIndexCandles],
  ['market/index-tickers', 20, indexTickers],
  ['public/interest-rate-loan-quota', 2, loanQuota],
  ['finance/savings/lending-rate-history', 12, lendingHistory],
];

const routes: ReadonlyMap<string, Route> = new Map(
  table.map(([path, , answer]) => [`/api/v5/${path}`, { bucket: path, weight: () => 1, answer }]),
);

const tooMany = {
  status: 429,
  body: { code: '50011', data: [], msg: 'Rate limit reached. Please refer to API documentation.' },
};

/** The simulated venue. */
export const okx: SimulatedVenue = {
  id: 'okx',
  hosts: ['www.okx.com', 'aws.okx.com', 'my.okx.com', 'us.okx.com', 'ws.okx.com', 'wsaws.okx.com'],
  markets: okxMarkets,
  route: (path) => routes.get(path),
  buckets: Object.fromEntries(table.map(([path, weight]) => [path, { weight, per: 2000 }])),
  refusals: {
    rate_limit: tooMany,
    ban: { ...tooMany, status: 403 },
    server_error: {
      status: 503,
      body: {
        code: '50001',
        data: [],
        msg: 'Service temporarily unavailable. Please try again later.',
      },
    },
  },
  channels: together(channels, liveChannels, okxBooks, okxTrades),
  /** Text `ping` gets `pong`; `{"op":"subscribe","args":[…]}` gets one `subscribe` event for each channel. */
  reply(frame) {
    if (frame === 'ping') return ['pong'];
    const message: unknown = JSON.parse(frame);
    if (typeof message !== 'object' || message === null || !('args' in message)) return [];
    const args: unknown[] = Array.isArray(message.args) ? message.args : [];
    return args.map((arg) => JSON.stringify({ event: 'subscribe', arg, connId: 'a4d3ae55' }));
  },
};
