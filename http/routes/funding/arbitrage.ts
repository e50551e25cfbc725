/** The yield of a pair of perpetuals with different funding rates. */
import * as s from '../../../actors/topics/schema.ts';
import {
  type Funding,
  type FundingPair,
  fundingPairs,
  perYear,
} from '../../../indicators/derivatives/funding-rates.ts';
import { type Route, route } from '../../endpoints/route.ts';
import { assetAmong } from '../../views/markets.ts';
import type { PerpetualsView } from '../../views/perpetuals.ts';
import { type ApiError, apiError } from '../../wire/errors.ts';
import { assetOf, symbolOrAll } from '../analytics/common.ts';
import type { RoutesContext } from '../context.ts';
import * as params from '../params.ts';
import { annualized, common, open_interest_usd, volume_24h_usd } from './common.ts';

const side = (description: string) =>
  s.named(
    'FundingArbitrageSide',
    s.object(
      {
        exchange: s.exchange,
        contract: s.contract,
        funding_rate: s.number('Fraction per `interval_hours`.'),
        interval_hours: s.intervalHours,
        annualized,
        next_funding_time: s.integerOrNull('Unix ms.'),
        mark_price: s.numberOrNull('In the quote of the contract.'),
        open_interest_usd,
        volume_24h_usd,
      },
      description,
    ),
  );
const pair = s.object({
  symbol: s.symbol,
  long: side('The contract to be bought.'),
  short: side('The contract to be sold.'),
  apr_percent: s.number(
    'Received by the pair in 365 days at the present rates, percent of the size of one side, before fees.',
  ),
  basis_percent: s.number('Mark of the short side over that of the long side, less one, percent.'),
});
const arbitrage = s.object({
  fees_included: s.literal(false, 'Fees, slippage and borrowing are not in the figures.'),
  note: s.string('What the figures leave out, in words.'),
  min_apr: s.number('Percent a year, as asked.'),
  min_volume: s.number('USD, as asked.'),
  total: s.integer('Pairs found, before `limit`.'),
  count: s.count,
  items: s.list(pair, 'Best first.'),
});
type Arbitrage = s.Static<typeof arbitrage>;

const sideOf = (funding: Funding): s.Static<ReturnType<typeof side>> => ({
  exchange: funding.exchange,
  contract: funding.contract,
  funding_rate: funding.rate,
  interval_hours: funding.hours,
  annualized: perYear(funding),
  next_funding_time: funding.next,
  mark_price: funding.mark,
  open_interest_usd: funding.open_interest_usd,
  volume_24h_usd: funding.volume_24h_usd,
});

interface ArbitrageQuery {
  asset: string | undefined;
  min_apr: number;
  min_volume: number;
  limit: number;
}

const pairOf = (symbol: string, { long, short, annual, basis }: FundingPair) => ({
  symbol,
  long: sideOf(long),
  short: sideOf(short),
  apr_percent: annual * 100,
  basis_percent: basis * 100,
});

const note =
  'Rates of now, which change at every funding. Fees, slippage and the cost of capital are not included.';

function arbitrageOf(view: PerpetualsView, query: ArbitrageQuery): Arbitrage | ApiError {
  const { min_apr, min_volume, limit } = query;
  const fundings = view.fundings();
  const asset =
    query.asset === undefined
      ? undefined
      : assetAmong((symbol) => fundings.has(symbol), query.asset);
  if (asset !== undefined && !fundings.has(asset)) {
    return apiError('unknown_symbol', `no exchange has a funding rate of ${asset}`);
  }
  const found = [...fundings].flatMap(([symbol, all]) => {
    if (asset !== undefined && symbol !== asset) return [];
    const traded = all.filter(({ volume_24h_usd }) => (volume_24h_usd ?? 0) >= min_volume);
    const pairs = fundingPairs(traded, min_apr / 100);
    // Of all symbols only the best pair of each.
    const shown = asset === undefined ? pairs.slice(0, 1) : pairs;
    return shown.map((one) => pairOf(symbol, one));
  });
  const items = found.sort((a, b) => b.apr_percent - a.apr_percent).slice(0, limit);
  const { length: total } = found;
  return { fees_included: false, note, min_apr, min_volume, total, count: items.length, items };
}

export function arbitrageRoute({ perpetuals }: Pick<RoutesContext, 'perpetuals'>): Route {
  const read = perpetuals.answers<ArbitrageQuery, Arbitrage>(
    ({ asset = '', min_apr, min_volume, limit }) => `${asset} ${min_apr} ${min_volume} ${limit}`,
    arbitrageOf,
  );
  return route({
    ...common,
    path: '/v1/funding-arbitrage',
    summary:
      'Pairs of perpetuals with different funding rates: long on one exchange, short on another',
    params: {
      min_apr: {
        type: 'number',
        default: 10,
        minimum: 0,
        maximum: 100_000,
        description: 'Least annual rate of the pair, percent.',
      },
      limit: params.limit(20, 200, 'Most pairs.'),
      symbol: {
        ...symbolOrAll,
        description:
          'Base asset or a market of it, in any spelling: every pair of it. The best pair of each symbol when absent.',
      },
      min_volume: {
        type: 'number',
        default: 1_000_000,
        minimum: 0,
        description: 'Least turnover of 24 hours of either side, USD.',
      },
    },
    answer: arbitrage,
    from: {
      answers: read,
      query: ({ symbol, ...query }) => ({ ...query, asset: assetOf(symbol) }),
    },
  });
}
