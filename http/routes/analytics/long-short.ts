/** Long against short, of the largest accounts (specification 4.3 and 4.4). */
import type { History, LongShortOf, LongShortPoint } from '../../../actors/topics/index.ts';
import * as s from '../../../actors/topics/schema.ts';
import { longShortRatio } from '../../../indicators/derivatives/order-flow.ts';
import { type Route, route } from '../../endpoints/route.ts';
import { apiError, isApiError } from '../../wire/errors.ts';
import {
  askOf,
  type Context,
  common,
  exchangeOf,
  nineIntervals,
  seriesOf,
  seriesParams,
  sevenIntervals,
} from './series.ts';

const share = { minimum: 0, maximum: 1 };
/** Two shares and their ratio. */
export const ratioFields = {
  long_ratio: s.number('Share of long, a fraction.', share),
  short_ratio: s.number('Share of short, a fraction.', share),
  long_short_ratio: s.number('Long over short.', { minimum: 0 }),
};

const topFields = {
  account_long_ratio: s.number('Share of accounts that are long, a fraction.', share),
  account_short_ratio: s.number('Share of accounts that are short.', share),
  account_long_short_ratio: s.numberOrNull('Long over short.'),
  position_long_ratio: s.number('Share of positions that are long, a fraction.', share),
  position_short_ratio: s.number('Share of positions that are short.', share),
  position_long_short_ratio: s.numberOrNull('Long over short.'),
};

/** Points whose short share is not 0. */
export const ratioPoints = (points: readonly LongShortPoint[]) =>
  points.flatMap(({ timestamp, long, short }) => {
    const ratio = longShortRatio(long, short);
    if (ratio === null) return [];
    return [{ timestamp, long_ratio: long, short_ratio: short, long_short_ratio: ratio }];
  });

/** The times that both histories have. */
function topPoints(accounts: History<LongShortPoint>, positions: History<LongShortPoint>) {
  const byTime = new Map(positions.points.map((point) => [point.timestamp, point]));
  return accounts.points.flatMap(({ timestamp, long, short }) => {
    const position = byTime.get(timestamp);
    if (!position) return [];
    return [
      {
        timestamp,
        account_long_ratio: long,
        account_short_ratio: short,
        account_long_short_ratio: longShortRatio(long, short),
        position_long_ratio: position.long,
        position_short_ratio: position.short,
        position_long_short_ratio: longShortRatio(position.long, position.short),
      },
    ];
  });
}

/** The exchanges that have both lists of their largest accounts. */
const topForms = {
  binance: {
    path: '/v1/analytics/top-traders',
    name: 'Binance USD-M',
    params: seriesParams(nineIntervals, 30, 500),
  },
  okx: {
    path: '/v1/analytics/okx/top-traders',
    name: 'OKX',
    params: seriesParams(sevenIntervals, 100, 500),
  },
} as const;

const topTraders = ({ markets }: Context, source: keyof typeof topForms): Route =>
  route({
    ...common,
    path: topForms[source].path,
    summary: `Long and short of the largest accounts on ${topForms[source].name}, by accounts and by positions`,
    params: topForms[source].params,
    answer: seriesOf(topFields, {}),
    from: {
      query(asked) {
        const found = markets.resolve(asked.symbol, { kind: 'perpetual', exchanges: [source] });
        if (isApiError(found)) return found;
        const params = askOf(found.market, 'perpetual', asked);
        return {
          source,
          name: 'longShort',
          form: `top ${found.symbol}`,
          params: { ...params, of: 'top_accounts' },
          also: [{ source, params: { ...params, of: 'top_positions' } }],
          what: `the top traders of ${asked.symbol} on ${source}`,
          data(accounts, [positions]) {
            if (!positions) return apiError('upstream_failed');
            const points = topPoints(accounts, positions);
            const head = { symbol: found.symbol, exchange: source, pair: accounts.market };
            return { ...head, interval: asked.interval, count: points.length, points };
          },
        };
      },
    },
  });

const latest = s.list(
  s.named(
    'LatestLongShort',
    s.object({ exchange: s.exchange, timestamp: s.unixMs(), ...ratioFields }),
  ),
  'The newest point of each exchange that has answered.',
);

/** Long against short of the largest accounts of one exchange, and the newest of all. */
function topRoute(
  { prices, markets, exchanges }: Context,
  { name, of, what }: { name: string; of: LongShortOf; what: string },
): Route {
  const exchange = exchangeOf(['binance', 'okx', 'htx', 'gate'], exchanges.longShort);
  return route({
    ...common,
    path: `/v1/long-short-ratio/${name}`,
    summary: `Long and short of the largest accounts, by ${what}`,
    params: { ...seriesParams(sevenIntervals, 100, 500), exchange },
    answer: seriesOf(ratioFields, { latest }),
    from: {
      query(asked) {
        const found = markets.resolve(asked.symbol, {
          kind: 'perpetual',
          exchanges: [asked.exchange],
        });
        if (isApiError(found)) return found;
        const others = exchange.enum.flatMap((source) => {
          const market = prices.marketFor(source, found.symbol, 'perpetual')?.market;
          const { interval } = asked;
          if (source === asked.exchange || market === undefined) return [];
          const params = { market, kind: 'perpetual' as const, interval, limit: 1, of };
          return [{ source, params }];
        });
        return {
          source: asked.exchange,
          name: 'longShort',
          params: { ...askOf(found.market, 'perpetual', asked), of },
          also: others,
          what: `the long/short ratio of ${asked.symbol} on ${asked.exchange}`,
          form: found.symbol,
          data({ market, points: rows }, replies) {
            const points = ratioPoints(rows);
            const newest = [rows, ...replies.map((reply) => reply?.points ?? [])].flatMap(
              (one, i) => {
                const id = i === 0 ? asked.exchange : (others[i - 1]?.source ?? '');
                return ratioPoints(one.slice(-1)).map((point) => ({ exchange: id, ...point }));
              },
            );
            const head = { symbol: found.symbol, exchange: asked.exchange, pair: market };
            const { interval } = asked;
            return { ...head, interval, count: points.length, latest: newest, points };
          },
        };
      },
    },
  });
}

/** Without an exchange that has the data there are no rows. */
export const longShortRoutes = (context: Context): Route[] => {
  const { longShort = [] } = context.exchanges;
  const traders = (['binance', 'okx'] as const).filter((id) => longShort.includes(id));
  const ratios = [
    topRoute(context, { name: 'top-accounts', of: 'top_accounts', what: 'accounts' }),
    topRoute(context, { name: 'top-positions', of: 'top_positions', what: 'positions' }),
  ];
  return [
    ...traders.map((id) => topTraders(context, id)),
    ...(longShort.includes('binance') ? ratios : []),
  ];
};
