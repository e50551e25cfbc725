/** Realised volatility of an asset by window, and what its options imply. */
import { type Candles, intervals } from '../../../actors/topics/index.ts';
import { expiriesOf } from '../../../indicators/options/chain.ts';
import type { TermPoint } from '../../../indicators/options/surface.ts';
import * as volatility from '../../../indicators/options/volatility.ts';
import type { OptionsView } from '../../views/options.ts';
import { apiError, isApiError, kit, params, s } from '../kit.ts';

type Context = kit.Needs<'options' | 'markets' | 'candleIntervals' | 'registry'>;

/** Tenors of the implied volatilities, days. */
const tenors = [7, 30, 60, 90, 180] as const;
/** The tenor of the premium, days. */
const premiumDays = 30;
/** Daily closes of the cone: two years. */
const closes = 730;

const quantiles = 'of all windows of this length in up to two years, fraction a year.';
const head = kit.repeated({
  symbol: s.symbol,
  exchange: s.string('Exchange of the daily closes.'),
  market: s.string('Its own id of the market.'),
});
const fields = s.object({
  realized: s.list(
    s.object({
      days: s.integer('Daily returns of a window.'),
      current: s.number('Volatility of the last window, fraction a year.'),
      min: s.number(`Least ${quantiles}`),
      p25: s.number(`First quartile ${quantiles}`),
      median: s.number(`Median ${quantiles}`),
      p75: s.number(`Third quartile ${quantiles}`),
      max: s.number(`Largest ${quantiles}`),
      windows: s.integer('Windows that these are of.'),
    }),
    'Standard deviation of daily logarithmic returns times the square root of 365.',
  ),
  implied: s.list(
    s.object({
      days: s.integer('Tenor.'),
      at_the_money: s.numberOrNull(
        'Fraction a year, the variance interpolated between the expiries around the tenor; null outside of them and without options.',
      ),
      source: s.string('Exchanges of the options; `none` without any.'),
    }),
    'By tenor.',
  ),
  variance_premium: s.numberOrNull('Implied less realised variance of 30 days; null without one.'),
  as_of: s.unixMs('When the closes were received.'),
});

/** The volatility at the money of each expiry, and the exchanges that it is of. */
function impliedOf(
  options: OptionsView,
  symbol: string,
): { term: readonly TermPoint[]; source: string } {
  const found = options.find({ symbol });
  if (isApiError(found)) return { term: [], source: 'none' };
  const { middle: term } = volatility.termsOf(expiriesOf(found.rows, options.source.now));
  const source = [...new Set(found.rows.map(({ exchange }) => exchange))].sort().join(', ');
  return { term, source };
}

/** The cone of the days that are over. */
const coneOf = ({ candles }: Candles) =>
  volatility.volatilityCone(candles.filter(({ closed }) => closed).map(({ close }) => close));

/** Without an exchange with daily candles of spot markets there is no row. */
export function volatilityRoutes({ options, markets, candleIntervals, registry }: Context) {
  const supportedExchanges = params
    .exchangesWith(registry, 'spot')
    .filter((id) => candleIntervals.get(id)?.includes('1d'));
  return kit.history({
    path: '/v1/volatility',
    summary: 'Realised volatility with its history, and volatility that options imply by tenor',
    params: {
      symbol: params.asset(markets, 'spot', supportedExchanges),
    },
    of: {
      names: ['candles'],
      isAnswered: supportedExchanges.length > 0,
      fails: ['not_enough_data', 'upstream_failed'],
      head,
      what: ({ symbol, exchange }) => `the daily candles of ${symbol} on ${exchange}`,
      ask: ({ market, exchange }) => ({
        source: exchange,
        params: { market, kind: 'spot', interval: '1d', limit: closes },
        cacheFor: intervals['1m'],
      }),
    },
    fold(reply, { values: { symbol, exchange } }) {
      const realized = coneOf(reply);
      if (realized.length === 0)
        return apiError('not_enough_data', `${exchange} has too few days of ${symbol}`);
      const { term, source } = impliedOf(options, symbol);
      const at = (days: number) => volatility.volatilityAt(term, days / 365);
      const month = realized.find(({ days }) => days === premiumDays)?.current ?? null;
      return {
        realized,
        implied: tenors.map((days) => ({ days, at_the_money: at(days), source })),
        variance_premium: volatility.variancePremium(at(premiumDays), month),
        as_of: reply.received,
      };
    },
    fields: kit.plain(fields),
  });
}
