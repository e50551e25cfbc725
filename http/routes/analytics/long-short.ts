/** Long against short: accounts and positions, of all and of the largest (specification 4.3 and 4.4). */
import type { History, LongShortOf, LongShortPoint } from '../../../actors/topics/index.ts';
import { longShortRatio } from '../../../indicators/derivatives/order-flow.ts';
import { type MarginPoint, marginRatio } from '../../../indicators/market/margin.ts';
import { apiError, kit, params, s } from '../kit.ts';

const share = { minimum: 0, maximum: 1 };

/** Shares of a time, and long over short. */
export interface Shares extends LongShortPoint {
  ratio: number;
}

/** The points that have a short share. */
const sharesOf = (points: readonly LongShortPoint[]): Shares[] =>
  points.flatMap((point) => {
    const ratio = longShortRatio(point.long, point.short);
    return ratio === null ? [] : [{ ...point, ratio }];
  });

const ratioOf = ({ long, short }: Pick<Shares, 'long' | 'short'>) => longShortRatio(long, short);

/** The fields of shares. */
export const shareFields = {
  long_ratio: [s.number('Share of long, a fraction.', share), 'long'],
  short_ratio: [s.number('Share of short, a fraction.', share), 'short'],
  long_short_ratio: [s.number('Long over short.', { minimum: 0 }), 'ratio'],
} as const;
const sharePoint = kit.columns<Shares>()({ timestamp: kit.timestamp, ...shareFields });
const lockedPoint = kit.columns<Shares>()({
  timestamp: kit.timestamp,
  ...shareFields,
  locked_ratio: [
    s.numberOrNull('Share of locked positions; null where the exchange states none.'),
    ({ locked = null }) => locked,
  ],
});

/** The accounts or positions `of` a perpetual on one exchange, or on one of several. */
const sharesOn = (
  context: kit.MarketContext,
  on: string | readonly string[],
  of: LongShortOf,
  more: Partial<Parameters<typeof kit.ofMarket<'longShort', kit.StepValues>>[1]> = {},
) =>
  kit.ofMarket<'longShort', kit.StepValues>(context, {
    names: ['longShort'],
    on,
    what: 'the long/short ratio',
    params: (asked, values) => ({ ...kit.stepsOf(asked, values), of }),
    ...more,
  });

/** The rows of one exchange with its shares as they are stated. */
const stated = {
  fold: ({ points }: History<LongShortPoint>) => sharesOf(points),
  points: kit.points(lockedPoint),
} as const;
const contract = { id: 'contract' } as const;

const statedRows = (context: kit.MarketContext) => [
  ...kit.history({
    ...stated,
    path: '/v1/analytics/okx/long-short',
    summary: 'Accounts of OKX that are long and short, over all futures and swaps of a currency',
    params: params.seriesParams(params.currencyIntervals, 100, 500),
    of: sharesOn(context, 'okx', 'accounts', contract),
  }),
  ...kit.history({
    ...stated,
    path: '/v1/analytics/bybit/long-short',
    summary: 'Accounts of Bybit that are long and short in a perpetual',
    params: { ...params.seriesParams(params.sixIntervals, 50, 500), symbol: params.symbolRequired },
    of: sharesOn(context, 'bybit', 'accounts', contract),
  }),
  ...kit.history({
    ...stated,
    path: '/v1/analytics/htx/elite-account-ratio',
    summary: 'The largest accounts of HTX that are long and short in a swap',
    params: params.seriesParams(params.sixIntervals, 30, 200),
    of: sharesOn(context, 'htx', 'top_accounts', contract),
  }),
  ...kit.history({
    ...stated,
    path: '/v1/analytics/htx/elite-position-ratio',
    summary: 'Long and short positions of the largest accounts of HTX in a swap',
    params: params.seriesParams(params.sixIntervals, 30, 200),
    of: sharesOn(context, 'htx', 'top_positions', contract),
  }),
];

/** The shares of a time by accounts and by positions. */
interface Both {
  timestamp: number;
  accounts: LongShortPoint;
  positions: LongShortPoint;
}
const bothPoint = kit.columns<Both>()({
  timestamp: kit.timestamp,
  account_long_ratio: [s.number('Long share of accounts.', share), (of) => of.accounts.long],
  account_short_ratio: [s.number('Short share of accounts.', share), (of) => of.accounts.short],
  account_long_short_ratio: [s.numberOrNull('Long over short.'), (of) => ratioOf(of.accounts)],
  position_long_ratio: [s.number('Long share of positions.', share), (of) => of.positions.long],
  position_short_ratio: [s.number('Short share of positions.', share), (of) => of.positions.short],
  position_long_short_ratio: [s.numberOrNull('Long over short.'), (of) => ratioOf(of.positions)],
});

