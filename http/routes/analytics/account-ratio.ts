/** Long against short accounts, per exchange and over all of them. */
import {
  type History,
  intervals,
  type LongShortParams,
  type LongShortPoint,
} from '../../../actors/topics/index.ts';
import * as s from '../../../actors/topics/schema.ts';
import { longShortRatio, meanShares } from '../../../indicators/derivatives/order-flow.ts';
import { type Route, route } from '../../endpoints/route.ts';
import { apiError, isApiError } from '../../wire/errors.ts';
import type { RoutesContext } from '../context.ts';
import * as params from '../params.ts';
import { assetOn, type PerpetualContext, symbolOrBitcoin } from './common.ts';
import { ratioFields, ratioPoints } from './long-short.ts';
import { common, currencyIntervals } from './series.ts';

type Context = PerpetualContext & Pick<RoutesContext, 'exchanges'>;

/** Exchanges that count the accounts of a perpetual, or of all contracts of the asset (OKX). */
const counting = ['binance', 'okx', 'bybit', 'gate', 'kraken', 'bitget'];

/** A row that is older than the newest one by more intervals than this is not of the same time. */
const mostIntervals = 3;

const answer = s.object({
  symbol: s.string('Base asset.'),
  interval: s.interval,
  ...ratioFields,
  long_short_ratio_basis: s.literal(
    'exchanges',
    'Mean over `exchanges`; the tables of assets have that of one exchange.',
  ),
  exchange_count: s.integer('Exchanges in the mean.'),
  exchanges: s.list(
    s.object({
      exchange: s.exchange,
      contract: s.string("The exchange's own id."),
      timestamp: s.unixMs('Start of the interval, Unix ms.'),
      ...ratioFields,
    }),
    'The newest point of each, largest share of long first.',
  ),
  stale_exchanges: s.list(s.string(), 'Exchanges whose newest point is too old to be compared.'),
  failed_exchanges: s.list(s.string(), 'Exchanges that could not be asked.'),
  stale: s.stale,
});

interface Market {
  exchange: string;
  contract: string;
}

type Replies = readonly (History<LongShortPoint> | null)[];

const dataOf =
  (symbol: string, markets: readonly Market[], interval: LongShortParams['interval']) =>
  (replies: Replies) => {
    const rows = markets.flatMap((market, i) =>
      ratioPoints(replies[i]?.points.slice(-1) ?? []).map((point) => ({ ...market, ...point })),
    );
    const newest = Math.max(...rows.map(({ timestamp }) => timestamp));
    const since = newest - mostIntervals * intervals[interval];
    const fresh = rows.filter(({ timestamp }) => timestamp >= since);
    const mean = meanShares(fresh.map(({ long_ratio }) => long_ratio));
    const ratio = mean && longShortRatio(mean.long, mean.short);
    if (mean === null || ratio === null) {
      return apiError('not_enough_data', `no exchange has a share of the accounts of ${symbol}`);
    }
    return {
      ...{ symbol, interval, long_ratio: mean.long, short_ratio: mean.short },
      ...{ long_short_ratio: ratio, long_short_ratio_basis: 'exchanges' as const },
      exchange_count: fresh.length,
      exchanges: fresh.sort((a, b) => b.long_ratio - a.long_ratio),
      stale_exchanges: rows
        .filter(({ timestamp }) => timestamp < since)
        .map(({ exchange }) => exchange),
      failed_exchanges: markets.flatMap(({ exchange }, i) => (replies[i] ? [] : [exchange])),
    };
  };

/** Without an exchange that counts accounts there is no row. */
export function accountRatioRoutes(context: Context): Route[] {
  const { perpetuals, exchanges } = context;
  const ids = counting.filter((id) => exchanges.longShort?.includes(id));
  if (ids.length === 0) return [];
  const row = route({
    ...common,
    path: '/v1/long-short-ratio',
    fails: ['not_enough_data', 'upstream_failed'],
    summary: 'Long and short by accounts, of each exchange and on average',
    params: { symbol: symbolOrBitcoin, interval: params.interval(currencyIntervals, '1h') },
    answer,
    from: {
      query({ symbol: given, interval }) {
        const symbol = assetOn(context, ids, given);
        if (typeof symbol !== 'string') return symbol;
        const markets = ids.flatMap((exchange): Market[] => {
          const found = perpetuals.find(exchange, symbol);
          return isApiError(found) ? [] : [{ exchange, contract: found.contract }];
        });
        const [first, ...also] = markets.map(({ exchange, contract }) => ({
          source: exchange,
          params: {
            ...{ market: contract, kind: 'perpetual' as const },
            ...{ interval, limit: 1, of: 'accounts' as const },
          },
        }));
        if (!first) return apiError('unknown_symbol', `unknown symbol '${symbol}'`);
        const data = dataOf(symbol, markets, interval);
        return {
          ...first,
          name: 'longShort',
          also,
          form: `accounts ${symbol}`,
          what: `the long/short ratio of ${symbol}`,
          data: (value: Replies[number], others: Replies) => data([value, ...others]),
          onPartialFailure: (others: Replies) => data([null, ...others]),
        };
      },
    },
  });
  return [row];
}
