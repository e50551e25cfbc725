/** HTX: spot, linear and inverse swaps, and dated futures of both margins. Source: the venue's public API documentation. */

import { contractBooks, spotBooks } from '../books/htx.ts';
import { channels as liquidations, reply as notified } from '../liquidations/htx.ts';
import { htxMarkets } from '../listings/coinbase-kraken.ts';
import {
  contractChannels,
  fundingChannels,
  indexChannels,
  markChannels,
  pings,
  reply,
  spotChannels,
} from '../live/htx.ts';
import { together } from '../live/moving.ts';
import type { Ask, Route, SimulatedVenue } from '../venue.ts';
import {
  eliteRatio,
  fundingHistory,
  interestHistory,
  listedEliteRatio,
  pagedFundings,
} from './htx-analytics.ts';
import {
  candles,
  contractInfo,
  contractTickers,
  depth,
  linearInfo,
  merge,
  spotTickers,
  symbols,
} from './htx-answers.ts';
import {
  coinIndices,
  datedInterest,
  datedMarks,
  indexCandles,
  indices,
  inverseFunding,
  inverseInterest,
  linearFunding,
  linearInterest,
  marks,
} from './htx-contracts.ts';

const time = ({ now }: Ask) => ({ status: 'ok', data: now });

/** Dated contracts have the paths of spot, on a host of their own, or those of swaps. */
const orDated =
  (others: Route['answer'], dated: Route['answer']): Route['answer'] =>
  (ask) => {
    const name = ask.query.get('symbol') ?? ask.query.get('contract_code') ?? '';
    return /\d{6}$/.test(name) ? dated(ask) : others(ask);
  };
/** Of USDT-margined contracts, swaps and dated ones. */
const ofLinear = (answer: (group: 'linear' | 'linearDated') => Route['answer']) =>
  orDated(answer('linear'), answer('linearDated'));

/** Path, bucket, answer. */
const table: readonly (readonly [path: string, bucket: string, answer: Route['answer']])[] = [
  ['/v1/common/timestamp', 'spot', time],
  ['/v1/common/symbols', 'spot', symbols],
  ['/market/tickers', 'spot', spotTickers],
  ['/market/depth', 'depth', orDated(depth('spot'), depth('dated'))],
  ['/market/history/kline', 'candles', orDated(candles('spot'), candles('dated'))],
  ['/market/history/candles', 'candles', candles('spot', { ranged: true, most: 1000 })],
  ['/linear-swap-api/v1/swap_contract_info', 'reference', linearInfo],
  ['/linear-swap-api/v1/swap_index', 'reference', indices('linear')],
  ['/v2/linear-swap-ex/market/detail/batch_merged', 'market', contractTickers('linear')],
  ['/linear-swap-ex/market/depth', 'market', ofLinear(depth)],
  ['/linear-swap-ex/market/detail/merged', 'market', ofLinear(merge)],
  ['/linear-swap-ex/market/history/kline', 'market', ofLinear((group) => candles(group))],
  ['/index/market/history/linear_swap_mark_price_kline', 'market', ofLinear(marks)],
  ['/v5/market/funding_rate', 'v5', linearFunding],
  ['/v5/market/open_interest', 'v5', ofLinear(linearInterest)],
  ['/v5/market/elite_account_ratio', 'v5', eliteRatio('TopAccounts')],
  ['/v5/market/elite_position_ratio', 'v5', eliteRatio('TopPositions')],
  ['/v5/market/funding_rate_history', 'v5', fundingHistory],
  ['/linear-swap-api/v1/swap_his_open_interest', 'reference', interestHistory('linear')],
  ['/swap-api/v1/swap_his_open_interest', 'reference', interestHistory('inverse')],
  ['/linear-swap-api/v1/swap_historical_funding_rate', 'reference', pagedFundings('linear')],
  ['/swap-api/v1/swap_historical_funding_rate', 'reference', pagedFundings('inverse')],
  [
    '/linear-swap-api/v1/swap_elite_account_ratio',
    'reference',
    listedEliteRatio('linear', 'TopAccounts'),
  ],
  [
    '/linear-swap-api/v1/swap_elite_position_ratio',
    'reference',
    listedEliteRatio('linear', 'TopPositions'),
  ],
  [
    '/swap-api/v1/swap_elite_account_ratio',
    'reference',
    listedEliteRatio('inverse', 'TopAccounts'),
  ],
  [
    '/swap-api/v1/swap_elite_position_ratio',
    'reference',
    listedEliteRatio('inverse', 'TopPositions'),
  ],
  ['/swap-api/v1/swap_contract_info', 'reference', contractInfo('inverse')],
  ['/swap-api/v1/swap_index', 'reference', indices('inverse')],
  ['/swap-api/v1/swap_batch_funding_rate', 'reference', inverseFunding],
  ['/swap-api/v1/swap_open_interest', 'reference', inverseInterest],
  ['/v2/swap-ex/market/detail/batch_merged', 'market', contractTickers('inverse')],
  ['/swap-ex/market/depth', 'market', depth('inverse')],
  ['/swap-ex/market/history/kline', 'market', candles('inverse')],
  ['/index/market/history/swap_mark_price_kline', 'market', marks('inverse')],
  ['/index/market/history/index', 'market', indexCandles],
  ['/api/v1/contract_contract_info', 'reference', contractInfo('dated')],
  ['/api/v1/contract_open_interest', 'reference', datedInterest],
  ['/api/v1/contract_index', 'reference', coinIndices],
  ['/v2/market/detail/batch_merged', 'market', contractTickers('dated')],
  ['/index/market/history/mark_price_kline', 'market', orDated(datedMarks, marks('dated'))],
];

const routes: ReadonlyMap<string, Route> = new Map(
  table.map(([path, bucket, answer]) => [path, { bucket, weight: () => 1, answer }]),
);

const perSecond = (weight: number) => ({ weight, per: 1000 });

const refusal = (status: number, code: string, message: string) => ({
  status,
  body: { status: 'error', 'err-code': code, 'err-msg': message, data: null },
});

/** The simulated venue. */
export const htx: SimulatedVenue = {
  id: 'htx',
  hosts: ['api.huobi.pro', 'api-aws.huobi.pro', 'api.hbdm.com', 'api.hbdm.vn'],
  markets: htxMarkets,
  route: (path) => routes.get(path),
  buckets: {
    spot: perSecond(10),
    depth: perSecond(10),
    candles: perSecond(10),
    reference: perSecond(80),
    market: perSecond(800),
    v5: perSecond(80),
  },
  refusals: {
    rate_limit: refusal(429, 'rate-too-many-requests', 'exceeded rate limit'),
    ban: refusal(403, 'invalid-ip', 'access denied'),
    server_error: refusal(503, 'system-maintenance', 'System is in maintenance!'),
  },
  reply: (frame) => [...notified(frame), ...reply(frame)],
  channels: together(
    liquidations,
    spotChannels,
    contractChannels,
    markChannels,
    indexChannels,
    fundingChannels,
    pings,
    spotBooks,
    contractBooks,
  ),
};
