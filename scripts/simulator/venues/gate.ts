/** Gate: spot and perpetual contracts. Source: the venue's public API v4 documentation. */

import { gateBooks } from '../books/table.ts';
import { channels as liquidations, orders, reply } from '../liquidations/gate.ts';
import { gateMarkets } from '../listings/coinbase-kraken.ts';
import { tickers as liveTickers } from '../live/gate.ts';
import { together } from '../live/moving.ts';
import type { Route, SimulatedVenue } from '../venue.ts';
import { fundings, statistics } from './gate-analytics.ts';
import {
  candles,
  contracts,
  type Group,
  orderBook,
  pairs,
  spotTickers,
  tickers,
} from './gate-answers.ts';
import { loanRates } from './gate-loans.ts';

const futures = (settle: Group): Record<string, Route['answer']> => ({
  [`futures/${settle}/contracts`]: contracts(settle),
  [`futures/${settle}/tickers`]: tickers(settle),
  [`futures/${settle}/order_book`]: orderBook(settle),
  [`futures/${settle}/candlesticks`]: candles(settle),
  [`futures/${settle}/contract_stats`]: statistics(settle),
  [`futures/${settle}/funding_rate`]: fundings(settle),
  [`futures/${settle}/liq_orders`]: orders(settle),
});

const answers: Readonly<Record<string, Route['answer']>> = {
  'spot/time': ({ now }) => ({ server_time: now }),
  'spot/currency_pairs': pairs,
  'spot/tickers': spotTickers,
  'spot/order_book': orderBook('spot'),
  'spot/candlesticks': candles('spot'),
  'unified/history_loan_rate': loanRates,
  ...futures('usdt'),
  ...futures('btc'),
  ...futures('usd1'),
};

const routes: ReadonlyMap<string, Route> = new Map(
  Object.entries(answers).map(([path, answer]) => [
    `/api/v4/${path}`,
    { bucket: path, weight: () => 1, answer },
  ]),
);

const refusal = (status: number, label: string, message: string) => ({
  status,
  body: { label, message },
});

/** The simulated venue. */
export const gate: SimulatedVenue = {
  id: 'gate',
  hosts: ['api.gateio.ws', 'fx-api.gateio.ws', 'fx-ws.gateio.ws'],
  markets: gateMarkets,
  route: (path) => routes.get(path),
  buckets: Object.fromEntries(
    Object.keys(answers).map((path) => [path, { weight: 200, per: 10_000 }]),
  ),
  refusals: {
    rate_limit: refusal(429, 'TOO_MANY_REQUESTS', 'Request Rate Limit Exceeded'),
    ban: refusal(403, 'FORBIDDEN', 'forbidden'),
    server_error: refusal(503, 'SERVER_ERROR', 'Internal server error'),
  },
  reply,
  channels: together(liquidations, liveTickers, gateBooks),
};
