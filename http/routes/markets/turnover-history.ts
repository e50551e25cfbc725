/** Turnover of exchanges over time, out of the recorded series. */
import { recordedKey } from '../../../actors/topics/index.ts';
import { byTime, rowsIn } from '../../../indicators/market/recorded.ts';
import { isApiError, kit, params, s } from '../kit.ts';

const point = kit.columns<ReturnType<typeof byTime>[number]>()({
  timestamp: s.unixMs('Start of the interval; values are those at its end.'),
  volume_24h_usd: [
    s.number('Sum of `exchanges`.'),
    ({ exchanges }) => Object.values(exchanges).reduce((sum, one) => sum + one, 0),
  ],
  exchange_count: kit.exchangeCount('with a value: where it changes, so does what the sum is of'),
  exchanges: s.mapOf(s.number('Turnover of its dollar markets, US dollars.'), 'exchange'),
});

export const turnoverHistoryRoutes = ({ registry }: { registry: kit.Registry }) =>
  kit.recorded({
    path: '/v1/exchanges/volume-history',
    summary: 'Turnover of exchanges over time',
    params: {
      kind: { ...params.kind, default: 'spot', description: 'Kind of the markets.' },
      interval: params.interval(params.sixIntervals, '1h'),
      limit: params.limit(100, 500, params.mostRows),
      ...params.range('interval'),
      exchange: {
        ...params.severalExchanges('All that have such markets when absent.'),
        resolve({ exchange, kind }: kit.CheckedValues) {
          const ids = params.exchangesWith(registry, String(kind));
          const found = params.exchangesIn(ids, exchange);
          return isApiError(found) ? found : { exchanges: found };
        },
      },
    },
    series: 'exchange-turnover',
    what: ({ kind }) => `the turnover of ${kind} markets`,
    keys: ({ kind, exchanges }) => exchanges.map((id) => recordedKey(id, kind)),
    range: kit.recordedSteps,
    head: kit.repeated({ kind: s.oneOf(['spot', 'perpetual'], 'Kind of the markets.') }),
    fold: ({ rows }, { values: { exchanges, limit } }) =>
      byTime(
        exchanges.map((exchange, i) => ({ exchange, rows: rowsIn(rows[i], { value: 'usd' }) })),
      ).slice(-limit),
    points: kit.points(point),
  });
