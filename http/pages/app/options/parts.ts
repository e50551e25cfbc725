/** The charts of the options page. */
import { heatPart, plotPart } from '../charts.ts';
import type { Colour } from '../colours.ts';
import { compact, fixed, percent, plain, price } from '../format.ts';
import type { Frame, Part } from '../part.ts';
import type { Line } from '../plot.ts';
import { at, type OptionsSurface } from '../request.ts';
import { tablePart } from '../table-part.ts';

/** An asset, on one exchange or on all. */
export interface Asked {
  symbol: string;
  exchange?: string;
}

/** What is otherwise where a part stands on another page. */
type Changes = Partial<Pick<Frame<unknown>, 'title' | 'every' | 'refusal' | 'controls'>>;

/** A fraction as percent. */
const share = (value: number) => `${fixed(value * 100, 1)} %`;
const minute = 60_000;
const noVolatility = 'No option has a volatility now.';

/** Distances of the strike from the forward price, percent; the surface shows those that some expiry has. */
const distances = Array.from({ length: 25 }, (_, at) => -30 + at * 2.5);

/** Volatility between two strikes lies on the straight line between theirs; null beyond the outermost. */
function volatilityAt(
  points: OptionsSurface['expiries'][number]['points'],
  moneyness: number,
): number | null {
  const known = points.filter(({ iv }) => iv !== null);
  const after = known.findIndex((point) => point.moneyness >= moneyness);
  const [a, b] = [known[after - 1], known[after]];
  if (b === undefined || b.iv === null) return null;
  if (b.moneyness === moneyness) return b.iv;
  if (a === undefined || a.iv === null) return null;
  const part = (moneyness - a.moneyness) / (b.moneyness - a.moneyness);
  return a.iv + (b.iv - a.iv) * part;
}

export const surfacePart = (asked: Asked): Part =>
  heatPart({
    title: 'Volatility surface',
    about:
      'Percent a year; strike by its distance from the forward price, straight lines between strikes',
    label: `Implied volatility of ${asked.symbol} options by expiry and strike`,
    name: `volatility-surface-${asked.symbol}`,
    path: at('/v1/options/surface', asked),
    cadence: minute,
    palette: 'levels',
    isTable: true,
    isWide: true,
    words: share,
    text: (value) => fixed(value * 100, 0),
    data({ expiries }) {
      const known = expiries.map(({ points }) => points);
      const shown = distances.filter((at) =>
        known.some((points) => volatilityAt(points, at / 100) !== null),
      );
      return {
        columns: shown.map((at) => percent(at, 1)),
        rows: expiries.map(({ date }) => date),
        cells: known.flatMap((points, row) =>
          shown.flatMap((at, column) => {
            const value = volatilityAt(points, at / 100);
            return value === null ? [] : [[column, row, value] as const];
          }),
        ),
      };
    },
    none: noVolatility,
  });

export const smilePart = (asked: Asked, changes: Changes = {}): Part =>
  plotPart({
    title: 'Smiles',
    about: 'Implied volatility by strike, a line an expiry',
    label: `Implied volatility of ${asked.symbol} options by strike`,
    name: `volatility-smiles-${asked.symbol}`,
    path: at('/v1/options/surface', asked),
    cadence: minute,
    lines: [],
    form: share,
    place: { name: 'strike', form: plain },
    data({ expiries }) {
      const all = expiries.flatMap(({ points }) => points.map(({ strike }) => strike));
      const strikes = [...new Set(all)].sort((a, b) => a - b);
      const values = expiries.map(({ points }) => {
        const known = new Map(points.map(({ strike, iv }) => [strike, iv]));
        return strikes.map((strike) => known.get(strike) ?? null);
      });
      return { x: strikes, values, lines: expiries.map(({ date }) => ({ name: date })) };
    },
    none: noVolatility,
    ...changes,
  });

