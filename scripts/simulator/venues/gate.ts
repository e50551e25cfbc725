/** Gate: spot, perpetual and dated contracts. Source: the venue's public API v4 documentation. */

import { gateBooks } from '../books/table.ts';
import { type Answer, eachPath, routesOf } from '../exchange.ts';
import { channels as liquidations, reply } from '../liquidations/gate.ts';
import { gateMarkets } from '../listings/coinbase-kraken.ts';
import { tickers as liveTickers } from '../live/gate.ts';
import { together } from '../live/moving.ts';
import type { SimulatedVenue } from '../venue.ts';
import { fundings, statistics } from './gate-analytics.ts';
import {
  candles,
  contracts,
  deliveries,
  type Group,
  orderBook,
  pairs,
  spotTicker,
  ticker,
  tickers,
} from './gate-answers.ts';
import { loanRates } from './gate-loans.ts';

const futures = (settle: Group): Record<string, Answer> => ({
  [`futures/${settle}/contracts`]: contracts(settle),
  [`futures/${settle}/tickers`]: tickers(settle, ticker),
  [`futures/${settle}/order_book`]: orderBook(settle),
  [`futures/${settle}/candlesticks`]: candles(settle),
  [`futures/${settle}/contract_stats`]: statistics(settle),
  [`futures/${settle}/funding_rate`]: fundings(settle),
});

const answers: Readonly<Record<string, Answer>> = {
  'spot/time': ({ now }) => ({ server_time: now }),
  'spot/currency_pairs': pairs,
  'spot/tickers': tickers('spot', spotTicker),
  'spot/order_book': orderBook('spot'),
  'spot/candlesticks': candles('spot'),
  'unified/history_loan_rate': loanRates,
  ...futures('usdt'),
  ...futures('btc'),
  ...futures('usd1'),
  'delivery/usdt/contracts': deliveries,
  'delivery/usdt/tickers': tickers('delivery', ticker),
  'delivery/usdt/order_book': orderBook('delivery'),
  'delivery/usdt/candlesticks': candles('delivery'),
};

const routes = routesOf('/api/v4/', answers);

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
  buckets: eachPath(answers, { weight: 200, per: 10_000 }),
  refusals: {
    rate_limit: refusal(429, 'TOO_MANY_REQUESTS', 'Request Rate Limit Exceeded'),
    ban: refusal(403, 'FORBIDDEN', 'forbidden'),
    server_error: refusal(503, 'SERVER_ERROR', 'Internal server error'),
  },
  reply,
  channels: together(liquidations, liveTickers, gateBooks),
};
