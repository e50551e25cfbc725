/** The charts of the options page. */
import { linesPart, plotPart } from '../charts.ts';
import { groundIn } from '../colours.ts';
import type { Column } from '../columns.ts';
import { exchangeColumn } from '../exchange-names.ts';
import { compact, dayText, fixed, percent, plain, price, share } from '../format.ts';
import { type Frame, minute, type Part } from '../part.ts';
import { joined } from '../plot-scales.ts';
import { at, type OptionsSurface } from '../request.ts';
import { tablePart } from '../table-part.ts';

/** An asset, on one exchange or on all. */
export interface Asked {
  symbol: string;
  exchange?: string;
}

/** What is otherwise where a part stands on another page. */
type Changes = Partial<Pick<Frame<unknown>, 'title' | 'every' | 'refusal' | 'controls'>>;

const two = (value: number) => fixed(value, 2);
const noVolatility = 'No option has a volatility now.';

/** Distances of the strike from the forward price, percent; the surface shows those that some expiry has. */
const distances = Array.from({ length: 25 }, (_, at) => -30 + at * 2.5);
/** Without its unit: there is little room. */
const distanceText = (at: number): string => percent(at, 1).replace(' %', '');

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

/** The volatility of an expiry by distance, its words as the names. */
type SurfaceRow = Readonly<Record<string, string | number | null>>;

export function surfacePart(asked: Asked): Part {
  let [low, high] = [0, 0];
  const columnOf = (head: string): Column<SurfaceRow> => ({
    head,
    of: (row) => row[head] ?? null,
    as: (value) => fixed(value * 100, 0),
    ground(row) {
      const value = row[head];
      return typeof value !== 'number' ? '' : groundIn('accent', (value - low) / (high - low || 1));
    },
  });
  return tablePart<OptionsSurface, SurfaceRow>({
    title: 'Volatility surface',
    about:
      'Percent a year; strike by its distance from the forward price, percent, straight lines between strikes',
    name: `volatility-surface-${asked.symbol}`,
    path: at('/v1/options/surface', asked),
    cadence: minute,
    isWide: true,
    isDense: true,
    columns({ expiries }) {
      const shown = distances.filter((at) =>
        expiries.some(({ points }) => volatilityAt(points, at / 100) !== null),
      );
      const heads = shown.map(distanceText);
      return [
        { head: 'Expiry', of: ({ date = null }) => date, words: dayText },
        ...heads.map(columnOf),
      ];
    },
    rows({ expiries }) {
      const rows = expiries.map(({ date, points }): SurfaceRow => {
        const values = distances.map((at) => [distanceText(at), volatilityAt(points, at / 100)]);
        return { date, ...Object.fromEntries(values) };
      });
      const known = rows.flatMap((row) =>
        Object.values(row).filter((one) => typeof one === 'number'),
      );
      [low, high] = [Math.min(...known), Math.max(...known)];
      return rows;
    },
    none: noVolatility,
  });
}

/** The volatilities of each expiry over the strikes of all. */
const smilesOf = (expiries: OptionsSurface['expiries']) =>
  joined(expiries.map(({ points }) => points.map(({ strike, iv }) => [strike, iv] as const)));

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
    data: ({ expiries }) => ({
      ...smilesOf(expiries),
      lines: expiries.map(({ date }) => ({ name: dayText(date) })),
    }),
    rows({ expiries }) {
      const { x, values } = smilesOf(expiries);
      return [
        ['strike', ...expiries.map(({ date }) => date)],
        ...x.map((strike, at) => [strike, ...values.map((line) => line[at])]),
      ];
    },
    none: noVolatility,
    ...changes,
  });

export const termPart = (asked: Asked): Part =>
  linesPart({
    title: 'Term structure',
    about:
      'Implied volatility by expiry; forward: from the expiry before to this one; skew: put less call',
    label: `Term structure of the implied volatility of ${asked.symbol}`,
    name: `term-structure-${asked.symbol}`,
    path: at('/v1/options/surface', asked),
    cadence: minute,
    points: ({ expiries }) => expiries.map(({ points: _, ...one }) => one),
    nameOf: ({ date }) => dayText(date),
    lines: [
      { name: 'At the money', of: 'atm_iv', colour: 'accent' },
      { name: 'Forward', of: 'forward_iv', colour: 'soft', as: 'dashes' },
      { name: '25-delta skew', of: 'skew_25d', colour: 'warn', as: 'bars' },
    ],
    form: share,
    none: noVolatility,
  });

export const gammaPart = (asked: Asked): Part =>
  linesPart({
    title: 'Gamma exposure',
    about: 'US dollars for a move of 1 %, if dealers are long calls and short puts',
    label: `Gamma exposure of ${asked.symbol} options by strike`,
    name: `gamma-exposure-${asked.symbol}`,
    isWide: true,
    path: at('/v1/options/gamma-exposure', asked),
    cadence: minute,
    points: ({ strikes }) => strikes,
    nameOf: ({ strike }) => plain(strike),
    lines: [
      { name: 'Calls', of: 'calls_usd', colour: 'up', as: 'bars' },
      { name: 'Puts', of: 'puts_usd', colour: 'down', as: 'bars' },
      { name: 'Net', of: 'net_usd', colour: 'accent' },
    ],
    form: compact,
    place: { name: 'strike', form: plain },
    none: 'No option has a gamma now.',
  });

export const conePart = ({ symbol }: Asked): Part =>
  linesPart({
    title: 'Volatility cone',
    about: 'Realised over windows of so many days, two years of daily closes',
    label: `Realised volatility of ${symbol} by window, with its history`,
    name: `volatility-cone-${symbol}`,
    path: at('/v1/volatility', { symbol }),
    every: minute,
    points({ realized, implied }) {
      const impliedAt = new Map(implied.map(({ days, at_the_money: value }) => [days, value]));
      return realized.map((one) => ({ ...one, at_the_money: impliedAt.get(one.days) ?? null }));
    },
    nameOf: ({ days }) => `${days} days`,
    lines: [
      { name: 'Most', of: 'max', colour: 'soft', as: 'dashes' },
      { name: '75th percentile', of: 'p75', colour: 'soft' },
      { name: 'Median', of: 'median', colour: 'text' },
      { name: '25th percentile', of: 'p25', colour: 'soft' },
      { name: 'Least', of: 'min', colour: 'soft', as: 'dashes' },
      { name: 'Now', of: 'current', colour: 'accent' },
      { name: 'Implied', of: 'at_the_money', colour: 'warn', as: 'points' },
    ],
    form: share,
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
      { head: 'Expiry', of: 'date', words: dayText },
      { head: 'Max pain', of: 'max_pain_price', as: price },
      { head: 'Distance from price', of: 'distance_percent', as: percent },
      { head: 'Puts/calls', of: 'put_call_ratio', as: two },
      { head: 'Open interest', of: 'open_interest_usd', as: compact },
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
      exchangeColumn,
      { head: 'Asset', of: 'symbol', tone: (one) => (one.symbol === symbol ? 'up' : '') },
      { head: 'Open interest', of: 'open_interest_usd', as: compact },
      { head: 'Share', of: 'share', as: share },
      { head: 'Volume 24 h', of: 'volume_24h_usd', as: compact },
      { head: 'Puts/calls', of: 'put_call_oi_ratio', as: two },
    ],
    none: 'No exchange has reported its options yet.',
  });