export const termPart = (asked: Asked): Part =>
  plotPart({
    title: 'Term structure',
    about: 'Volatility by expiry; skew: put less call',
    label: `Term structure of the implied volatility of ${asked.symbol}`,
    name: `term-structure-${asked.symbol}`,
    path: at('/v1/options/surface', asked),
    cadence: minute,
    lines: [
      { name: 'At the money', field: 'atm_iv', colour: 'accent' },
      { name: 'Between expiries', field: 'forward_iv', colour: 'soft', as: 'dashes' },
      { name: '25-delta skew', field: 'skew_25d', colour: 'warn', as: 'bars' },
    ],
    form: share,
    data: ({ expiries }) => ({
      x: expiries.map(({ date }) => date),
      values: [
        expiries.map((one) => one.atm_iv),
        expiries.map((one) => one.forward_iv),
        expiries.map((one) => one.skew_25d),
      ],
    }),
    none: noVolatility,
  });

export const gammaPart = (asked: Asked): Part =>
  plotPart({
    title: 'Gamma exposure',
    about: 'US dollars for a move of 1 %, if dealers are long calls and short puts',
    label: `Gamma exposure of ${asked.symbol} options by strike`,
    name: `gamma-exposure-${asked.symbol}`,
    isWide: true,
    path: at('/v1/options/gamma-exposure', asked),
    cadence: minute,
    lines: [
      { name: 'Calls', field: 'calls_usd', colour: 'up', as: 'bars' },
      { name: 'Puts', field: 'puts_usd', colour: 'down', as: 'bars' },
      { name: 'Net', field: 'net_usd', colour: 'accent' },
    ],
    form: compact,
    place: { name: 'strike', form: plain },
    data: ({ strikes }) => ({
      x: strikes.map(({ strike }) => plain(strike)),
      values: [
        strikes.map((one) => one.calls_usd),
        strikes.map((one) => one.puts_usd),
        strikes.map((one) => one.net_usd),
      ],
    }),
    none: 'No option has a gamma now.',
  });

const line = (name: string, field: string, colour: Colour, as: Line['as'] = 'line'): Line => {
  return { name, field, colour, as };
};

export const conePart = ({ symbol }: Asked): Part =>
  plotPart({
    title: 'Volatility cone',
    about: 'Realised over windows of so many days, two years of daily closes',
    label: `Realised volatility of ${symbol} by window, with its history`,
    name: `volatility-cone-${symbol}`,
    path: at('/v1/volatility', { symbol }),
    every: minute,
    lines: [
      line('Most', 'max', 'soft', 'dashes'),
      line('75th percentile', 'p75', 'soft'),
      line('Median', 'median', 'text'),
      line('25th percentile', 'p25', 'soft'),
      line('Least', 'min', 'soft', 'dashes'),
      line('Now', 'current', 'accent'),
      line('Implied', 'at_the_money', 'warn', 'points'),
    ],
    form: share,
    data({ realized, implied }) {
      const at = new Map(implied.map(({ days, at_the_money: value }) => [days, value]));
      const of = (field: 'max' | 'p75' | 'median' | 'p25' | 'min' | 'current') =>
        realized.map((one) => one[field]);
      return {
        x: realized.map(({ days }) => `${days} days`),
        values: [
          ...[of('max'), of('p75'), of('median'), of('p25'), of('min'), of('current')],
          realized.map(({ days }) => at.get(days) ?? null),
        ],
      };
    },
    none: 'There are too few daily closes.',
  });

export const painPart = (asked: Asked, changes: Changes = {}): Part =>
  tablePart({
    title: 'Max pain',
    about: 'Where the holders of all options of an expiry get least',
    name: `max-pain-${asked.symbol}`,
    path: at('/v1/options/max-pain', asked),
    cadence: minute,
    rows: ({ expiries }) => expiries,
    columns: [
      { head: 'Expiry', of: ({ date }) => date },
      { head: 'Max pain', of: (one) => one.max_pain_price, as: price },
      { head: 'Distance from price', of: (one) => one.distance_percent, as: percent },
      { head: 'Puts/calls', of: (one) => one.put_call_ratio, as: (value) => fixed(value, 2) },
      { head: 'Open interest', of: (one) => one.open_interest_usd, as: compact },
    ],
    none: 'No option has an open interest now.',
    ...changes,
  });

export const holdingsPart = ({ symbol }: Asked): Part =>
  tablePart({
    title: 'Exchanges',
    about: 'US dollars',
    name: 'options-open-interest',
    path: at('/v1/options/exchange-oi', {}),
    cadence: minute,
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
