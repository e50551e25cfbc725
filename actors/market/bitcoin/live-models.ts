/** The models of the price alone, which move with it: ahr999, Pi Cycle, rainbow chart. */
import { type Ahr999Point, ahr999, ahr999Days, ahr999Series } from '../formulas/ahr999.ts';
import type { Enough } from '../formulas/enough.ts';
import {
  type PiCycleCross,
  type PiCyclePoint,
  piCycleCrosses,
  piCycleDays,
  piCycleSeries,
  piCycleWith,
} from '../formulas/pi-cycle.ts';
import { type RainbowPoint, rainbow, rainbowSeries } from '../formulas/rainbow.ts';
import type { HistoryDay } from '../history.ts';
import { type Book, type Content, chartRow, type Model, pick, priced } from './model.ts';

const minute = 60_000;
/** Days between two points of the rainbow chart. */
const week = 7;

/** A value as its fields and, where it is of a day that still runs, its point of the chart. */
function contentOf<Row extends { timestamp: number; provisional?: true }>(
  found: Enough<Row>,
  fields: readonly (keyof Row & string)[],
  columns: readonly (keyof Row & string)[],
): Enough<Content> {
  if (!found.ok) return found;
  const { value } = found;
  const live = value.provisional ? chartRow(value, columns) : null;
  return { ok: true, value: { fields: pick(value, fields), live } };
}

const closesOf = ({ closes }: Book) => [closes.rows];
const common = { cadence: minute, inputs: closesOf };

const ahr999Columns: (keyof Ahr999Point & string)[] = [
  'value',
  'price_usd',
  'cost_200d_usd',
  'growth_valuation_usd',
];

const ahr999Model: Model = {
  ...common,
  name: 'ahr999',
  what: 'daily closes of Bitcoin',
  current({ closes }, moment) {
    const input = priced(closes, moment, ahr999Days);
    if (!input) return null;
    const fields = [...ahr999Columns, 'age_days', 'zone', 'signal'] as const;
    return { ...input, found: contentOf(ahr999(input.closes), fields, ahr999Columns) };
  },
  history: ({ closes }) => ahr999Series(closes.rows).map((point) => chartRow(point, ahr999Columns)),
};

const piColumns: (keyof PiCyclePoint & string)[] = ['price_usd', 'ma_111d_usd', 'ma_350d_x2_usd'];

/** The crosses of the closes, found once for as long as they are the same. */
function crossFinder(): (rows: readonly HistoryDay[]) => PiCycleCross[] {
  let known: { rows: readonly HistoryDay[]; crosses: PiCycleCross[] } | null = null;
  return (rows) => {
    if (known?.rows !== rows) known = { rows, crosses: piCycleCrosses(piCycleSeries(rows)) };
    return known.crosses;
  };
}

function piCycleModel(): Model {
  const crossesOf = crossFinder();
  return {
    ...common,
    name: 'pi-cycle',
    what: 'daily closes of Bitcoin',
    current({ closes }, moment) {
      const input = priced(closes, moment, piCycleDays);
      if (!input) return null;
      const found = piCycleWith(input.closes, crossesOf(closes.rows));
      const fields = [
        ...(['ma_111d_usd', 'ma_350d_x2_usd', 'gap_pct', 'crossed', 'state'] as const),
        ...(['last_cross', 'crosses', 'signal'] as const),
      ];
      return { ...input, found: contentOf(found, fields, piColumns) };
    },
    history: ({ closes }) => piCycleSeries(closes.rows).map((point) => chartRow(point, piColumns)),
  };
}

const rainbowColumns: (keyof RainbowPoint & string)[] = ['price_usd', 'base_usd', 'band'];

const rainbowModel: Model = {
  ...common,
  name: 'rainbow-chart',
  what: 'daily closes of Bitcoin',
  current({ closes }, moment) {
    const input = priced(closes, moment, 1);
    if (!input) return null;
    const fields = [
      ...(['price_usd', 'base_usd', 'trolololo_line_usd', 'days', 'band'] as const),
      ...(['classification', 'bands', 'model'] as const),
    ];
    return { ...input, found: contentOf(rainbow(input.closes), fields, rainbowColumns) };
  },
  history: ({ closes }) =>
    rainbowSeries(closes.rows, week).map((point) => chartRow(point, rainbowColumns)),
};

/** Made anew for each tenure: one of them remembers. */
export const liveModels = (): Model[] => [ahr999Model, piCycleModel(), rainbowModel];
