/** Long against short: accounts and positions, of all and of the largest (specification 4.3 and 4.4). */
import {
  type History,
  type Interval,
  intervals,
  type LongShortOf,
  type LongShortPoint,
} from '../../../actors/topics/index.ts';
import * as s from '../../../actors/topics/schema.ts';
import { longShortRatio, meanShares } from '../../../indicators/derivatives/order-flow.ts';
import type { Route } from '../../endpoints/route.ts';
import { apiError, isApiError } from '../../wire/errors.ts';
import { columns, fieldsOf, listed } from '../factory/columns.ts';
import { ascending, failedExchanges, history, type Made, type Subject, timed } from '../factory/history.ts';
import {
  type MarketAsked,
  type MarketContext,
  ofMarket,
  type StepValues,
  stepsOf,
} from '../factory/market-subject.ts';
import * as params from '../params.ts';
import { group, symbolOrBitcoin, symbolRequired } from './common.ts';
import { currencyIntervals, nineIntervals, seriesParams, sevenIntervals, sixIntervals } from './series.ts';

const share = { minimum: 0, maximum: 1 };

/** Shares of a time, and long over short. */
interface Shares extends LongShortPoint {
  ratio: number;
}

/** The points that have a short share. */
const sharesOf = (points: readonly LongShortPoint[]): Shares[] =>
  points.flatMap((point) => {
    const ratio = longShortRatio(point.long, point.short);
    return ratio === null ? [] : [{ ...point, ratio }];
  });

const ratioFields = columns<Pick<Shares, 'long' | 'short' | 'ratio'>>()({
  long_ratio: [s.number('Share of long, a fraction.', share), ({ long }) => long],
  short_ratio: [s.number('Share of short, a fraction.', share), ({ short }) => short],
  long_short_ratio: [s.number('Long over short.', { minimum: 0 }), ({ ratio }) => ratio],
});
const ratioPoint = columns<Shares>(timed, ratioFields)({});
const lockedPoint = columns<Shares>(ratioPoint)({
  locked_ratio: [
    s.numberOrNull('Share of locked positions; null where the exchange states none.'),
    ({ locked = null }) => locked,
  ],
});

/** The accounts or positions `of` a perpetual on one exchange, or on one of several. */
const sharesOn = (
  context: MarketContext,
  on: string | readonly string[],
  of: LongShortOf,
  more: Partial<Parameters<typeof ofMarket<'longShort', StepValues>>[1]> = {},
) =>
  ofMarket<'longShort', StepValues>(context, {
    names: ['longShort'],
    kind: 'perpetual',
    on,
    what: 'the long/short ratio',
    params: (asked, values) => ({ ...stepsOf(asked, values), of }),
    ...more,
  });

/** The rows of one exchange with its shares as they are stated. */
const stated = {
  group,
  fold: ({ points }: History<LongShortPoint>) => sharesOf(points),
  points: ascending(lockedPoint),
} as const;
const contract = { id: 'contract' } as const;

const statedRows = (context: MarketContext): Route[] => [
  ...history({
    ...stated,
    path: '/v1/analytics/okx/long-short',
    summary: 'Accounts of OKX that are long and short, over all futures and swaps of a currency',
    params: seriesParams(currencyIntervals, 100, 500),
    of: sharesOn(context, 'okx', 'accounts', contract),
  }),
  ...history({
    ...stated,
    path: '/v1/analytics/bybit/long-short',
    summary: 'Accounts of Bybit that are long and short in a perpetual',
    params: { ...seriesParams(sixIntervals, 50, 500), symbol: symbolRequired },
    of: sharesOn(context, 'bybit', 'accounts', contract),
  }),
  ...history({
    ...stated,
    path: '/v1/analytics/htx/elite-account-ratio',
    summary: 'The largest accounts of HTX that are long and short in a swap',
    params: seriesParams(sixIntervals, 30, 200),
    of: sharesOn(context, 'htx', 'top_accounts', contract),
  }),
  ...history({
    ...stated,
    path: '/v1/analytics/htx/elite-position-ratio',
    summary: 'Long and short positions of the largest accounts of HTX in a swap',
    params: seriesParams(sixIntervals, 30, 200),
    of: sharesOn(context, 'htx', 'top_positions', contract),
  }),
];

/** The shares of a time by accounts and by positions. */
interface Both {
  timestamp: number;
  accounts: LongShortPoint;
  positions: LongShortPoint;
}
const ratioOf = ({ long, short }: Pick<LongShortPoint, 'long' | 'short'>) =>
  longShortRatio(long, short);

