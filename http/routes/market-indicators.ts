import { cycleNames, type IndicatorName, indicatorNames } from '../../actors/topics/index.ts';
import { indicatorAnswer, indicatorTable } from '../../actors/topics/indicators/table.ts';
import { tickerPattern } from '../../indicators/market/market-names.ts';
import type { Snapshot } from '../answers/snapshots.ts';
import { withExplanation } from '../views/indicator-explanation.ts';
import { indicatorExplanation } from '../views/indicator-methods.ts';
import type { Indicator, IndicatorQuery } from '../views/published-indicators.ts';
import { apiError, isApiError, kit, params, s } from './kit.ts';

type Context = kit.Needs<'marketIndicators' | 'exchanges'>;

const limit = params.limit(365, 5_000, 'Most rows of `history`, the newest.');
const explain = {
  ...params.explain,
  description:
    '1 adds `explanation`: the inputs of the main number with their sources and weights, from which it can be computed again.',
} as const;

/** The wanted part of an indicator, with its inputs or without. */
interface Wanted extends IndicatorQuery {
  explain?: '0' | '1' | undefined;
}

/** Assets whose margin and metrics are published; the margin of others is queried. */
const followed = ['BTC', 'ETH'] as const;

/** Those that go beyond the specification. */
const needsKey = (name: IndicatorName): boolean =>
  name === 'network-metrics' || cycleNames.some((one) => one === name);

/** The common part of all rows. */
const rowOf = <N extends IndicatorName>(name: N) =>
  ({
    path: `/v1/indicators/${name}`,
    summary: indicatorTable[name].summary,
    answer: s.withOptional(indicatorAnswer(name), { explanation: indicatorExplanation }),
    list: name === 'exchange-transparency' ? 'exchanges' : 'history',
    access: needsKey(name) ? 'key' : 'open',
    fails: ['not_enough_data', 'upstream_failed'],
  }) as const;

/** The error of a key of which there never was a reading. */
const neverAnswered = (key: string): kit.ApiError =>
  apiError('upstream_failed', `no source of ${key} has answered yet`);

/** The answer of an indicator, with its inputs where they are wanted. */
function read<N extends IndicatorName>(indicator: Indicator<N>, query: Wanted) {
  const found = indicator.read(query);
  if (found === null || isApiError(found) || query.explain !== '1') return found;
  const reading = indicator.reading(query);
  return reading && withExplanation(found, reading, indicator.days);
}

/** The row of an indicator that is published whole. */
function indicatorRow<const Ps extends kit.Params>(
  name: IndicatorName,
  { marketIndicators }: Context,
  params: Ps,
  queryOf: (values: kit.Values<Ps>) => Wanted,
) {
  const indicator = marketIndicators.of(name);
  return kit.document<Ps, s.TSchema>({
    ...rowOf(name),
    params,
    absent: neverAnswered(name),
    source: indicator.source,
    build: (values) => read(indicator, queryOf(values)),
  });
}

function borrowRatesRoute(context: Context) {
  const { loans: lenders } = context.exchanges;
  const wanted = {
    exchange: {
      ...params.exchange(lenders),
      description: `One of ${lenders.join(', ')}, in any case. All of them when absent.`,
      example: 'okx',
    },
    symbol: {
      ...params.symbol,
      description: 'Asset that is lent, in any case. All assets when absent.',
      example: 'USDT',
    },
    limit,
    explain,
  } as const satisfies kit.Params;
  return indicatorRow('borrow-rates', context, wanted, ({ symbol, ...query }) => ({
    ...query,
    symbol: symbol?.toUpperCase(),
  }));
}

/** The base asset of `BTC`, `BTCUSD` or Bitfinex's own `tBTCUSD`, whose short pairs have six letters. */
function baseOf(symbol: string): string {
  const pair = /^(?:T(?=.{6}$))?(.{3,})USD$/.exec(symbol.toUpperCase());
  return pair?.[1] ?? symbol.toUpperCase();
}

/** The answers about each of the followed assets. */
const publishedOf = (name: IndicatorName, { marketIndicators }: Context) =>
  new Map<string, (query: Wanted) => Snapshot<object> | kit.ApiError>(
    followed.map((base) => {
      const key = `${name}/${base}`;
      const indicator = marketIndicators.of(name, key);
      const answers = indicator.source.answers({
        build: (query: Wanted) => read(indicator, query),
      });
      return [base, (query: Wanted) => answers(query) ?? neverAnswered(key)];
    }),
  );

function metricsRoute(context: Context) {
  const published = publishedOf('network-metrics', context);
  return kit.queried({
    ...rowOf('network-metrics'),
    params: {
      symbol: params.wordOr(followed, 'BTC', 'Coin of the network.'),
      limit,
      explain,
    },
    query: ({ symbol, ...wanted }) =>
      published.get(symbol)?.(wanted) ?? neverAnswered(`network-metrics/${symbol}`),
  });
}

function marginRoute(context: Context) {
  const { marketIndicators } = context;
  const published = publishedOf('bitfinex-margin', context);
  return kit.queried({
    ...rowOf('bitfinex-margin'),
    params: {
      symbol: {
        ...params.symbolOrBitcoin,
        pattern: tickerPattern,
        maxLength: 20,
        description: 'Base asset, or its pair with USD (`BTCUSD`, `tBTCUSD`), in any case.',
      },
      limit,
      explain,
    },
    query({ symbol: given, limit: rows, explain: wanted }) {
      const base = baseOf(given);
      const known = published.get(base);
      if (known) return known({ limit: rows, explain: wanted });
      return {
        source: 'margin',
        name: 'margin',
        params: { symbol: base },
        what: `the margin of ${base} on bitfinex`,
        variant: JSON.stringify([rows, wanted === '1']),
        data(reply) {
          const data = marketIndicators.data(reply, rows);
          return wanted === '1' ? withExplanation(data, reply.reading) : data;
        },
      };
    },
  });
}

/** The indicators that take no parameter but `limit`. */
const plain = indicatorNames.filter(
  (name) => !['borrow-rates', 'bitfinex-margin', 'network-metrics'].includes(name),
);

/** Indicators of the market as a whole and of Bitcoin, open to all (specification 4.9). */
export const marketIndicatorRoutes = (context: Context) => [
  ...plain.map((name) => indicatorRow(name, context, { limit, explain }, (query) => query)),
  borrowRatesRoute(context),
  marginRoute(context),
  metricsRoute(context),
];
