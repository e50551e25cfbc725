/** Candles: of trades out of the one cache, of marks and indices as the exchange keeps them. */
import {
  allIntervals,
  type Candle,
  type Interval,
  intervals,
  type PriceCandle,
  type PriceCandleParams,
} from '../../../../actors/topics/index.ts';
import { day, hour, minute } from '../../../../config/time.ts';
import { endOf } from '../../../../indicators/market/candles.ts';
import { questionOf } from '../../../answers/queries.ts';
import { apiError, kit, params, s } from '../../kit.ts';
import { decimalOrNull, exchange, form } from './form.ts';
import { type Api, contracts, type Listed, type Listing, marketOf, spot } from './markets.ts';

export const range = {
  startTime: {
    type: 'integer',
    time: 'ms',
    minimum: 0,
    description:
      'First time, Unix ms, included: the oldest rows from here on. The newest when absent.',
  },
  endTime: {
    type: 'integer',
    time: 'ms',
    minimum: 0,
    description: 'Last time, Unix ms, included. Now when absent.',
  },
} as const;

interface Range {
  interval: Interval;
  limit: number;
  startTime?: number | undefined;
  endTime?: number | undefined;
}

/** The range to ask for: with a start the first `limit` candles from there on, else the newest. */
const rangeOf = ({ limit, startTime, endTime }: Range) => ({
  limit,
  from: startTime,
  to: endTime,
});

/** `[open time, open, high, low, close, volume, close time, turnover, trades, taker base, taker quote, unused]`. */
function klineOf(candle: Candle, listed: Listed, interval: Interval, isSpot: boolean): unknown[] {
  const { timestamp, open, high, low, close, volume, turnover, flow } = candle;
  const prices = [open, high, low, close].map((price) => listed.price(price));
  const digits = isSpot ? 8 : 5;
  const { trades = null, base = null, quote = null } = flow ?? {};
  return [
    ...[timestamp, ...prices, listed.quantity(volume)],
    ...[endOf(timestamp, interval) - 1, decimalOrNull(turnover, digits), trades],
    ...[listed.quantity(base), decimalOrNull(quote, digits), '0'],
  ];
}

const kline = s.list(
  s.unchecked({ type: ['integer', 'string', 'null'] }),
  'Open time (Unix ms), open, high, low, close, volume (base), close time (Unix ms), turnover (quote), trades, what takers bought (base, quote), unused. Null where the exchange does not state one.',
);

const zone = {
  type: 'string',
  maxLength: 6,
  description:
    'Of spot, `8` or `-5:30`: refused where candles of this interval open at other times there than in UTC.',
} as const satisfies kit.Param;

/** Whether candles open at the same times in a zone as in UTC, in which they are had. */
function opensAsInUtc(offset: string, interval: Interval): boolean {
  const [, hours, minutes = '0'] = /^[+-]?(\d\d?)(?::(\d\d))?$/.exec(offset) ?? [];
  return (Number(hours) * hour + Number(minutes) * minute) % intervals[interval] === 0;
}

function klines(api: Api, listing: Listing): kit.Route {
  const isSpot = api === spot;
  // Spot cuts a larger limit, contracts refuse it.
  const limit = {
    type: 'integer',
    default: 500,
    minimum: 1,
    description: isSpot ? 'Most candles; 1,000 where it is more.' : 'Most candles.',
    ...(isSpot ? {} : { maximum: 1_500 }),
  } as const;
  const { default: _, ...interval } = params.interval(allIntervals, '1h');
  return kit.queried({
    path: `${api.at}/klines`,
    summary: 'Candles of one market, out of the one cache of candles',
    fails: ['upstream_failed'],
    noEnvelope: form,
    params: {
      symbol: marketOf(listing),
      interval: { ...interval, required: true },
      limit,
      ...range,
      ...(isSpot && { timeZone: zone }),
    },
    answer: s.list(kline, 'Ascending by time.'),
    query({ symbol: name, listed, interval: length, limit: most, timeZone, ...times }) {
      if (timeZone !== undefined && !opensAsInUtc(timeZone, length)) {
        const parameter = { name: 'timeZone', missing: false };
        return apiError('bad_parameter', `candles of ${length} are those of UTC`, { parameter });
      }
      const asked = { ...times, interval: length, limit: isSpot ? Math.min(most, 1_000) : most };
      return questionOf({
        source: exchange,
        name: 'candles',
        params: { market: name, kind: api.kind, interval: length, ...rangeOf(asked) },
        what: `the candles of ${name}`,
        variant: 'binance',
        data: ({ candles }) => candles.map((one) => klineOf(one, listed, length, isSpot)),
      });
    },
  });
}

const priced = allIntervals.filter((one) => day % intervals[one] === 0);

/** `[open time, open, high, low, close, "0", close time, "0", null, "0", "0", "0"]`: nothing is traded at these prices. */
function priceKlineOf(candle: PriceCandle, listed: Listed, interval: Interval): unknown[] {
  const { timestamp, open, high, low, close } = candle;
  const prices = [open, high, low, close].map((price) => listed.price(price, 8));
  return [timestamp, ...prices, '0', endOf(timestamp, interval) - 1, '0', null, '0', '0', '0'];
}

/** `markPriceKlines` by the market, `indexPriceKlines` by the pair, which is called as its perpetual. */
function priceKlines(listing: Listing): kit.Route[] {
  const { default: _, ...interval } = params.interval(priced, '1h');
  const steps = {
    interval: { ...interval, required: true },
    limit: params.limit(500, 1_500, 'Most candles.'),
    ...range,
  } as const;
  const asked = (of: PriceCandleParams['of'], listed: Listed, given: Range) => {
    const { interval: length } = given;
    return questionOf({
      source: exchange,
      name: 'priceCandles',
      params: { market: listed.id, kind: 'perpetual', interval: length, of, ...rangeOf(given) },
      what: `the candles of the ${of} price of ${listed.id}`,
      variant: 'binance',
      data: ({ points }) => points.map((one) => priceKlineOf(one, listed, length)),
    });
  };
  const about = {
    fails: ['upstream_failed'],
    noEnvelope: form,
    answer: s.list(kline, 'Ascending by time. Volumes are 0.'),
  } as const;
  return [
    kit.queried({
      ...about,
      path: `${contracts.at}/markPriceKlines`,
      summary: 'Candles of the mark price of one contract',
      params: { symbol: marketOf(listing), ...steps },
      query: ({ listed, ...given }) => asked('mark', listed, given),
    }),
    kit.queried({
      ...about,
      path: `${contracts.at}/indexPriceKlines`,
      summary: 'Candles of the index price of one contract',
      params: { pair: marketOf(listing, 'pair'), ...steps },
      query: ({ listed, ...given }) => asked('index', listed, given),
    }),
  ];
}

/** Those of an API. */
export const candleRoutes = (api: Api, listing: Listing): kit.Route[] => [
  klines(api, listing),
  ...(api === contracts ? priceKlines(listing) : []),
];