/** The times that both histories have. */
function bothOf(accounts: History<LongShortPoint>, positions: History<LongShortPoint>): Both[] {
  const byTime = new Map(positions.points.map((point) => [point.timestamp, point]));
  return accounts.points.flatMap((point) => {
    const position = byTime.get(point.timestamp);
    return position ? [{ timestamp: point.timestamp, accounts: point, positions: position }] : [];
  });
}

/** The largest accounts of an exchange that lists them by accounts and by positions. */
const topTraders = (
  context: kit.MarketContext,
  on: 'binance' | 'okx',
  row: { path: string; name: string; params: ReturnType<typeof params.seriesParams> },
) =>
  kit.history({
    path: row.path,
    summary: `Long and short of the largest accounts on ${row.name}, by accounts and by positions`,
    params: row.params,
    of: sharesOn(context, on, 'top_accounts', {
      what: 'the top traders',
      further: (asked, values) => ({
        sameQueryElsewhere: [
          { source: on, params: { ...kit.stepsOf(asked, values), of: 'top_positions' } },
        ],
      }),
    }),
    fold: (accounts, { replies: [, positions] }) =>
      positions ? bothOf(accounts, positions) : apiError('upstream_failed'),
    points: kit.points(bothPoint),
  });

/** The newest point of each reply. */
export const newestOf = ({
  replies,
  sources,
}: Pick<kit.Replies<'longShort', unknown>, 'replies' | 'sources'>) =>
  replies.flatMap((reply, i) =>
    sharesOf(reply?.points.slice(-1) ?? []).map((row) => ({ ...row, exchange: sources[i] ?? '' })),
  );

const latestPoint = kit.columns<Shares & { exchange: string }>()({
  exchange: s.exchange,
  timestamp: s.unixMs(),
  ...shareFields,
});
const latest = kit.columns<kit.Replies<'longShort', unknown>>()({
  latest: [
    s.list(
      s.named('LatestLongShort', latestPoint.schema),
      'The newest point of each exchange that has answered, of a range up to the end of this page.',
    ),
    (given) => latestPoint.all(newestOf(given)),
  ],
});

/** The largest accounts of one exchange, and their newest shares on all. */
function topRow(context: kit.MarketContext, of: 'top_accounts' | 'top_positions', name: string) {
  const shown = ['binance', 'okx', 'htx', 'gate'];
  const supportedExchanges = shown.filter((id) => context.exchanges.longShort?.includes(id));
  return kit.history({
    path: `/v1/long-short-ratio/top-${name}`,
    summary: `Long and short of the largest accounts, by ${name}`,
    params: params.seriesParams(params.sevenIntervals, 100, 500),
    of: sharesOn(context, shown, of, {
      further: ({ symbol, exchange, kind }, { interval, to }) => ({
        sameQueryElsewhere: supportedExchanges.flatMap((source) => {
          const found = context.markets.find(source, symbol, kind);
          if (source === exchange || found === null) return [];
          return [{ source, params: { market: found.market, kind, interval, limit: 1, to, of } }];
        }),
      }),
    }),
    head: latest,
    fold: ({ points }) => sharesOf(points),
    points: kit.points(sharePoint),
  });
}

/** Without an exchange that has the data there are no rows. */
export const longShortRoutes = (context: kit.MarketContext) => [
  ...topTraders(context, 'binance', {
    path: '/v1/analytics/top-traders',
    name: 'Binance USD-M',
    params: params.seriesParams(params.nineIntervals, 30, 500),
  }),
  ...topTraders(context, 'okx', {
    path: '/v1/analytics/okx/top-traders',
    name: 'OKX',
    params: params.seriesParams(params.sevenIntervals, 100, 500),
  }),
  ...topRow(context, 'top_accounts', 'accounts'),
  ...topRow(context, 'top_positions', 'positions'),
  ...statedRows(context),
];

const marginPoint = kit.columns<MarginPoint>()({
  timestamp: s.unixMs('When this was held.'),
  long_size: s.number('Held long on margin, base units.'),
  short_size: s.number('Held short on margin, base units.'),
  long_short_ratio: [s.numberOrNull('Long over short; null where nothing is short.'), marginRatio],
});

/** Margin positions over time. */
export const marginHistoryRoute = (context: kit.MarketContext) =>
  kit.history({
    path: '/v1/analytics/bitfinex/margin-history',
    summary: 'Margin positions on Bitfinex over time',
    params: params.seriesParams(['1h', '2h', '4h', '6h', '12h', '1d'], 100, 400),
    of: kit.ofMarket(context, {
      names: ['marginHistory'],
      kind: 'spot',
      on: 'bitfinex',
      what: 'the margin positions',
      // Most is held on margin in the pair with US dollars.
      nameOf: (symbol) =>
        context.markets.find('bitfinex', `${symbol}/USD`, 'spot')?.market ?? symbol,
      params: kit.stepsOf,
    }),
    fold: (reply) => reply.points,
    points: kit.points(marginPoint),
  });
