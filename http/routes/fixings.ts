/** Hourly fixings of an asset, as they were recorded. */
import { fixingsIn } from '../../actors/topics/index.ts';
import { hour } from '../../config/time.ts';
import { type Fixing, fixingPartitions, minutesOfFixing } from '../../indicators/market/fixing.ts';
import { assetAmong } from '../views/markets.ts';
import { apiError, kit, params, s, warmingUp } from './kit.ts';

type Context = kit.Needs<'prices'>;

const known = s.named(
  'FixingExchange',
  s.object({
    exchange: s.exchange,
    minutes: s.integer(`Minutes of which every trade is known, ${minutesOfFixing} at most.`),
  }),
);

const fixing = kit.columns<Fixing & { timestamp: number }>()({
  timestamp: s.unixMs('Start of the hour; the fixing is that of its end.'),
  rate: s.number('Mean of the partitions that had trades, US dollars.'),
  partitions: [
    {
      ...s.list(s.numberOrNull(), 'Volume-weighted median of five minutes, US dollars, or null.'),
      minItems: fixingPartitions,
      maxItems: fixingPartitions,
    },
    ({ partitions }) => [...partitions],
  ],
  trades: s.integer('Rows of trades, as the exchanges send them.'),
  volume_base: [s.number('Traded in the known minutes.'), 'volume'],
  exchanges: [s.list(s.string(), 'With a known minute.'), ({ minutes }) => Object.keys(minutes)],
  known: [
    s.list(known, 'How much of the hour is known of each exchange.'),
    ({ minutes }) =>
      Object.entries(minutes).map(([exchange, count]) => ({ exchange, minutes: count })),
  ],
});

function assetOf(prices: Context['prices'], { symbol: given }: kit.CheckedValues) {
  if (prices.isEmpty()) return warmingUp;
  const symbol = assetAmong((name) => prices.has(name), String(given));
  return prices.has(symbol) ? { symbol } : apiError('unknown_symbol', `unknown symbol '${given}'`);
}

/** Hourly fixings of a tracked asset. */
export const fixingRoutes = ({ prices }: Context) =>
  kit.recorded({
    path: '/v1/reference-rate/fixings',
    summary: 'Hourly fixing of an asset: mean of twelve volume-weighted medians of spot trades',
    params: {
      ...params.rangeParams(24, 1000, hour),
      symbol: {
        ...params.symbolOrBitcoin,
        resolve: (values: kit.CheckedValues) => assetOf(prices, values),
      },
    },
    series: 'reference-fixings',
    what: 'the fixings',
    keys: ({ symbol }) => [symbol],
    range: ({ limit, from, to }) => ({ step: '1h', limit, from, to }),
    fold: ({ rows: [own] }) => (own ? fixingsIn(own) : []),
    points: kit.points(fixing, 'Ascending by time.', 'items'),
  });