const bothPoint = columns<Both>(timed)({
  account_long_ratio: [
    s.number('Share of accounts that are long, a fraction.', share),
    ({ accounts }) => accounts.long,
  ],
  account_short_ratio: [
    s.number('Share of accounts that are short.', share),
    ({ accounts }) => accounts.short,
  ],
  account_long_short_ratio: [
    s.numberOrNull('Long over short.'),
    ({ accounts }) => ratioOf(accounts),
  ],
  position_long_ratio: [
    s.number('Share of positions that are long, a fraction.', share),
    ({ positions }) => positions.long,
  ],
  position_short_ratio: [
    s.number('Share of positions that are short.', share),
    ({ positions }) => positions.short,
  ],
  position_long_short_ratio: [
    s.numberOrNull('Long over short.'),
    ({ positions }) => ratioOf(positions),
  ],
});

/** The times that both histories have. */
function bothOf(accounts: History<LongShortPoint>, positions: History<LongShortPoint>): Both[] {
  const byTime = new Map(positions.points.map((point) => [point.timestamp, point]));
  return accounts.points.flatMap((point) => {
    const position = byTime.get(point.timestamp);
    return position
      ? [{ timestamp: point.timestamp, accounts: point, positions: position }]
      : [];
  });
}

/** The largest accounts of an exchange that lists them by accounts and by positions. */
const topTraders = (
  context: MarketContext,
  on: 'binance' | 'okx',
  row: { path: string; name: string; params: ReturnType<typeof seriesParams> },
): Route[] =>
  history({
    path: row.path,
    group,
    summary: `Long and short of the largest accounts on ${row.name}, by accounts and by positions`,
    params: row.params,
    of: sharesOn(context, on, 'top_accounts', {
      what: 'the top traders',
      further: (asked, values) => ({
        also: [{ source: on, params: { ...stepsOf(asked, values), of: 'top_positions' } }],
      }),
    }),
    fold: (accounts, { replies: [, positions] }) =>
      positions ? bothOf(accounts, positions) : apiError('upstream_failed'),
    points: ascending(bothPoint),
  });

const exchangePoint = columns<Shares & { exchange: string }>()({
  exchange: s.exchange,
  timestamp: s.unixMs(),
});
const latestPoint = columns<Shares & { exchange: string }>(exchangePoint, ratioFields)({});

/** The newest point of each reply. */
const newestOf = ({ replies, sources }: Pick<Made<'longShort', unknown>, 'replies' | 'sources'>) =>
  replies.flatMap((reply, i) =>
    sharesOf(reply?.points.slice(-1) ?? []).map((point) => ({ ...point, exchange: sources[i] ?? '' })),
  );

const latest = columns<Made<'longShort', MarketAsked>>()({
  latest: [
    s.list(
      s.named('LatestLongShort', s.object(latestPoint.properties)),
      'The newest point of each exchange that has answered.',
    ),
    (given) => newestOf(given).map((point) => latestPoint.read(point)),
  ],
});

/** The largest accounts of one exchange, and their newest shares on all. */
function topRow(
  context: MarketContext,
  of: 'top_accounts' | 'top_positions',
  name: string,
): Route[] {
  const shown = ['binance', 'okx', 'htx', 'gate'];
  const able = shown.filter((id) => context.exchanges.longShort?.includes(id));
  return history({
    path: `/v1/long-short-ratio/top-${name}`,
    group,
    summary: `Long and short of the largest accounts, by ${name}`,
    params: seriesParams(sevenIntervals, 100, 500),
    of: sharesOn(context, shown, of, {
      further: ({ symbol, exchange, kind }, { interval }) => ({
        also: able.flatMap((source) => {
          const market = context.markets.find(source, symbol, kind)?.market;
          if (source === exchange || market === undefined) return [];
          return [{ source, params: { market, kind, interval, limit: 1, of } }];
        }),
      }),
    }),
    head: latest,
    fold: ({ points }) => sharesOf(points),
    points: ascending(ratioPoint),
  });
}

/** Exchanges that count the accounts of a perpetual, or of all contracts of the asset (OKX). */
const counting = ['binance', 'okx', 'bybit', 'gate', 'kraken', 'bitget'];

/** A row that is older than the newest one by more intervals than this is not of the same time. */
const mostIntervals = 3;

/** The newest point of an exchange. */
interface Newest extends Shares {
  exchange: string;
  contract: string;
}
const newestPoint = columns<Newest>()({
  exchange: s.exchange,
  contract: s.string("The exchange's own id."),
  timestamp: s.unixMs('Start of the interval, Unix ms.'),
});
const newestFields = columns<Newest>(newestPoint, ratioFields)({});

