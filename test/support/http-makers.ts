/** What the front has received, for tests of what it answers: perpetuals, and replies of the history. */
import type { DerivativeRow, Reading, RecordedName } from '../../actors/topics/index.ts';
import { PerpetualsView } from '../../http/views/perpetuals.ts';
import { derivativeRow, instrument, interestRow, now, priceRow, reading } from './makers.ts';
import type { Replies } from './row-reader.ts';

/** A perpetual of one exchange, of which all that is not given is not known. */
export interface GivenPerpetual {
  source: string;
  symbol?: string;
  market?: string;
  rate?: number;
  hours?: number;
  mark?: number;
  index?: number;
  last?: number;
  /** US dollars. */
  volume?: number;
  interest?: number;
  units?: number;
  change?: number;
  high?: number;
  low?: number;
  predicted?: number;
  inverse?: boolean;
}

const named = ({ symbol = 'BTC', market = `${symbol}-P` }: GivenPerpetual) => ({ symbol, market });

const derivativeOf = (given: GivenPerpetual): DerivativeRow => ({
  ...derivativeRow(named(given)),
  mark: given.mark ?? 100,
  index: given.index ?? 99,
  funding_rate: given.rate ?? 0.0001,
  funding_hours: given.hours ?? 8,
  funding_rate_8h: null,
  next_funding: now + 1,
  ...(given.predicted !== undefined && { predicted_rate: given.predicted }),
});

const priceOf = (given: GivenPerpetual) =>
  priceRow({
    ...named(given),
    kind: 'perpetual',
    price: given.last ?? given.mark ?? 100,
    volume: given.volume ?? null,
    change: given.change ?? null,
    high: given.high ?? null,
    low: given.low ?? null,
  });

/** A view of these perpetuals, all received `now`. */
export function perpetualsOf(
  all: readonly GivenPerpetual[],
  view = new PerpetualsView({ rates: () => new Map([['USDT', 1]]) }),
): PerpetualsView {
  for (const [source, own] of Map.groupBy(all, (given) => given.source)) {
    const of = <Row>(rows: Row[]): Reading<Row> => reading(rows, { source });
    const listed = own.map((given) =>
      instrument({ ...named(given), inverse: given.inverse ?? false }),
    );
    const open = own.flatMap((given) =>
      given.interest === undefined
        ? []
        : interestRow({ ...named(given), value: given.interest, units: given.units ?? 1 }),
    );
    view.accept('derivatives', of(own.map(derivativeOf)), now);
    view.accept('prices', of(own.map(priceOf)), now);
    view.accept('instruments', of(listed), now);
    view.accept('openInterest', of(open), now);
  }
  return view;
}

/** Rows of one key of a recorded series. */
export interface GivenRows {
  times: readonly number[];
  columns: Readonly<Record<string, readonly (number | null)[]>>;
}

/** A reply of the history to a question about keys: those that are not given have no rows. */
export const seriesReply = (
  series: RecordedName,
  step: number,
  keys: readonly string[],
  byKey: Readonly<Record<string, GivenRows>>,
) => ({
  series,
  step,
  rows: keys.map((key) => {
    const { times = [], columns = {} } = byKey[key] ?? {};
    const coverage = {
      from: 1_000,
      to: 9_000,
      expected: 20,
      present: times.length,
      complete: false,
      backfilled: false,
    };
    return { key, times, columns, recorded_from: now, coverage };
  }),
});

/** A history with these rows by series and key, in steps of `step` ms; nothing else is answered. */
export const recordedReplies =
  (
    step: number,
    bySeries: Readonly<Record<string, Readonly<Record<string, GivenRows>>>>,
  ): Replies =>
  ({ params }) => {
    const { series, keys = [] } = Object(params);
    const rows = bySeries[series];
    return rows ? seriesReply(series, step, keys, rows) : null;
  };
