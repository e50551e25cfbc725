/** What Coinbase's price is above those of USDT markets, over time, out of the candles of the exchanges. */
import type { Candles, Interval } from '../../../actors/topics/index.ts';
import { premiums } from '../../../indicators/market/premium.ts';
import { apiError, kit, params, s } from '../kit.ts';

type Context = kit.Needs<'markets' | 'candleIntervals'>;

const coinbase = 'coinbase';
/** Markets that are asked at most, always the same ones. */
const maxMarkets = { others: 7, rates: 3 };

interface Market {
  exchange: string;
  market: string;
}

/** The spot markets of a pair, one on each exchange that has such candles, in the order of the exchanges. */
const marketsOf = ({ markets, candleIntervals }: Context, pair: string, interval: Interval) =>
  [...candleIntervals].flatMap(([exchange, intervals]): Market[] => {
    const found = intervals.includes(interval) ? markets.find(exchange, pair, 'spot') : null;
    return found === null ? [] : [{ exchange, market: found.market }];
  });

/** The market of an asset on Coinbase, those against USDT elsewhere, and those of USDT against the dollar; or why there are none. */
function comparedWith(context: Context, symbol: string, interval: Interval) {
  const listed = (pair: string) => marketsOf(context, pair, interval);
  const isOwn = ({ exchange }: Market) => exchange === coinbase;
  const own = listed(`${symbol}/USD`).filter(isOwn);
  const others = listed(`${symbol}/USDT`).filter((one) => !isOwn(one));
  const rates = listed('USDT/USD').slice(0, maxMarkets.rates);
  return own.length > 0
    ? { own, others: others.slice(0, maxMarkets.others), rates }
    : apiError('unknown_symbol', `${coinbase} has no market of ${symbol} in USD`);
}

const closesOf = (reply: Candles | null | undefined): ReadonlyMap<number, number> =>
  new Map(reply?.candles.map(({ timestamp: time, close }) => [time, close]));

const point = kit.columns<ReturnType<typeof premiums>[number] & { closed: boolean }>()({
  timestamp: kit.timestamp,
  premium_percent: [
    s.numberOrNull('Price of Coinbase over the mean of the USDT markets, less one.'),
    ({ premium }) => premium?.percent ?? null,
  ],
  coinbase_price: [s.number('Last price of the interval on Coinbase, US dollars.'), 'price'],
  mean_price: [
    s.numberOrNull('Mean of the last prices against USDT, US dollars; null where none is known.'),
    ({ premium }) => premium?.mean ?? null,
  ],
  market_count: [s.integer('USDT markets of the mean.'), ({ premium }) => premium?.count ?? 0],
  usdt_usd: [s.numberOrNull('US dollars per USDT, median of its dollar markets, or null.'), 'rate'],
  closed: s.boolean('False while the interval still ran when Coinbase was asked.'),
});

/** Without candles of Coinbase there is no row. */
export const coinbasePremiumRoutes = (context: Context) =>
  kit.history({
    path: '/v1/spot/coinbase-premium/history',
    summary: 'Premium of an asset on Coinbase over USDT markets, over time',
    params: {
      ...params.seriesParams(params.sixIntervals, 100, 300),
      symbol: params.asset(context.markets, 'spot', [coinbase]),
    },
    of: {
      names: ['candles'],
      isAnswered: context.candleIntervals.has(coinbase),
      resolve: ({ symbol, interval }) => comparedWith(context, symbol, interval),
      what: ({ symbol }) => `the candles of ${symbol}`,
      ask: ({ symbol, own, others, rates, interval, limit, from, to }) =>
        kit.toAll(
          [...own, ...others, ...rates].map(({ exchange, market }) => ({
            source: exchange,
            params: { market, kind: 'spot', interval, limit, from, to },
          })),
          symbol,
        ),
    },
    head: kit.failedField,
    foldAll({ values, replies: [own, ...more] }) {
      if (!own) return apiError('upstream_failed');
      const closed = new Set(own.candles.filter((one) => one.closed).map((one) => one.timestamp));
      const all = more.map(closesOf);
      const count = values.others.length;
      // A market of USDT that does not answer is left out of the median, unless none does.
      const found = premiums({
        own: closesOf(own),
        others: all.slice(0, count),
        rates: all.slice(count),
      });
      return found.map((one) => ({ ...one, closed: closed.has(one.timestamp) }));
    },
    points: kit.points(point),
  });
