/** Implied volatility and skew at constant tenors over time, as this service has recorded them. */
import type { Tenor } from '../../../actors/topics/index.ts';
import { rowsIn } from '../../../indicators/market/recorded.ts';
import { isApiError, kit, params, s } from '../kit.ts';

const metrics = { atm_iv: 'atm', skew_25d: 'skew' } as const;
type Metric = keyof typeof metrics;

interface Values {
  metric: Metric;
  tenor: `${Tenor}d`;
}

/** Hours are kept for a month, days for 400. */
const mostHours = 30;
const hoursOf = (days: number) => ({ step: '1h' as const, limit: days * 24 });

const columnOf = ({ metric, tenor }: Values): string => `${metrics[metric]}_${tenor.slice(0, -1)}`;

const point = kit.columns<{ time: number; value: number }>()({
  timestamp: [s.unixMs('Start of the hour or day: the value is that at its end.'), 'time'],
  value: s.number('Fraction a year: 0.5 is 50 %.'),
});

const asked = kit.repeated({
  metric: s.oneOf(['atm_iv', 'skew_25d'], 'As asked.'),
  tenor: s.oneOf(['7d', '30d', '90d', '180d'], 'As asked.'),
});

export const historyRoute = ({ options }: kit.Needs<'options'>) =>
  kit.recorded({
    path: '/v1/options/history',
    summary: 'Implied volatility at the money, or 25-delta skew, at a constant tenor over time',
    params: {
      symbol: {
        ...params.symbolOrBitcoin,
        resolve({ symbol: given }: kit.CheckedValues) {
          const symbol = String(given).toUpperCase();
          const found = options.find({ symbol });
          // Without a young chain there still is what was recorded.
          return isApiError(found) && found.error === 'unknown_symbol' ? found : { symbol };
        },
      },
      metric: params.wordOr(
        ['atm_iv', 'skew_25d'],
        'atm_iv',
        'At the money; or the put with a delta of -0.25 less the call with 0.25.',
      ),
      tenor: params.wordOr(['7d', '30d', '90d', '180d'], '30d', 'Until the expiry, interpolated.'),
      days: params.limit(30, 400, 'Days of the past: by hour up to 30, by day beyond.'),
    },
    series: 'options-volatility',
    what: 'the implied volatility',
    keys: ({ symbol }) => [symbol],
    range: ({ days }) => (days <= mostHours ? hoursOf(days) : { step: '1d', limit: days }),
    head: asked,
    fold: ({ rows: [row] }, { values }) => rowsIn(row, { value: columnOf(values) }),
    points: kit.points(point),
  });
