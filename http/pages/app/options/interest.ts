/** Where open interest and trades of options stand: by expiry, by strike, and the options that are traded most. */
import { plotPart } from '../charts.ts';
import { compact, fixed, plain, price } from '../format.ts';
import type { Part } from '../part.ts';
import { keptChoice } from '../place.ts';
import type { Line } from '../plot.ts';
import { at, type OptionsInfoExpiry, type OptionsInfoOption } from '../request.ts';
import { fileOf, tablePart } from '../table-part.ts';
import type { Asked } from './parts.ts';
import { sumsByStrike } from './strikes.ts';

const minute = 60_000;

const measures = [
  ['open_interest_base', 'open interest'],
  ['volume_24h_base', 'volume 24 h'],
] as const;

const sides: readonly Line[] = [
  { name: 'Calls', colour: 'up', as: 'bars' },
  { name: 'Puts', colour: 'down', as: 'bars' },
];
const volume: readonly Line[] = [{ name: 'Volume, USD', colour: 'accent', as: 'bars' }];

const measureOf = (name: string, changed: () => void) =>
  keptChoice('Show', measures, { name, changed });

/** The volume of an expiry is stated of calls and puts together. */
export function expiriesPart(asked: Asked): Part {
  let expiries: readonly OptionsInfoExpiry[] = [];
  const measure = measureOf('expiries', () => part.again());
  const part = plotPart({
    title: 'By expiry',
    about: `Open interest in ${asked.symbol}, calls above and puts below; volume in US dollars`,
    label: `Options on ${asked.symbol} by expiry`,
    name: `options-by-expiry-${asked.symbol}`,
    path: () => at('/v1/options/info', asked),
    cadence: minute,
    controls: [measure.node],
    lines: sides,
    form: (value) => compact(Math.abs(value)),
    data(info) {
      expiries = info.expiries;
      const x = expiries.map(({ date }) => date);
      if (measure.get() === 'volume_24h_base')
        return { x, values: [expiries.map((one) => one.volume_24h_usd)], lines: volume };
      const values = [
        expiries.map((one) => one.call_oi_base),
        expiries.map((one) => -one.put_oi_base),
      ];
      return { x, values };
    },
    rows: () => fileOf(expiries.map(({ strikes: _, ...one }) => one)),
    none: 'No option is listed now.',
  });
  return part;
}

/** Calls and puts of one expiry by strike. */
export function strikesPart(asked: Asked, expiry: string): Part {
  let options: readonly OptionsInfoOption[] = [];
  const measure = measureOf('strikes', () => part.again());
  const part = plotPart({
    title: 'By strike',
    about: `Of ${expiry}, in ${asked.symbol}: calls above, puts below`,
    label: `Options on ${asked.symbol} of ${expiry} by strike`,
    name: `options-by-strike-${expiry}`,
    path: () => at('/v1/options/info', { ...asked, expiry }),
    cadence: minute,
    controls: [measure.node],
    lines: sides,
    form: (value) => compact(Math.abs(value)),
    data(info) {
      options = info.options ?? [];
      const sums = sumsByStrike(options, measure.get());
      return {
        x: sums.map(({ strike }) => plain(strike)),
        values: [sums.map(({ calls }) => calls), sums.map(({ puts }) => -puts)],
      };
    },
    rows: () => fileOf(sumsByStrike(options, measure.get())),
    none: 'No option of this expiry is listed.',
  });
  return part;
}

/** Sums of a day, as the exchanges state them. */
export const tradedPart = (asked: Asked, expiry: string): Part =>
  tablePart({
    title: 'Most traded',
    about: `Of ${expiry} in 24 hours; premium: what buyers paid`,
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
      { head: 'Exchange', of: ({ exchange }) => exchange },
      { head: 'Volume, USD', of: (one) => one.volume_24h_usd, as: compact },
      { head: 'Premium, USD', of: (one) => one.premium_24h_usd, as: compact },
      { head: 'Mark, USD', of: (one) => one.mark_price_usd, as: price },
      {
        head: 'IV, %',
        of: (one) => one.implied_volatility,
        as: (value) => fixed(value * 100, 1),
      },
    ],
    none: 'No option of this expiry was traded in 24 hours.',
  });
