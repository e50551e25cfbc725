/** Long against short accounts, of each exchange and over all of them (specification 4.4). */
import { type Interval, intervals } from '../../../actors/topics/index.ts';
import * as s from '../../../actors/topics/schema.ts';
import { meanShares } from '../../../indicators/derivatives/order-flow.ts';
import type { Route } from '../../endpoints/route.ts';
import { apiError, isApiError } from '../../wire/errors.ts';
import { columns, fieldsOf, listed } from '../factory/columns.ts';
import {
  failedExchanges,
  history,
  type Made,
  type Subject,
  symbolField,
} from '../factory/history.ts';
import type { MarketContext } from '../factory/market-subject.ts';
import * as params from '../params.ts';
import { group, symbolOrBitcoin } from './common.ts';
import { newestOf, ratioFields, ratioOf, type Shares } from './long-short.ts';
import { currencyIntervals } from './series.ts';

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
    head: symbolField,
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

/** Without an exchange that counts accounts there is no row. */
export const accountRatioRoutes = (context: MarketContext): Route[] =>
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
