/** The charts of the options page. */
import { compact, fixed, percent, price } from '../format.ts';
import { Heat } from '../heat.ts';
import { livePart, type Part } from '../part.ts';
import type { Line } from '../plot.ts';
import { plotPart } from '../plot-part.ts';
import { tablePart } from '../table-part.ts';
import {
  type Gamma,
  type Holdings,
  type MaxPain,
  type Past,
  pathOf,
  type Surface,
  type Volatility,
  volatilityAt,
} from './data.ts';

type Asked = Readonly<Record<string, string>>;

/** A fraction as percent. */
const share = (value: number) => `${fixed(value * 100, 1)} %`;
const minute = 60_000;
const noVolatility = 'No option has a volatility now.';

/** Distances of the strike from the forward price that the surface shows, percent. */
const distances = Array.from({ length: 25 }, (_, at) => -30 + at * 2.5);

export function surfacePart(asked: Asked): Part {
  const heat = new Heat({
    label: `Implied volatility of ${asked.symbol} options by expiry and strike`,
    form: share,
    short: (value) => fixed(value * 100, 0),
  });
  return livePart<Surface>({
    title: 'Volatility surface',
    about:
      'Percent a year; strike by its distance from the forward price, straight lines between strikes',
    name: `volatility-surface-${asked.symbol}`,
    path: pathOf('options/surface', asked),
    isWide: true,
    body: [heat.node],
    show({ expiries }) {
      heat.show({
        columns: distances.map((at) => percent(at, 1)),
        rows: expiries.map(({ date, points }) => ({
          name: date,
          values: distances.map((at) => volatilityAt(points, at / 100)),
        })),
      });
      return expiries.length === 0 ? noVolatility : undefined;
    },
    csv: () => heat.csv(),
    picture: () => heat.picture(),
    end: () => heat.end(),
  });
}

/** Expiries in the order of time, each in its colour. */
const datesAsLines = ({ expiries }: Surface): Line[] =>
  expiries.map(({ date }, at) => {
    return { name: date, colour: at / Math.max(1, expiries.length - 1), form: share };
  });

export const smilePart = (asked: Asked): Part =>
  plotPart<Surface>({
    title: 'Smiles',
    about: 'Implied volatility by strike, a line an expiry',
    label: `Implied volatility of ${asked.symbol} options by strike`,
    name: `volatility-smiles-${asked.symbol}`,
    path: pathOf('options/surface', asked),
    lines: [],
    linesOf: datesAsLines,
    data({ expiries }) {
      const all = expiries.flatMap(({ points }) => points.map(({ strike }) => strike));
      const strikes = [...new Set(all)].sort((a, b) => a - b);
      const lines = expiries.map(({ points }) => {
        const known = new Map(points.map(({ strike, iv }) => [strike, iv]));
        return strikes.map((strike) => known.get(strike) ?? null);
      });
      return { x: strikes.map((strike) => fixed(strike, 0)), lines };
    },
    none: noVolatility,
  });

export const termPart = (asked: Asked): Part =>
  plotPart<Surface>({
    title: 'Term structure',
    about: 'Volatility by expiry; skew: put less call',
    label: `Term structure of the implied volatility of ${asked.symbol}`,
    name: `term-structure-${asked.symbol}`,
    path: pathOf('options/surface', asked),
    lines: [
      { name: 'At the money', colour: 'accent', form: share },
      { name: 'Between expiries', colour: 'soft', form: share, as: 'dashes' },
      { name: '25-delta skew', colour: 'warn', form: share, as: 'bars' },
    ],
    data: ({ expiries }) => ({
      x: expiries.map(({ date }) => date),
      lines: [
        expiries.map((one) => one.atm_iv),
        expiries.map((one) => one.forward_iv),
        expiries.map((one) => one.skew_25d),
      ],
    }),
    none: noVolatility,
  });

export const gammaPart = (asked: Asked): Part =>
  plotPart<Gamma>({
    title: 'Gamma exposure',
    about: 'US dollars for a move of 1 %, if dealers are long calls and short puts',
    label: `Gamma exposure of ${asked.symbol} options by strike`,
    name: `gamma-exposure-${asked.symbol}`,
    path: pathOf('options/gamma-exposure', asked),
    lines: [
      { name: 'Calls', colour: 'up', form: compact, as: 'bars' },
      { name: 'Puts', colour: 'down', form: compact, as: 'bars' },
      { name: 'Net', colour: 'accent', form: compact },
    ],
    data: ({ strikes }) => ({
      x: strikes.map(({ strike }) => fixed(strike, 0)),
      lines: [
        strikes.map((one) => one.calls_usd),
        strikes.map((one) => one.puts_usd),
        strikes.map((one) => one.net_usd),
      ],
    }),
    none: 'No option has a gamma now.',
  });

