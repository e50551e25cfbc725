/** Funding rates of an asset over all exchanges, weighted by turnover. */
import * as s from '../../../actors/topics/schema.ts';
import { annualRate } from '../../../indicators/derivatives/funding.ts';
import { weightedFundings } from '../../../indicators/derivatives/funding-history.ts';
import { type Funding, per8Hours } from '../../../indicators/derivatives/funding-rates.ts';
import { type Route, route } from '../../endpoints/route.ts';
import { assetAmong } from '../../views/markets.ts';
import type { PerpetualsView } from '../../views/perpetuals.ts';
import { type ApiError, apiError } from '../../wire/errors.ts';
import { symbolOrBitcoin } from '../analytics/common.ts';
import type { RoutesContext } from '../context.ts';
import { annualized, common, open_interest_usd, volume_24h_usd } from './common.ts';

/** Rates that were received longer ago do not count, ms. */
const oldest = 300_000;

const answer = s.object({
  symbol: s.string('Base asset.'),
  vol_weighted_rate_8h: s.number('Mean of `funding_rate_8h` by turnover, a fraction.'),
  oi_weighted_rate_8h: s.numberOrNull(
    'The same by open interest, a fraction; null where none is known.',
  ),
  average_rate_8h: s.number('Mean, each contract counted once, a fraction.'),
  annualized,
  total_volume_24h_usd: s.number('Turnover of 24 hours of these contracts, USD.'),
  exchange_count: s.integer('Exchanges with a rate of it.'),
  updated_at: s.unixMs('When the newest of the rates was received, Unix ms.'),
  exchanges: s.list(
    s.object({
      exchange: s.exchange,
      contract: s.string("The exchange's own id."),
      funding_rate: s.number('Fraction per `interval_hours`.'),
      interval_hours: s.intervalHours,
      funding_rate_8h: s.number('Fraction: the rate x 8 / `interval_hours`.'),
      volume_24h_usd,
      open_interest_usd,
      weight: s.numberOrNull('Share of the turnover; null where it is not known.'),
      next_funding_time: s.integerOrNull('Unix ms; null where it is not known.'),
    }),
    'Largest turnover first.',
  ),
});
type Answer = s.Static<typeof answer>;

const rowOf = ({ funding, weight }: { funding: Funding; weight: number | null }) => ({
  exchange: funding.exchange,
  contract: funding.contract,
  funding_rate: funding.rate,
  interval_hours: funding.hours,
  funding_rate_8h: per8Hours(funding),
  volume_24h_usd: funding.volume_24h_usd,
  open_interest_usd: funding.open_interest_usd,
  weight,
  next_funding_time: funding.next,
});

function answerOf(view: PerpetualsView, name: string, now: number): Answer | ApiError {
  const all = view.fundings();
  const symbol = assetAmong((one) => all.has(one), name);
  const listed = all.get(symbol) ?? [];
  if (listed.length === 0 && view.staleOn(symbol).length === 0) {
    return apiError('unknown_symbol', `no exchange has a funding rate of ${symbol}`);
  }
  const fresh = listed.filter(({ received }) => now - received <= oldest);
  const found = weightedFundings(fresh);
  if (found === null) {
    return apiError('warming_up', `no funding rate of ${symbol} with a turnover is new enough`);
  }
  return {
    symbol,
    vol_weighted_rate_8h: found.byVolume,
    oi_weighted_rate_8h: found.byInterest,
    average_rate_8h: found.plain,
    annualized: annualRate(found.byVolume, 8),
    total_volume_24h_usd: found.volume,
    exchange_count: found.exchanges,
    updated_at: Math.max(...fresh.map(({ received }) => received)),
    exchanges: found.weights.map(rowOf),
  };
}

export function weightedRoute({
  perpetuals,
  clock,
}: Pick<RoutesContext, 'perpetuals' | 'clock'>): Route {
  const read = perpetuals.answers<string, Answer>(
    (symbol) => symbol,
    (view, symbol) => answerOf(view, symbol, clock.now()),
  );
  return route({
    ...common,
    path: '/v1/funding-rates/vol-weighted',
    summary: 'Funding rate of an asset over all exchanges, weighted by turnover',
    params: { symbol: symbolOrBitcoin },
    answer,
    from: { answers: read, query: ({ symbol }) => symbol.toUpperCase() },
  });
}