/** The perpetuals of an asset on the exchanges that count its accounts. */
interface Counted {
  symbol: string;
  /** By exchange. */
  contracts: ReadonlyMap<string, string>;
}

function ofAccounts({ markets, exchanges }: MarketContext) {
  const ids = counting.filter((id) => exchanges.longShort?.includes(id));
  const subject: Subject<'longShort', { symbol: string; interval: Interval }, Counted> = {
    isAnswered: ids.length > 0,
    fails: ['not_enough_data', 'upstream_failed'],
    what: ({ symbol }) => `the long/short ratio of ${symbol}`,
    ask({ symbol: given, interval }) {
      const found = markets.resolve(given, { kind: 'perpetual', exchanges: ids });
      if (isApiError(found)) return found;
      const { symbol } = found;
      const [first, ...also] = ids.flatMap((source) => {
        const market = markets.find(source, symbol, 'perpetual')?.market;
        const params = { kind: 'perpetual', interval, limit: 1, of: 'accounts' } as const;
        return market === undefined ? [] : [{ source, params: { market, ...params } }];
      });
      if (!first) return apiError('unknown_symbol', `unknown symbol '${symbol}'`);
      const contracts = new Map([first, ...also].map((one) => [one.source, one.params.market]));
      return { ...first, name: 'longShort', also, about: { symbol, contracts } };
    },
  };
  return subject;
}

/** The newest points of one time with the mean of their shares. */
interface Compared {
  mean: Pick<Shares, 'long' | 'short' | 'ratio'>;
  fresh: readonly Newest[];
  /** Exchanges whose newest point is too old. */
  late: readonly string[];
}

/** The newest points of some exchanges, or why they have no mean. */
function comparedOf(all: readonly Newest[], symbol: string, interval: Interval) {
  const since = Math.max(...all.map((one) => one.timestamp)) - mostIntervals * intervals[interval];
  const [fresh, late] = [
    all.filter(({ timestamp }) => timestamp >= since),
    all.filter(({ timestamp }) => timestamp < since),
  ];
  const mean = meanShares(fresh.map(({ long }) => long));
  const ratio = mean && ratioOf(mean);
  if (mean === null || ratio === null) {
    return apiError('not_enough_data', `no exchange has a share of the accounts of ${symbol}`);
  }
  return {
    mean: { ...mean, ratio },
    fresh: fresh.sort((a, b) => b.long - a.long),
    late: late.map(({ exchange }) => exchange),
  };
}

type MadeCompared = Made<'longShort', Counted, Compared>;
const meanFields = fieldsOf<MadeCompared, Compared['mean']>(ratioFields, ({ made }) => made.mean);
const comparedFields = columns<MadeCompared>(meanFields)({
  long_short_ratio_basis: [
    s.literal(
      'exchanges',
      'Mean over `exchanges`; the tables of assets have that of one exchange.',
    ),
    () => 'exchanges',
  ],
  exchange_count: [s.integer('Exchanges in the mean.'), ({ made }) => made.fresh.length],
  exchanges: listed(
    newestFields,
    'The newest point of each, largest share of long first.',
    ({ made }: MadeCompared) => made.fresh,
  ),
  stale_exchanges: [
    s.list(s.string(), 'Exchanges whose newest point is too old to be compared.'),
    ({ made }) => made.late,
  ],
});

const accountRow = (context: MarketContext): Route[] =>
  history({
    path: '/v1/long-short-ratio',
    group,
    summary: 'Long and short by accounts, of each exchange and on average',
    params: { symbol: symbolOrBitcoin, interval: params.interval(currencyIntervals, '1h') },
    of: ofAccounts(context),
    head: columns<MadeCompared>(comparedFields, failedExchanges)({}),
    foldAll(given) {
      const { symbol, contracts } = given.about;
      const newest = newestOf(given).map((point) => ({
        ...point,
        contract: contracts.get(point.exchange) ?? '',
      }));
      return comparedOf(newest, symbol, given.values.interval);
    },
  });

/** Without an exchange that has the data there are no rows. */
export const longShortRoutes = (context: MarketContext): Route[] => [
  ...topTraders(context, 'binance', {
    path: '/v1/analytics/top-traders',
    name: 'Binance USD-M',
    params: seriesParams(nineIntervals, 30, 500),
  }),
  ...topTraders(context, 'okx', {
    path: '/v1/analytics/okx/top-traders',
    name: 'OKX',
    params: seriesParams(sevenIntervals, 100, 500),
  }),
  ...topRow(context, 'top_accounts', 'accounts'),
  ...topRow(context, 'top_positions', 'positions'),
  ...accountRow(context),
  ...statedRows(context),
];
