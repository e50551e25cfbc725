/** Funding rates of all exchanges side by side, their past, and the pairs of perpetuals that differ most. */
import { alertLink } from '../alerts/link.ts';
import { linesPart } from '../charts.ts';
import { groundIn } from '../colours.ts';
import type { Column } from '../columns.ts';
import { symbolField } from '../dom.ts';
import { exchangeColumn, exchangeName } from '../exchange-names.ts';
import { compact, count, fixed, moment, rate, signOf } from '../format.ts';
import { fill, headed, minute, type Part, Slot } from '../part.ts';
import { choose } from '../place.ts';
import { at, type FundingRatesPageItem } from '../request.ts';
import { tablePart } from '../table-part.ts';
import { arbitragePart, untilText } from './arbitrage.ts';
import { of8Hours, ofYear, rateText, shortPlaces, unitChoice, unitWords } from './unit.ts';

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

/** The exchanges, those with the most symbols first. */
function exchangesOf(all: readonly ReadonlyMap<string, Rate>[]): string[] {
  const ids = Map.groupBy(
    all.flatMap((of) => [...of.keys()]),
    (id) => id,
  );
  return [...ids]
    .sort(([a, { length: one }], [b, { length: other }]) => other - one || a.localeCompare(b))
    .map(([id]) => id);
}

/** The rates of a symbol by exchange, in the chosen unit. */
type Rates = Readonly<Record<string, string | number | null>>;

/** A row a symbol, a column an exchange. */
function ratesPart(): Part {
  let known = new Map<string, Map<string, Rate>>();
  const columnOf = (id: string): Column<Rates> => {
    const rateOf = ({ symbol }: Rates) => known.get(String(symbol))?.get(id);
    return {
      head: exchangeName(id),
      of: (row) => row[id] ?? null,
      as: (rate) => fixed(rate * 100, shortPlaces()),
      ground(row) {
        const rate = Number(row[id] ?? 0);
        const part = Math.sqrt(Math.abs(rate) / ofYear(0.5));
        return rate === 0 ? '' : groundIn(rate < 0 ? 'down' : 'up', part);
      },
      hint(row) {
        const { contract = '', next_funding_time: next = null } = rateOf(row) ?? {};
        return next === null ? contract : `${contract}, settled ${untilText(next)}`;
      },
    };
  };
  return tablePart({
    title: 'Rates',
    about: `Percent ${unitWords()}, of the contract with the largest open interest; coins with the largest first`,
    name: 'funding',
    path: at('/v1/funding-rates', { limit: 40, detail: 'full', sort: 'open_interest' }),
    isWide: true,
    isTall: true,
    isDense: true,
    columns({ items }) {
      known = new Map(items.map(({ symbol, rates = [] }) => [symbol, byExchange(rates)]));
      const ids = exchangesOf([...known.values()]);
      return [{ head: 'Symbol', of: ({ symbol = '' }) => symbol }, ...ids.map(columnOf)];
    },
    rows: () =>
      [...known].map(([symbol, of]): Rates => {
        const rates = [...of].map(([id, { annualized }]) => [
          id,
          annualized === null ? null : ofYear(annualized),
        ]);
        return { symbol, ...Object.fromEntries(rates) };
      }),
    none: 'No rate is known yet.',
  });
}

/** Most fundings are settled each eight hours, ms. */
const settlement = 8 * 60 * minute;

const pastPart = (symbol: string): Part =>
  linesPart({
    title: `Settled rates of ${symbol}`,
    about: `Percent ${unitWords()}, over all exchanges`,
    label: `Settled funding rates of ${symbol} over all exchanges`,
    name: `${symbol}-funding-history`,
    path: at('/v1/funding-rates/vol-weighted-history', { symbol, limit: 90 }),
    every: minute,
    cadence: settlement,
    isWide: true,
    points: ({ points }) => points,
    lines: [
      {
        name: 'By turnover',
        of: (one) => of8Hours(one.vol_weighted_rate_8h),
        colour: 'accent',
        as: 'steps',
      },
      {
        name: 'Each exchange once',
        of: (one) => of8Hours(one.average_rate_8h),
        colour: 'soft',
        as: 'steps',
      },
    ],
    form: rateText,
    none: `No settlement of ${symbol} is recorded yet.`,
  });

/** The rate of the next interval, where the exchange states one. */
const predictedOf = ({ predicted_rate: rate, interval_hours: hours }: Rate) =>
  rate === null || hours === null ? null : ofYear((rate * 24 * 365) / hours);

/** All contracts on a symbol, the highest rate first. */
const contractsPart = (symbol: string): Part =>
  tablePart({
    title: `Contracts on ${symbol}`,
    about: `Rates ${unitWords()}; stated: as the exchange has it, of its own interval`,
    name: `${symbol}-funding`,
    path: at('/v1/funding-rates', { symbol }),
    isWide: true,
    controls: alertLink(symbol, 'funding'),
    rows: ({ rates }) => rates,
    key: ({ exchange, contract }) => `${exchange} ${contract}`,
    columns: [
      exchangeColumn,
      { head: 'Contract', of: 'contract' },
      {
        head: 'Rate',
        of: (one) => ofYear(one.annualized),
        as: rateText,
        tone: ({ annualized }) => signOf(annualized, 5e-5),
      },
      { head: 'Stated', of: 'funding_rate', as: rate },
      { head: 'Interval', of: 'interval_hours', as: (hours) => `${count(hours)} h` },
      { head: 'Predicted', of: predictedOf, as: rateText },
      {
        head: 'Next settlement',
        of: 'next_funding_time',
        as: untilText,
        hint: ({ next_funding_time: next }) => (next === null ? '' : moment(next)),
      },
      { head: 'Open interest', of: 'open_interest_usd', as: compact },
      { head: 'Volume 24 h', of: 'volume_24h_usd', as: compact },
    ],
    none: `No exchange has a perpetual on ${symbol}.`,
  });

/** Shows the page in an element; ends with the function that is returned. */
export function open(into: HTMLElement, _about: string, chosen: URLSearchParams): () => void {
  const symbol = chosen.get('symbol') ?? 'BTC';
  const contracts = new Slot(() => contractsPart(symbol), 'whole');
  const past = new Slot(() => pastPart(symbol), 'whole');
  const field = symbolField(symbol, (next) => {
    choose({ symbol: next === 'BTC' ? '' : next });
    contracts.show(() => contractsPart(next));
    past.show(() => pastPart(next));
  });
  return fill(into, [
    headed('h1', 'Funding', unitChoice()),
    [ratesPart()],
    headed('h2', 'One symbol', field),
    [contracts, past, arbitragePart(chosen)],
  ]);
}
