/** Where open interest and trades of options stand, by expiry, by strike and by option; volatility and skew over time. */
import { linesPart, plotPart } from '../charts.ts';
import { exchangeColumn } from '../exchange-names.ts';
import { compact, dayText, fixed, plain, price, share, withTimes } from '../format.ts';
import { fileOf } from '../panel.ts';
import { chosenPart, minute, type Part } from '../part.ts';
import { keptChoice } from '../place.ts';
import type { Line } from '../plot.ts';
import { at } from '../request.ts';
import { tablePart } from '../table-part.ts';
import type { Asked } from './parts.ts';
import { sumsByStrike } from './strikes.ts';

const measures = [
  ['open_interest_base', 'open interest'],
  ['volume_24h_base', 'volume 24 h'],
] as const;

const sides: readonly Line[] = [
  { name: 'Calls', colour: 'up', as: 'bars' },
  { name: 'Puts', colour: 'down', as: 'bars' },
];
const volume: readonly Line[] = [{ name: 'Volume, USD', colour: 'accent', as: 'bars' }];
/** What is below 0 is drawn so, and has no sign. */
const unsigned = (value: number) => compact(Math.abs(value));

/** The volume of an expiry is stated of calls and puts together. */
export function expiriesPart(asked: Asked): Part {
  const measure = keptChoice('Show', measures, { name: 'expiries' });
  return plotPart({
    title: 'By expiry',
    about: `Open interest in ${asked.symbol}, calls above and puts below; volume in US dollars`,
    label: `Options on ${asked.symbol} by expiry`,
    name: `options-by-expiry-${asked.symbol}`,
    path: at('/v1/options/info', asked),
    cadence: minute,
    choices: [measure],
    lines: sides,
    form: unsigned,
    data({ expiries }) {
      const x = expiries.map(({ date }) => dayText(date));
      if (measure.get() === 'volume_24h_base')
        return { x, values: [expiries.map((one) => one.volume_24h_usd)], lines: volume };
      const calls = expiries.map((one) => one.call_oi_base);
      return { x, values: [calls, expiries.map((one) => -one.put_oi_base)] };
    },
    rows: ({ expiries }) => fileOf(expiries.map(({ strikes: _, ...one }) => one)),
    none: 'No option is listed now.',
  });
}

/** Calls and puts of one expiry by strike. */
export function strikesPart(asked: Asked, expiry: string): Part {
  const measure = keptChoice('Show', measures, { name: 'strikes' });
  return linesPart({
    title: 'By strike',
    about: `Of ${dayText(expiry)}, in ${asked.symbol}: calls above, puts below`,
    label: `Options on ${asked.symbol} of ${dayText(expiry)} by strike`,
    name: `options-by-strike-${expiry}`,
    path: at('/v1/options/info', { ...asked, expiry }),
    cadence: minute,
    choices: [measure],
    points: ({ options = [] }) => sumsByStrike(options, measure.get()),
    nameOf: ({ strike }) => plain(strike),
    lines: [
      { name: 'Calls', of: 'calls', colour: 'up', as: 'bars' },
      { name: 'Puts', of: ({ puts }) => -puts, colour: 'down', as: 'bars' },
    ],
    form: unsigned,
    none: 'No option of this expiry is listed.',
  });
}

/** Sums of a day, as the exchanges state them. */
export const tradedPart = (asked: Asked, expiry: string): Part =>
  tablePart({
    title: 'Most traded',
    about: `Of ${dayText(expiry)} in 24 hours; premium: what buyers paid`,
    name: `options-traded-${expiry}`,
    path: at('/v1/options/info', { ...asked, expiry }),
    cadence: minute,
    rows: ({ options = [] }) =>
      options
        .filter((one) => (one.volume_24h_usd ?? 0) > 0)
        .sort((a, b) => (b.volume_24h_usd ?? 0) - (a.volume_24h_usd ?? 0)),
    key: ({ exchange, instrument }) => `${exchange} ${instrument}`,
    columns: [
      {
        head: 'Strike',
        of: (one) => `${plain(one.strike)} ${one.type}`,
        hint: (one) => one.instrument,
      },
      exchangeColumn,
      { head: 'Volume, USD', of: 'volume_24h_usd', as: compact },
      { head: 'Premium, USD', of: 'premium_24h_usd', as: compact },
      { head: 'Mark, USD', of: 'mark_price_usd', as: price },
      { head: 'IV, %', of: 'implied_volatility', as: (part) => fixed(part * 100, 1) },
    ],
    none: 'No option of this expiry was traded in 24 hours.',
  });

const tenors = [
  ['7d', '7 days'],
  ['30d', '30 days'],
  ['90d', '90 days'],
  ['180d', '180 days'],
] as const;

/** A number of options over time as recorded by the hour, of a time to expiry that the reader chooses. */
export function pastPart(
  symbol: string,
  metric: 'atm_iv' | 'skew_25d',
  { title, line }: { title: string; line: string },
): Part {
  const make = (tenor: (typeof tenors)[number][0], control: HTMLElement) =>
    linesPart({
      title,
      about: `Of ${Number.parseInt(tenor, 10)} days, a year at that pace, as recorded here`,
      label: `${title}: options on ${symbol}, ${tenor}`,
      name: `${metric}-history-${symbol}`,
      path: at('/v1/options/history', { symbol, metric, tenor, days: 30 }),
      every: minute,
      cadence: 60 * minute,
      controls: [control],
      points: ({ points }) => points,
      lines: [{ name: line, of: 'value', colour: 'accent' }],
      form: share,
      none: ({ note }) =>
        `No hour is recorded yet${note === undefined ? '' : `: ${withTimes(note)}`}.`,
    });
  return chosenPart(['Expiry in', tenors, { name: metric, usual: '30d' }], make);
}
