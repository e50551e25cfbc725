/** What takers bought and sold at each price level of a bar: the answer that recorded trades and candles make. */
import {
  footprintMinutes,
  type History,
  type Interval,
  intervals,
  type Recorded,
  type TakerCandle,
} from '../../../actors/topics/index.ts';
import * as s from '../../../actors/topics/schema.ts';
import { minute } from '../../../config/time.ts';
import {
  type FootprintBar,
  footprintBars,
  mostLevels,
} from '../../../indicators/derivatives/footprint.ts';
import { roundStep } from '../../../indicators/market/round-step.ts';
import { type ApiError, apiError } from '../../wire/errors.ts';
import { columns } from '../factory/columns.ts';
import type { Given } from '../factory/history.ts';
import { coverage } from '../factory/recorded-subject.ts';

/** Levels of a bar. */
const mostOfBar = 2_000;
/** Width of a level as a fraction of the price. */
const width = 0.0005;

const methods = ['trades', 'klines_1m'] as const;

type Method = (typeof methods)[number];

const base = s.number('Base units.');
const usd = s.number('US dollars.');

/** The fields of a bar, of which `method` says what its minutes are made of. */
const bar = columns<FootprintBar>()({
  timestamp: s.unixMs('Start of the bar, Unix ms.'),
  method: s.oneOf([...methods, 'mixed'], 'Of the minutes of the bar.'),
  trade_minutes: s.integer('Minutes that are made of trades.'),
  candle_minutes: s.integer('Minutes that are made of candles; the newest one is.'),
  missing_minutes: s.integer(
    'Minutes until now that are neither: what was traded in them is in no number of the bar.',
  ),
  open: s.number('First price, in quote.'),
  high: s.number('Highest price, in quote.'),
  low: s.number('Lowest price, in quote.'),
  close: s.number('Last price, in quote.'),
  volume_base: base,
  buy_base: base,
  sell_base: base,
  delta_base: s.number('Bought less sold by takers, base units.'),
  poc_price: s.numberOrNull('Start of the level with the largest volume, in quote.'),
  value_area_high: s.numberOrNull(
    'Highest level of the run around it with 70 % of the volume, in quote.',
  ),
  value_area_low: s.numberOrNull('Its lowest level, in quote.'),
  levels: s.list(
    s.object({
      price: s.number('Start of the level, in quote.'),
      buy_base: base,
      sell_base: base,
      buy_usd: usd,
      sell_usd: usd,
      delta_base: base,
    }),
    'Ascending by price.',
  ),
});

export const footprintFields = columns<Footprint>()({
  step: s.number('Width of a level, in quote.'),
  method: s.oneOf(
    methods,
    'Of most minutes: `trades` are the trades themselves, `klines_1m` spreads the volume of each minute evenly from its low to its high.',
  ),
  coverage,
  count: s.integer('Bars.'),
  bars: s.list(bar.schema, 'Ascending by time.'),
});

export type Kind = 'spot' | 'perpetual';
export type Name = 'takerCandles' | 'series';

/** The bars from the first one that begins at `from` until now, Unix ms, of a market by the exchange's own id. */
export interface FootprintOf {
  symbol: string;
  exchange: string;
  market: string;
  /** Whether candles stand for the minutes without recorded trades. */
  hasCandles: boolean;
  from: number;
  now: number;
}

const minuteOf = (candle: TakerCandle) => ({
  ...candle,
  buy_usd: candle.buy_usd ?? candle.buy_base * candle.close,
  sell_usd: candle.sell_usd ?? candle.sell_base * candle.close,
});

/** Trades where they are recorded, else candles where the exchange has them; ascending by time. */
function minutesOf({ replies, beside }: Pick<Given<Name, unknown>, 'replies' | 'beside'>) {
  const recorded = [...(beside.series ?? []), ...replies].find(isRecord);
  const rows = recorded?.rows[0];
  const folded = rows ? footprintMinutes(rows) : [];
  const known = new Set(folded.map(({ timestamp }) => timestamp));
  const candles = replies
    .flatMap((reply) => (reply && 'points' in reply ? reply.points : []))
    .filter(({ timestamp }) => !known.has(timestamp))
    .map(minuteOf);
  return { folded, all: [...folded, ...candles].sort((a, b) => a.timestamp - b.timestamp) };
}

const isRecord = (reply: Recorded | History<TakerCandle> | null): reply is Recorded =>
  reply !== null && 'rows' in reply;

interface Footprint {
  step: number;
  method: Method;
  coverage: s.Static<typeof coverage>;
  count: number;
  bars: s.Static<typeof bar.schema>[];
}

/** The error where there is no minute. */
const nothing = ({ symbol, exchange, hasCandles }: FootprintOf): ApiError =>
  apiError(
    'not_enough_data',
    hasCandles
      ? `${symbol} has no candles yet`
      : `no minute of ${symbol} on ${exchange} is recorded: those of the most traded assets are`,
  );

/** The footprint that recorded trades make, with the candles of the other minutes where there are any. */
export function footprintOf(given: Given<Name, FootprintOf & Asked>): Footprint | ApiError {
  const { replies, values } = given;
  const { from, now } = values;
  const length = intervals[values.interval];
  const { folded, all } = minutesOf(given);
  const expected = Math.floor((now - from) / minute);
  // Without some of the candles, trades must be there in their place.
  if (replies.includes(null) && all.length < expected) return apiError('upstream_failed');
  const last = all.at(-1);
  if (!last) return nothing(values);
  const step = values.step ?? roundStep(last.close * width);
  if (mostLevels(all, step) > mostOfBar) {
    return apiError('bad_parameter', `step ${step} makes too many levels`);
  }
  const present = folded.length;
  const complete = present >= 0.95 * expected;
  const bars = footprintBars(all, { length, step, now });
  return {
    step,
    method: 2 * present > expected || !values.hasCandles ? 'trades' : 'klines_1m',
    coverage: { from, to: now, expected, present, complete, backfilled: false },
    count: bars.length,
    bars: bar.all(bars),
  };
}

interface Asked {
  interval: Interval;
  step?: number | undefined;
}
