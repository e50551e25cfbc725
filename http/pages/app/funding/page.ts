/** Funding rates of all exchanges side by side, their past, and the pairs of perpetuals that differ most. */
import { heatPart, plotPart } from '../charts.ts';
import { h, symbolField } from '../dom.ts';
import { compact, fixed, percent } from '../format.ts';
import type { HeatData } from '../heat-drawing.ts';
import { type Part, Slot, showParts } from '../part.ts';
import { choose } from '../place.ts';
import { at, type FundingRatesPageItem } from '../request.ts';
import { tablePart } from '../table-part.ts';

/** The rate of a contract. */
type Rate = NonNullable<FundingRatesPageItem['rates']>[number];

/** Of the contracts of each exchange the one with the largest open interest. */
function byExchange(rates: readonly Rate[]): Map<string, Rate> {
  const found = new Map<string, Rate>();
  for (const rate of rates) {
    const known = found.get(rate.exchange);
    const isLarger = (rate.open_interest_usd ?? 0) > (known?.open_interest_usd ?? -1);
    if (known === undefined || isLarger) found.set(rate.exchange, rate);
  }
  return found;
}

/** A row a symbol, a column an exchange: first those with the most symbols. */
function ratesOf(items: readonly FundingRatesPageItem[]): HeatData & { rates: Map<string, Rate> } {
  const found = items.map(({ rates = [] }) => byExchange(rates));
  const counts = new Map<string, number>();
  for (const id of found.flatMap((of) => [...of.keys()])) counts.set(id, (counts.get(id) ?? 0) + 1);
  const columns = [...counts.keys()].sort(
    (a, b) => (counts.get(b) ?? 0) - (counts.get(a) ?? 0) || a.localeCompare(b),
  );
  const rates = new Map<string, Rate>();
  const cells = found.flatMap((of, row) =>
    columns.flatMap((id, column) => {
      const rate = of.get(id);
      if (rate === undefined || rate.annualized === null) return [];
      rates.set(`${column} ${row}`, rate);
      return [[column, row, rate.annualized] as const];
    }),
  );
  return { columns, rows: items.map(({ symbol }) => symbol), cells, rates };
}

function ratesPart(): Part {
  let rates = new Map<string, Rate>();
  return heatPart({
    title: 'Rates',
    about:
      'Annualised percent, of the contract with the largest open interest; empty: no such contract',
    label: 'Funding rates by symbol and exchange',
    name: 'funding',
    path: at('/v1/funding-rates', { limit: 40, detail: 'full' }),
    isWide: true,
    isTall: true,
    palette: 'signed',
    strongest: 0.5,
    isTable: true,
    words(annual, column, row) {
      const { contract = '', funding_rate_8h: eight = null } = rates.get(`${column} ${row}`) ?? {};
      const words = eight === null ? '' : `, ${percent(eight * 100, 4)} per 8 h`;
      return `${percent(annual * 100, 2)} a year${words}, ${contract}`;
    },
    text: (annual) => fixed(annual * 100, 1),
    data(data) {
      const made = ratesOf(data.items);
      rates = made.rates;
      return made;
    },
    none: 'No rate is known yet.',
  });
}

/** Most fundings are settled each eight hours, ms. */
const settlement = 8 * 3_600_000;

const pastPart = (symbol: string): Part =>
  plotPart({
    title: `Settled rates of ${symbol}`,
    about: 'Percent per 8 hours, over all exchanges',
    label: `Settled funding rates of ${symbol} over all exchanges`,
    name: `${symbol}-funding-history`,
    path: at('/v1/funding-rates/vol-weighted-history', { symbol, limit: 90 }),
    every: 60_000,
    cadence: settlement,
    isWide: true,
    lines: [
      { name: 'By turnover', field: 'vol_weighted_rate_8h', colour: 'accent', as: 'steps' },
      { name: 'Each exchange once', field: 'average_rate_8h', colour: 'soft', as: 'steps' },
    ],
    form: (rate) => percent(rate * 100, 4),
    data: ({ points }) => ({
      x: points.map(({ timestamp }) => timestamp),
      values: [
        points.map((one) => one.vol_weighted_rate_8h),
        points.map((one) => one.average_rate_8h),
      ],
    }),
    none: `No settlement of ${symbol} is recorded yet.`,
  });

/** A part as percent with its sign. */
const rate = (part: number) => percent(part * 100);

const pairsPart = (): Part =>
  tablePart({
    title: 'Arbitrage',
    about: ({ note }) => note,
    name: 'funding-arbitrage',
    path: at('/v1/funding-arbitrage', { limit: 50 }),
    isWide: true,
    rows: ({ items }) => items,
    columns: [
      { head: 'Symbol', of: ({ symbol }) => symbol },
      { head: 'Long on', of: ({ long }) => long.exchange, hint: ({ long }) => long.contract },
      { head: 'Short on', of: ({ short }) => short.exchange, hint: ({ short }) => short.contract },
      { head: 'Long, annualised', of: ({ long }) => long.annualized, as: rate },
      { head: 'Short, annualised', of: ({ short }) => short.annualized, as: rate },
      {
        head: 'Rate spread',
        of: ({ long, short }) => short.annualized - long.annualized,
        as: rate,
        tone: () => 'up',
      },
      {
        head: 'Mark price spread',
        of: ({ long: { mark_price: a }, short: { mark_price: b } }) =>
          a === null || b === null ? null : b / a - 1,
        as: (part) => percent(part * 100, 3),
      },
      {
        head: 'Smaller volume',
        of: ({ long, short }) => Math.min(long.volume_24h_usd ?? 0, short.volume_24h_usd ?? 0),
        as: compact,
      },
    ],
    none: 'No pair has a rate spread of 10 % a year now.',
  });

/** Shows the page in an element; ends with the function that is returned. */
export function open(into: HTMLElement, _about: string, chosen: URLSearchParams): () => void {
  const symbol = chosen.get('symbol') ?? 'BTC';
  const past = new Slot(() => pastPart(symbol), 'whole');
  const field = symbolField(symbol, (next) => {
    choose({ symbol: next === 'BTC' ? '' : next });
    past.show(() => pastPart(next));
  });
  into.append(h('div', { class: 'bar' }, h('h1', {}, 'Funding'), field));
  return showParts(into, [ratesPart(), past, pairsPart()]);
}
