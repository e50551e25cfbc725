/** The parts of the market page. */
import { plotPart } from '../charts.ts';
import { compact, fixed, percent, price, time } from '../format.ts';
import type { Part } from '../part.ts';
import { at, type FuturesTermStructure } from '../request.ts';
import { tablePart } from '../table-part.ts';
import type { Indicator } from './indicators.ts';

const minute = 60_000;
const hour = 60 * minute;

/** The request for an indicator with so many rows of its past. */
export const pathOf = ({ id }: Indicator, limit: number) => at(`/v1/indicators/${id}`, { limit });

/** A number of a row; null where it is none. */
function numberIn(row: object, field: string): number | null {
  const value: unknown = Reflect.get(row, field);
  return typeof value === 'number' ? value : null;
}

export function indicatorPart(
  indicator: Indicator,
  { limit = 365, controls = [] as readonly Node[] },
): Part {
  const { id, shown, about, form, lines, isLog = false, least = 0, needsKey } = indicator;
  return plotPart({
    title: shown,
    about,
    label: shown,
    name: id,
    path: pathOf(indicator, limit),
    every: minute,
    lines,
    form,
    isLog,
    least,
    controls,
    open: !needsKey,
    data: ({ history }) => ({
      x: history.map(({ timestamp }) => timestamp),
      values: lines.map(({ field }) => history.map((row) => numberIn(row, field))),
    }),
    none: 'Nothing of it is recorded yet.',
  });
}

export const peakPart = (): Part =>
  tablePart({
    title: 'Signals of a top',
    about: 'Indicators of Bitcoin’s cycle, each against the value that it had at former tops',
    name: 'bull-market-peak',
    path: at('/v1/indicators/bull-market-peak', {}),
    every: minute,
    cadence: hour,
    rows: ({ items }) => items,
    columns: [
      {
        head: 'Indicator',
        of: ({ title }) => title,
        link: ({ indicator }) => `#/market?indicator=${indicator}`,
      },
      {
        head: 'State',
        of: ({ reached }) => (reached === null ? null : reached ? 'reached' : 'not reached'),
        tone: ({ reached }) => (reached ? 'warn' : 'soft'),
      },
      { head: 'Value', of: ({ value }) => value, as: (value) => fixed(value, 2) },
      { head: 'Threshold', of: ({ threshold }) => threshold, as: (value) => fixed(value, 2) },
      {
        head: 'Progress',
        of: ({ progress }) => progress,
        as: (part) => `${fixed(part * 100, 0)} %`,
      },
    ],
    none: 'No indicator is known yet.',
    note: ({ reached, known }) => `${reached} of ${known} are reached.`,
  });

const termPath = (symbol: string) => at('/v1/futures/term-structure', { symbol });

/** What has an expiry, by exchange. */
const datedOf = ({ items }: FuturesTermStructure) =>
  Map.groupBy(
    items.filter(({ expiry }) => expiry !== null),
    ({ exchange }) => exchange,
  );

export const termPart = (symbol: string): Part =>
  plotPart({
    title: 'Futures by expiry',
    about: 'Basis to the index, annualised percent',
    label: `Annual basis of futures on ${symbol} by expiry`,
    name: `term-structure-${symbol}`,
    isWide: true,
    path: termPath(symbol),
    lines: [],
    form: percent,
    data(data) {
      const dated = [...datedOf(data)];
      const expiries = dated.flatMap(([, contracts]) => contracts.map(({ expiry }) => expiry ?? 0));
      const x = [...new Set(expiries)].sort((a, b) => a - b);
      const lines = dated.map(([name]) => ({ name, as: 'points' as const }));
      const values = dated.map(([, contracts]) => {
        const known = new Map(contracts.map((one) => [one.expiry, one.annualized_percent]));
        return x.map((expiry) => known.get(expiry) ?? null);
      });
      return { x, values, lines };
    },
    none: `No exchange lists futures on ${symbol} that expire.`,
  });

export const contractsPart = (symbol: string): Part =>
  tablePart({
    title: 'Perpetuals and futures',
    about: `On ${symbol}, US dollars`,
    name: `futures-${symbol}`,
    isWide: true,
    path: termPath(symbol),
    rows: ({ items }) => items,
    search: ({ exchange, contract }) => `${exchange} ${contract}`,
    columns: [
      { head: 'Contract', of: ({ contract }) => contract },
      { head: 'Exchange', of: ({ exchange }) => exchange },
      { head: 'Expiry', of: ({ expiry }) => (expiry === null ? 'none' : time(expiry, 'date')) },
      { head: 'Mark', of: (one) => one.mark_price, as: price },
      { head: 'Basis', of: (one) => one.basis_percent, as: (value) => percent(value, 3) },
      { head: 'Annualised', of: (one) => one.annualized_percent, as: percent },
      { head: 'Open interest', of: (one) => one.open_interest_usd, as: compact },
    ],
    none: `No exchange lists a contract on ${symbol}.`,
  });
