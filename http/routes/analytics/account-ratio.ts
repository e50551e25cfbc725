/** Long against short accounts, of each exchange and over all of them (specification 4.4). */
import { intervals } from '../../../actors/topics/index.ts';
import { sharesAtOnce } from '../../../indicators/derivatives/order-flow.ts';
import { apiError, kit, params, s } from '../kit.ts';
import { newestOf, type Shares, shareFields } from './long-short.ts';

/** Exchanges that count the accounts of a perpetual, or of all contracts of the asset (OKX). */
const counting = ['binance', 'okx', 'bybit', 'gate', 'kraken', 'bitget'];

/** A row that is older than the newest one by more intervals than this is not of the same time. */
const mostIntervals = 3;

/** The newest point of an exchange. */
type Newest = Shares & { exchange: string; contract: string };
const newestPoint = kit.columns<Newest>()({
  exchange: s.exchange,
  contract: s.ownId,
  timestamp: kit.timestamp,
  ...shareFields,
});

/** Exchanges whose newest points are of one time, with the mean of their shares, and others. */
interface Compared extends Omit<Shares, 'timestamp'> {
  fresh: readonly Newest[];
  late: readonly Newest[];
}
const fields = kit.columns<Compared>()({
  ...shareFields,
  long_short_ratio_basis: kit.constant('exchanges', 'Mean of these; tables of assets have one.'),
  exchange_count: [s.integer('Exchanges in the mean.'), ({ fresh }) => fresh.length],
  exchanges: [
    s.list(newestPoint.schema, 'The newest point of each, largest share of long first.'),
    ({ fresh }) => newestPoint.all(fresh),
  ],
  stale_exchanges: [
    s.list(s.string(), 'Exchanges whose newest point is too old to be compared.'),
    ({ late }) => late.map(({ exchange }) => exchange),
  ],
});

/** Without an exchange that counts accounts there is no row. */
export function accountRatioRoutes({ markets, exchanges }: kit.MarketContext) {
  const ids = counting.filter((id) => exchanges.longShort?.includes(id));
  return kit.history({
    path: '/v1/long-short-ratio',
    summary: 'Long and short by accounts, of each exchange and on average',
    params: {
      symbol: params.asset(markets, 'perpetual', ids),
      interval: params.interval(params.currencyIntervals, '1h'),
    },
    of: {
      names: ['longShort'],
      isAnswered: ids.length > 0,
      fails: ['not_enough_data', 'upstream_failed'],
      what: ({ symbol }) => `the long/short ratio of ${symbol}`,
      ask: ({ symbol, interval, listed }) =>
        kit.toAll(
          listed().map(({ exchange, market }) => ({
            source: exchange,
            params: { market, kind: 'perpetual', interval, limit: 1, of: 'accounts' },
          })),
          symbol,
        ),
    },
    head: kit.failedField,
    fields,
    foldAll({ values: { symbol, interval, listed }, ...given }) {
      const contracts = new Map(listed().map((one) => [one.exchange, one.market]));
      const contractOf = ({ exchange }: { exchange: string }) => contracts.get(exchange) ?? '';
      const all = newestOf(given).map((one) => ({ ...one, contract: contractOf(one) }));
      const { mean, ...found } = sharesAtOnce(all, mostIntervals * intervals[interval]);
      if (mean !== null) return { ...found, ...mean };
      return apiError('not_enough_data', `no exchange has a share of the accounts of ${symbol}`);
    },
  });
}
