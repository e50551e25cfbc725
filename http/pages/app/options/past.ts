/** Volatility and skew over time, as the service has recorded them by the hour. */
import { plotPart } from '../charts.ts';
import { fixed, withTimes } from '../format.ts';
import { chosenPart, type Part } from '../part.ts';
import { at } from '../request.ts';

const tenors = [
  ['7d', '7 days'],
  ['30d', '30 days'],
  ['90d', '90 days'],
  ['180d', '180 days'],
] as const;
type Tenor = (typeof tenors)[number][0];

const metrics = {
  atm_iv: { title: 'Volatility over time', line: 'At the money' },
  skew_25d: { title: 'Skew over time', line: 'Puts less calls, 25 delta' },
} as const;
type Metric = keyof typeof metrics;

const minute = 60_000;

function metricPart(symbol: string, metric: Metric, tenor: Tenor, control: HTMLElement): Part {
  const { title, line } = metrics[metric];
  return plotPart({
    title,
    about: `Of ${Number.parseInt(tenor, 10)} days, a year at that pace, as recorded here`,
    label: `${title}: options on ${symbol}, ${tenor}`,
    name: `${metric}-history-${symbol}`,
    path: at('/v1/options/history', { symbol, metric, tenor, days: 30 }),
    every: minute,
    cadence: 60 * minute,
    controls: [control],
    lines: [{ name: line, field: 'value', colour: 'accent' }],
    form: (value) => `${fixed(value * 100, 1)} %`,
    data: ({ points }) => ({
      x: points.map(({ timestamp }) => timestamp),
      values: [points.map(({ value }) => value)],
    }),
    none: ({ note }) =>
      `No hour is recorded yet${note === undefined ? '' : `: ${withTimes(note)}`}.`,
  });
}

/** One of the two, of a time to expiry that the reader chooses. */
export const pastPart = (symbol: string, metric: Metric): Part =>
  chosenPart('Expiry in', tenors, {
    name: metric,
    usual: '30d',
    make: (tenor, control) => metricPart(symbol, metric, tenor, control),
  });
