/** Funding rates of an asset over all exchanges, weighted by turnover. */
import { annualRate } from '../../../indicators/derivatives/funding.ts';
import * as fundingHistory from '../../../indicators/derivatives/funding-history.ts';
import type { Funding } from '../../../indicators/derivatives/funding-rates.ts';
import { type Explanation, explained } from '../../views/explanation.ts';
import type { PerpetualsView } from '../../views/perpetuals.ts';
import { apiError, kit, params, s } from '../kit.ts';
import { cells, fundingInputs } from './common.ts';

/** Rates that were received longer ago do not count, ms. */
const oldest = 300_000;

const row = kit.columns<Funding & { weight: number | null }>()({
  exchange: cells.exchange,
  contract: cells.contract,
  funding_rate: cells.funding_rate,
  interval_hours: cells.interval_hours,
  funding_rate_8h: cells.funding_rate_8h,
  volume_24h_usd: cells.volume_24h_usd,
  open_interest_usd: cells.open_interest_usd,
  weight: s.numberOrNull('Share of the turnover; null where it is not known.'),
  next_funding_time: cells.next_funding_time,
});

type Weighted = NonNullable<ReturnType<typeof fundingHistory.weightedFundings>>;

const means = kit.columns<Weighted & { symbol: string; received: number }>()({
  symbol: s.string('Base asset.'),
  vol_weighted_rate_8h: [
    s.number('Mean of `funding_rate_8h` by turnover, a fraction.'),
    'byVolume',
  ],
  oi_weighted_rate_8h: [
    s.numberOrNull('Mean by open interest, a fraction; null without any.'),
    'byInterest',
  ],
  average_rate_8h: [s.number('Mean, each contract counted once, a fraction.'), 'plain'],
  annualized: [cells.annualized[0], ({ byVolume }) => annualRate(byVolume, 8)],
  total_volume_24h_usd: [s.number('Turnover of 24 hours of these contracts.'), 'volume'],
  exchange_count: [s.integer('Exchanges with a rate of it.'), 'exchanges'],
  updated_at: [s.unixMs('When the newest of the rates was received.'), 'received'],
  exchanges: [
    s.list(row.schema, 'Largest turnover first.'),
    ({ weights }) => row.all(weights.map(({ funding, weight }) => ({ ...funding, weight }))),
  ],
});

const explanationOf = ({ byVolume, weights }: Weighted): Explanation => ({
  field: 'vol_weighted_rate_8h',
  result: byVolume,
  method: 'weighted_sum',
  rule: 'The rate of each perpetual received within five minutes, for eight hours, by its share of the turnover of 24 hours.',
  inputs: fundingInputs(weights),
});

function weightedOf(
  view: PerpetualsView,
  symbol: string,
  { now, explain }: { now: number; explain: string | undefined },
) {
  if (view.isEmpty()) return null;
  if (!view.hasFunding(symbol)) {
    return apiError('unknown_symbol', `no exchange has a funding rate of ${symbol}`);
  }
  const fresh = view.fundingsOf(symbol).filter(({ received }) => now - received <= oldest);
  const found = fundingHistory.weightedFundings(fresh);
  if (found === null) {
    return apiError('warming_up', `no funding rate of ${symbol} with a turnover is new enough`);
  }
  const received = Math.max(...fresh.map((one) => one.received));
  return {
    ...means.read({ ...found, symbol, received }),
    ...(explain === '1' && { explanation: explanationOf(found) }),
  };
}

export const weightedRoute = ({ perpetuals, clock }: kit.Needs<'perpetuals' | 'clock'>) =>
  kit.document({
    path: '/v1/funding-rates/vol-weighted',
    summary: 'Funding rate of an asset over all exchanges, weighted by turnover',
    params: {
      symbol: params.assetIn(params.symbolOrBitcoin, (name) => perpetuals.fundings().has(name)),
      explain: params.explain,
    },
    answer: s.object({ ...means.properties, ...explained }),
    source: perpetuals.source,
    build: ({ symbol, explain }) => weightedOf(perpetuals, symbol, { now: clock.now(), explain }),
  });
