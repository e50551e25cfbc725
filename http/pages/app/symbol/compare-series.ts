/** Closes of other markets as lines over the candles. */
import { type IChartApi, LineSeries } from 'lightweight-charts';
import { hueOf } from '../colours.ts';
import { price } from '../format.ts';
import { type Closes, nameOf, type Other } from './compare.ts';
import { type Drawn, lineOf, put, startOf } from './panes.ts';

interface Form {
  /** The asset of the page. */
  symbol: string;
  isPercent: boolean;
  closesOf(name: string): Closes;
}

/** Their colours are neither those of candles nor those of the first indicators. */
const firstHue = 6;

export const colourOf = (place: number): string => hueOf(firstHue + place);

/**
 * A line over the candles for each of the others. In percent, and for the asset of the page, it is on the scale of the candles; other
 * assets have a scale each, which is not shown.
 */
export function seriesOf(
  chart: IChartApi,
  others: readonly Other[],
  { symbol, isPercent, closesOf }: Form,
): Map<string, Drawn> {
  return new Map(
    others.map((other, place) => {
      const name = nameOf(other);
      const own = isPercent || other.symbol === symbol ? {} : { priceScaleId: name };
      const series = chart.addSeries(LineSeries, {
        ...own,
        title: name,
        color: colourOf(place),
        lineWidth: 2,
        priceLineVisible: false,
        crosshairMarkerVisible: false,
        priceFormat: { type: 'custom', formatter: price, minMove: 1e-9 },
      });
      const set: Drawn['set'] = (all, isTail) => {
        const closes = closesOf(name);
        const points = all.map((one) => [startOf(one), closes.get(startOf(one)) ?? null] as const);
        put(series, lineOf(points), isTail);
      };
      return [name, { set }];
    }),
  );
}
