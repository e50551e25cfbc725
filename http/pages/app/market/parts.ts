/** The parts of the market page. */
import { linesPart, plotPart } from '../charts.ts';
import { numberIn } from '../columns.ts';
import { exchangeColumn, exchangeName, exchangeWords } from '../exchange-names.ts';
import { compact, fixed, percent, price, share, time } from '../format.ts';
import { minute, type Part } from '../part.ts';
import { joined } from '../plot-scales.ts';
import { at } from '../request.ts';
import { tablePart } from '../table-part.ts';
import type { Indicator } from './indicators.ts';

/** Of the lines of an indicator, in their order. */
const lineColours = ['accent', 'warn', 'up', 'down', 'soft'] as const;

/** The past of an indicator, of so many days. */
export function indicatorPart(
  { id, shown, about, form, lines, isLog = false, least = 0, needsKey }: Indicator,
  { limit = 365, controls = [] }: { limit?: number; controls?: readonly Node[] } = {},
): Part {
  return linesPart({
    title: shown,
    about,
    label: shown,
    name: id,
    path: at(`/v1/indicators/${id}`, { limit }),
    every: minute,
    points: ({ history }) => history,
    lines: Object.entries(lines).map(([field, name = ''], at) => ({
      name,
      colour: lineColours[at] ?? 'text',
      of: (row: object) => numberIn(row, field),
    })),
    form,
    isLog,
    least,
    controls,
    open: !needsKey,
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
    cadence: 60 * minute,
    rows: ({ items }) => items,
    columns: [
      {
        head: 'Indicator',
        of: 'title',
        link: ({ indicator }) => `#/market?indicator=${indicator}`,
      },
      {
        head: 'State',
        of: ({ reached }) => (reached === null ? null : reached ? 'reached' : 'not reached'),
        tone: ({ reached }) => (reached ? 'warn' : 'soft'),
      },
      { head: 'Value', of: 'value', as: (value) => fixed(value, 2) },
      { head: 'Threshold', of: 'threshold', as: (value) => fixed(value, 2) },
      { head: 'Progress', of: 'progress', as: (part) => share(part, 0) },
    ],
    none: 'No indicator is known yet.',
    note: ({ reached, known }) => `${reached} of ${known} are reached.`,
  });

const termPath = (symbol: string) => at('/v1/futures/term-structure', { symbol });

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
    data({ items }) {
      const dated = items.flatMap(({ exchange, expiry, annualized_percent: basis }) =>
        expiry === null ? [] : [{ exchange, point: [expiry, basis] as const }],
      );
      const byExchange = [...Map.groupBy(dated, ({ exchange }) => exchange)];
      return {
        ...joined(byExchange.map(([, contracts]) => contracts.map(({ point }) => point))),
        lines: byExchange.map(([id]) => ({ name: exchangeName(id), as: 'points' })),
      };
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
    search: ({ exchange, contract }) => `${exchangeWords(exchange)} ${contract}`,
    columns: [
      { head: 'Contract', of: 'contract' },
      exchangeColumn,
      { head: 'Expiry', of: ({ expiry }) => (expiry === null ? 'none' : time(expiry, 'date')) },
      { head: 'Mark', of: 'mark_price', as: price },
      { head: 'Basis', of: 'basis_percent', as: (value) => percent(value, 3) },
      { head: 'Annualised', of: 'annualized_percent', as: percent },
      { head: 'Open interest', of: 'open_interest_usd', as: compact },
    ],
    none: `No exchange lists a contract on ${symbol}.`,
  });
