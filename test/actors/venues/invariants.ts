/** What is true of every row that leaves a parser, whatever it read: stated here once more, apart from the checks of the service. */
import { isRecord } from '../../../actors/read.ts';

/** 2009-01-01: before it there was nothing to trade. */
const first = Date.UTC(2009, 0);
const minute = 60_000;
const day = 86_400_000;

type Row = Readonly<Record<string, unknown>>;
/** What is wrong, or ''. */
type Rule = (row: Row, now: number) => string;

const number = (row: Row, key: string): number | null => {
  const value = row[key];
  return typeof value === 'number' ? value : null;
};

/** Whether the first is at most the second, or one of them is unknown. */
const atMost = (less: number | null, more: number | null): boolean =>
  less === null || more === null || less <= more;

const isTime = (value: number | null, latest: number): boolean =>
  value === null || (Number.isInteger(value) && value >= first && value <= latest);

const rule =
  (what: string, holds: (row: Row, now: number) => boolean): Rule =>
  (row, now) =>
    holds(row, now) ? '' : what;

const finite = rule('a number without end', (row) =>
  Object.values(row).every((value) => typeof value !== 'number' || Number.isFinite(value)),
);

const above = (...keys: readonly string[]) =>
  rule(`one of ${keys} is not above zero`, (row) =>
    keys.every((key) => (number(row, key) ?? 1) > 0),
  );

const notBelow = (...keys: readonly string[]) =>
  rule(`one of ${keys} is below zero`, (row) => keys.every((key) => (number(row, key) ?? 0) >= 0));

const stated = rule('a time that cannot be', (row, now) =>
  isTime(number(row, 'stated'), now + minute),
);

/** The prices of a row that its mean price is held against, and how far it may be from them: a tenth, or five times. */
function range(row: Row): { least: number; most: number } {
  const [low, high] = [number(row, 'low'), number(row, 'high')];
  if (low !== null && high !== null) return { least: low * 0.9, most: high * 1.1 };
  const price = number(row, 'price') ?? 0;
  const open = price / (1 + (number(row, 'change') ?? 0) / 100);
  return { least: Math.min(price, open) / 5.01, most: Math.max(price, open) * 5.01 };
}

/** Turnover by volume is a mean price. Nothing trades for nothing. */
const mean = (base: string, turnover: string) =>
  rule('a mean price outside of the range', (row) => {
    const [amount, worth] = [number(row, base), number(row, turnover)];
    if (amount === null || worth === null) return true;
    if (amount === 0 || worth === 0) return amount === worth;
    const { least, most } = range(row);
    return worth / amount >= least && worth / amount <= most;
  });

const prices: readonly Rule[] = [
  finite,
  stated,
  above('price', 'bid', 'ask', 'high', 'low'),
  notBelow('volume', 'base'),
  rule('the low is above the high', (row) => atMost(number(row, 'low'), number(row, 'high'))),
  rule('the price is outside of the range', (row) => {
    const price = number(row, 'price') ?? 0;
    const [low, high] = [number(row, 'low'), number(row, 'high')];
    // Exchanges round the two apart: by up to 0.1 %.
    return atMost(low, price * 1.001) && atMost(price * 0.999, high);
  }),
  rule('the bid is above the ask', (row) => atMost(number(row, 'bid'), number(row, 'ask'))),
  rule('a quote is far from the price', (row) => {
    const price = number(row, 'price') ?? 0;
    return ['bid', 'ask'].every((key) => {
      const quote = number(row, key) ?? price;
      return quote <= price * 2 && quote >= price / 2;
    });
  }),
  rule('a fall by more than everything', (row) => (number(row, 'change') ?? 0) >= -100),
  mean('base', 'volume'),
];

const derivatives: readonly Rule[] = [
  finite,
  stated,
  above('mark', 'index'),
  rule('hours between fundings that no exchange has', (row) =>
    [null, 1, 2, 3, 4, 6, 8, 12, 24].includes(number(row, 'funding_hours')),
  ),
  rule('a rate beyond 5 % an hour', (row) => {
    const [rate, hours] = [number(row, 'funding_rate'), number(row, 'funding_hours')];
    return rate === null || Math.abs(rate) <= 0.05 * (hours ?? 8);
  }),
  rule('a next funding that cannot be', (row, now) =>
    isTime(number(row, 'next_funding'), now + day),
  ),
];

const candles: readonly Rule[] = [
  finite,
  above('open', 'high', 'low', 'close'),
  notBelow('volume', 'turnover'),
  rule('a candle outside of its range', (row) =>
    ['open', 'close'].every(
      (key) =>
        atMost(number(row, 'low'), number(row, key)) &&
        atMost(number(row, key), number(row, 'high')),
    ),
  ),
  rule('a time that cannot be', (row, now) => isTime(number(row, 'timestamp'), now + minute)),
  mean('volume', 'turnover'),
];

const rules: Readonly<Record<string, readonly Rule[]>> = {
  instruments: [finite, above('contract', 'scale', 'funding_hours')],
  prices,
  derivatives,
  openInterest: [finite, stated, above('mark'), notBelow('units', 'value')],
  options: [finite, stated, notBelow('open_interest', 'volume')],
  candles,
  books: [finite, above('price', 'quantity')],
  points: [
    finite,
    rule('a time that cannot be', (row, now) => isTime(number(row, 'timestamp'), now + day)),
  ],
};

/** What is wrong with rows of a kind that were received at `now`. */
export function broken(kind: string, rows: readonly unknown[], now: number): string[] {
  const own = rules[kind] ?? [finite];
  return rows.filter(isRecord).flatMap((row) =>
    own
      .map((one) => one(row, now))
      .filter((what) => what !== '')
      .map((what) => `${what}: ${JSON.stringify(row)}`),
  );
}

/** Markets, or times, that stand twice. */
export function repeated(rows: readonly unknown[], key: string): unknown[] {
  const values = rows.filter(isRecord).map((row) => row[key]);
  return values.filter((value, i) => values.indexOf(value) !== i);
}
