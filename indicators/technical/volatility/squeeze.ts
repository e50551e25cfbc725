/** Bollinger bands inside a Keltner channel. */

import { less, unlessRounding } from '../../digits.ts';
import { candles, ddof, define, factor } from '../../entry.ts';
import { sma, wma } from '../averages.ts';
import { at, blank } from '../columns.ts';
import { midprice } from '../overlap/ranges.ts';
import { type Range, trueRange } from '../range.ts';
import { deviation } from '../windows.ts';

/** What a squeeze is measured with. */
export interface SqueezeLengths {
  readonly length: number;
  readonly bb_mult: number;
  readonly kc_mult: number;
  readonly mom_length: number;
  readonly ddof: number;
}

/**
 * Squeeze: `on` 1 while the Bollinger bands lie inside the channel `SMA ± kc_mult * SMA of TR`, `off` 1 while the
 * channel lies inside the bands. Both have the same middle, so the upper edges decide. `momentum`: end of the
 * regression line through `close - ((HH + LL) / 2 + SMA) / 2`, which is `3 WMA - 2 SMA` of it; in units of price.
 */
export function squeeze(columns: Range, lengths: SqueezeLengths) {
  const { length, bb_mult, kc_mult, mom_length, ddof } = lengths;
  const { close } = columns;
  const bands = deviation(close, length, ddof);
  const channel = sma(trueRange(columns), length);
  const on = blank(close.length);
  const off = blank(close.length);
  const centre = sma(close, length);
  for (let i = length; i < close.length; i++) {
    const inner = at(centre, i) + bb_mult * at(bands, i);
    const outer = at(centre, i) + kc_mult * at(channel, i);
    on[i] = less(inner, outer) < 0 ? 1 : 0;
    off[i] = less(inner, outer) > 0 ? 1 : 0;
  }
  const middle = midprice(columns, mom_length);
  const mean = sma(close, mom_length);
  for (let i = 0; i < close.length; i++)
    middle[i] = at(close, i) - (at(middle, i) + at(mean, i)) / 2;
  const momentum = wma(middle, mom_length);
  const plain = sma(middle, mom_length);
  for (let i = 0; i < close.length; i++)
    momentum[i] = unlessRounding(3 * at(momentum, i) - 2 * at(plain, i), at(close, i));
  return { on, off, momentum };
}

export const squeezeEntries = [
  define({
    name: 'squeeze',
    title: 'Squeeze momentum',
    category: 'volatility',
    parameters: {
      length: candles(20, 'Candles of bands and channel', 2),
      bb_mult: factor(2, 'Standard deviations of the bands'),
      kc_mult: factor(1.5, 'Multiple of the mean true range'),
      mom_length: candles(20, 'Candles of every window of the momentum', 2),
      ddof,
    },
    inputs: ['high', 'low', 'close'],
    outputs: ['on', 'off', 'momentum'],
    minimum: ({ length, mom_length }) => Math.max(length + 1, 2 * mom_length - 1),
    compute: (columns, lengths) => {
      const { on, off, momentum } = squeeze(columns, lengths);
      return [on, off, momentum];
    },
    formula:
      'on 1 (else 0) when SMA ± bb_mult·stddev lies inside SMA ± kc_mult·SMA(TR), off the reverse; momentum = linreg end value of close − ((HH+LL)/2 + SMA)/2',
    source: 'LazyBear on TradingView, who takes ddof 0 and by a slip kc_mult for both widths',
  }),
];