const line = (name: string, colour: Line['colour'], as: Line['as'] = 'line'): Line => {
  return { name, colour, form: share, as };
};

export const conePart = ({ symbol = '' }: Asked): Part =>
  plotPart<Volatility>({
    title: 'Volatility cone',
    about: 'Realised over windows of so many days, two years of daily closes',
    label: `Realised volatility of ${symbol} by window, with its history`,
    name: `volatility-cone-${symbol}`,
    path: pathOf('volatility', { symbol }),
    every: minute,
    lines: [
      line('Most', 'soft', 'dashes'),
      line('75 %', 'soft'),
      line('Median', 'text'),
      line('25 %', 'soft'),
      line('Least', 'soft', 'dashes'),
      line('Now', 'accent'),
      line('Implied', 'warn', 'points'),
    ],
    data({ realized, implied }) {
      const at = new Map(implied.map(({ days, at_the_money: value }) => [days, value]));
      const of = (field: 'max' | 'p75' | 'median' | 'p25' | 'min' | 'current') =>
        realized.map((one) => one[field]);
      return {
        x: realized.map(({ days }) => `${days} days`),
        lines: [
          ...[of('max'), of('p75'), of('median'), of('p25'), of('min'), of('current')],
          realized.map(({ days }) => at.get(days) ?? null),
        ],
      };
    },
    none: 'There are too few daily closes.',
  });

export const pastPart = ({ symbol = '' }: Asked): Part =>
  plotPart<Past>({
    title: 'Volatility over time',
    about: 'Of 30 days, as recorded here',
    label: `Implied volatility of ${symbol} at the money, 30 days`,
    name: `volatility-history-${symbol}`,
    path: pathOf('options/history', { symbol, days: '30' }),
    every: minute,
    lines: [line('At the money, 30 days', 'accent')],
    data: ({ points }) => ({
      x: points.map(({ timestamp }) => timestamp),
      lines: [points.map(({ value }) => value)],
    }),
    none: ({ note }) => `No hour is recorded yet${note === undefined ? '' : `: ${note}`}.`,
  });

export const painPart = (asked: Asked): Part =>
  tablePart<MaxPain, MaxPain['expiries'][number]>({
    title: 'Max pain',
    about: 'Where the holders of all options of an expiry get least',
    name: `max-pain-${asked.symbol}`,
    path: pathOf('options/max-pain', asked),
    rows: ({ expiries }) => expiries,
    columns: [
      { head: 'Expiry', of: ({ date }) => date },
      { head: 'Max pain', of: (one) => one.max_pain_price, as: price },
      { head: 'From the price', of: (one) => one.distance_percent, as: percent },
      { head: 'Puts/calls', of: (one) => one.put_call_ratio, as: (value) => fixed(value, 2) },
      { head: 'Open interest', of: (one) => one.open_interest_usd, as: compact },
    ],
    none: 'No option has an open interest now.',
  });

export const holdingsPart = ({ symbol = '' }: Asked): Part =>
  tablePart<Holdings, Holdings['items'][number]>({
    title: 'Exchanges',
    about: 'US dollars',
    name: 'options-open-interest',
    path: '/v1/options/exchange-oi',
    rows: ({ items }) => items,
    columns: [
      { head: 'Exchange', of: ({ exchange }) => exchange },
      {
        head: 'Asset',
        of: (one) => one.symbol,
        tone: (one) => (one.symbol === symbol ? 'up' : ''),
      },
      { head: 'Open interest', of: (one) => one.open_interest_usd, as: compact },
      { head: 'Share', of: (one) => one.share, as: share },
      { head: 'Volume 24 h', of: (one) => one.volume_24h_usd, as: compact },
      { head: 'Puts/calls', of: (one) => one.put_call_oi_ratio, as: (value) => fixed(value, 2) },
    ],
    none: 'No exchange has reported its options yet.',
  });
