/** Volume weighted average price. */

import { define } from '../../entry.ts';
import type { Columns } from '../../spec.ts';
import { at, blank, ratio } from '../columns.ts';
import { anchors, begins, endOf, periodOf, reachesBeyond, startOf } from '../periods.ts';

/**
 * `sum of hlc3 v / sum of v` since the UTC period of the anchor began; no value until something was traded in it, nor in a first
 * period that the candles do not begin with, nor where candles reach beyond their period. Any other anchor begins at the first candle.
 */
export function vwap({ time, high, low, close, volume }: Columns, anchor: string): Float64Array {
  const out = blank(high.length);
  if (reachesBeyond(time, anchor)) return out;
  let current = Number.NaN;
  let traded = 0;
  let turnover = 0;
  const isPart = anchors.includes(anchor) && out.length > 0 && !begins(at(time, 0), anchor);
  const first = isPart ? endOf(time, 0, anchor) : 0;
  for (let i = first; i < out.length; i++) {
    const period = periodOf(at(time, i), anchor);
    if (period !== current) {
      current = period;
      traded = 0;
      turnover = 0;
    }
    const typical = (at(high, i) + at(low, i) + at(close, i)) / 3;
    traded += at(volume, i);
    turnover += typical * at(volume, i);
    out[i] = ratio(turnover, traded);
  }
  return out;
}

export const vwapEntries = [
  define({
    name: 'vwap',
    title: 'Volume weighted average price',
    category: 'overlap',
    parameters: {
      anchor: {
        type: 'word',
        default: 'day',
        allowed: [...anchors, 'none'],
        description:
          'UTC period at whose start the sums begin anew; none: at the first candle, so that it depends on that',
      },
    },
    inputs: ['time', 'high', 'low', 'close', 'volume'],
    outputs: ['value'],
    minimum: () => 1,
    beginsAt: (time, { anchor }) => (anchors.includes(anchor) ? startOf(time, anchor) : undefined),
    compute: (columns, { anchor }) => [vwap(columns, anchor)],
    formula:
      'Σ(hlc3·volume) / Σ volume since the anchor; weeks begin on Monday; null until something was traded, in a first period that the candles do not begin with, and where candles are longer than the period',
    source: 'Stock.Indicators (none); TradingView anchors at the session',
  }),
];
