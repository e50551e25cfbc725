import { type IndicatorName, indicatorNames } from '../../actors/topics.ts';
import type { Asking } from '../asking.ts';
import { apiError } from '../errors.ts';
import type { MarketIndicatorsView } from '../views/market-indicators.ts';
import { indicatorTable } from './market-indicators-schemas.ts';
import { type Param, type Route, route } from './route.ts';

/** What the rows of this group answer from. */
export interface MarketIndicatorsContext {
  marketIndicators: Pick<MarketIndicatorsView, 'one' | 'data'>;
  asking: Asking;
}

const group = 'Market indicators';

const limitParam = {
  type: 'integer',
  default: 365,
  minimum: 1,
  maximum: 5_000,
  description: 'Most rows of `history`, the newest.',
} as const satisfies Param;

/** Exchanges that say publicly what a loan costs. */
const lenders = ['okx', 'bybit', 'bitget', 'gate', 'bitfinex'] as const;

/** Assets whose margin is followed; that of others is asked for. */
const followed: ReadonlySet<string> = new Set(['BTC', 'ETH']);

/** What all rows have in common. */
const rowOf = (name: IndicatorName) =>
  ({
    method: 'GET',
    path: `/v1/indicators/${name}`,
    group,
    ...indicatorTable[name],
    access: 'open',
    fails: [422, 502],
  }) as const;

const plainRoute = (name: IndicatorName, { marketIndicators }: MarketIndicatorsContext): Route =>
  route({
    ...rowOf(name),
    params: { limit: limitParam },
    from: { view: ({ limit }) => marketIndicators.one(name, { limit }) },
  });

const borrowRatesRoute = ({ marketIndicators }: MarketIndicatorsContext): Route =>
  route({
    ...rowOf('borrow-rates'),
    params: {
      exchange: {
        type: 'string',
        maxLength: 32,
        description: `One of ${lenders.join(', ')}, in any case. All of them when absent.`,
        example: 'okx',
      },
      symbol: {
        type: 'string',
        maxLength: 32,
        description: 'Asset that is lent, in any case. All assets when absent.',
        example: 'USDT',
      },
      limit: limitParam,
    },
    from: {
      view({ exchange: given, symbol, limit }) {
        const exchange = lenders.find((id) => id === given?.toLowerCase());
        if (given !== undefined && exchange === undefined) {
          return apiError('bad_parameter', `exchange must be one of ${lenders.join(', ')}`);
        }
        const query = { exchange, symbol: symbol?.toUpperCase(), limit };
        return marketIndicators.one('borrow-rates', query);
      },
    },
  });

/** The base asset of `BTC`, `BTCUSD` or Bitfinex's own `tBTCUSD`, whose short pairs have six letters. */
function baseOf(symbol: string): string {
  const pair = /^(?:T(?=.{6}$))?(.{3,})USD$/.exec(symbol.toUpperCase());
  return pair?.[1] ?? symbol.toUpperCase();
}

const marginRoute = ({ marketIndicators, asking }: MarketIndicatorsContext): Route =>
  route({
    ...rowOf('bitfinex-margin'),
    params: {
      symbol: {
        type: 'string',
        default: 'BTC',
        pattern: '^[A-Za-z0-9]{1,20}$',
        maxLength: 20,
        description: 'Base asset, or its pair with USD (`BTCUSD`, `tBTCUSD`), in any case.',
        example: 'BTC',
      },
      limit: limitParam,
    },
    from: {
      async ask({ symbol, limit }) {
        const base = baseOf(symbol);
        if (followed.has(base)) return marketIndicators.one(`bitfinex-margin/${base}`, { limit });
        return asking({
          service: 'margin',
          request: { symbol: base },
          what: `the margin of ${base} on bitfinex`,
          form: `${limit}`,
          data: (reply) => marketIndicators.data(reply, limit),
        });
      },
    },
  });

/** The indicators that stand in the view under their own name and take nothing but `limit`. */
const plain = indicatorNames.filter(
  (name) => name !== 'borrow-rates' && name !== 'bitfinex-margin',
);

/** Indicators of the market as a whole and of Bitcoin, open to all (specification 4.9). */
export const marketIndicatorRoutes = (context: MarketIndicatorsContext): Route[] => [
  ...plain.map((name) => plainRoute(name, context)),
  borrowRatesRoute(context),
  marginRoute(context),
];
