/** The models of the price alone, which move with it: ahr999, Pi Cycle, rainbow chart. */
import { minute } from '../../../config/time.ts';
import {
  type Ahr999,
  type Ahr999Point,
  ahr999,
  ahr999Days,
  ahr999Series,
} from '../../../indicators/market/ahr999.ts';
import type { HistoryDay } from '../../../indicators/market/daily-closes.ts';
import {
  type PiCycle,
  type PiCycleCross,
  type PiCyclePoint,
  piCycle,
  piCycleCrosses,
  piCycleDays,
  piCycleSeries,
} from '../../../indicators/market/pi-cycle.ts';
import { type RainbowPoint, rainbow, rainbowSeries } from '../../../indicators/market/rainbow.ts';
import type { IndicatorFields, IndicatorRow } from '../../topics/indicators/table.ts';
import { type Book, closesIn, contentOf, type Model, priced, untimed } from './model.ts';

/** Days between two points of the rainbow chart. */
const week = 7;

const closesOf = ({ closes }: Book) => [closes.rows];
const common = { cadence: minute, inputs: closesOf };

const ahr999Row = ({ age_days: _, ...point }: Ahr999Point): IndicatorRow<'ahr999'> => point;

const ahr999Model: Model<'ahr999'> = {
  ...common,
  name: 'ahr999',
  what: 'daily closes of Bitcoin',
  current({ closes }, moment) {
    const input = priced(closes, moment, ahr999Days);
    if (!input) return null;
    const live = ({ zone: _, signal: __, ...point }: Ahr999) => ahr999Row(point);
    return { ...input, found: contentOf(ahr999(input.closes), untimed, live) };
  },
  history: ({ closes }) => ahr999Series(closes.rows).map(ahr999Row),
  days: (book) => [closesIn(book, ahr999Days)],
};

/** The crosses of the closes, found once for as long as they are the same. */
function crossFinder(): (rows: readonly HistoryDay[]) => PiCycleCross[] {
  let known: { rows: readonly HistoryDay[]; crosses: PiCycleCross[] } | null = null;
  return (rows) => {
    if (known?.rows !== rows) known = { rows, crosses: piCycleCrosses(piCycleSeries(rows)) };
    return known.crosses;
  };
}

const piCycleFields = (value: PiCycle): IndicatorFields<'pi-cycle'> => {
  const { price_usd: _, ...fields } = untimed(value);
  return fields;
};

const piCycleRow = ({
  timestamp,
  price_usd,
  ma_111d_usd,
  ma_350d_x2_usd,
  provisional,
}: PiCyclePoint): IndicatorRow<'pi-cycle'> => ({
  ...{ timestamp, price_usd, ma_111d_usd, ma_350d_x2_usd },
  ...(provisional && { provisional }),
});

function piCycleModel(): Model<'pi-cycle'> {
  const crossesOf = crossFinder();
  return {
    ...common,
    name: 'pi-cycle',
    what: 'daily closes of Bitcoin',
    current({ closes }, moment) {
      const input = priced(closes, moment, piCycleDays);
      if (!input) return null;
      const found = piCycle(input.closes, crossesOf(closes.rows));
      return { ...input, found: contentOf(found, piCycleFields, piCycleRow) };
    },
    history: ({ closes }) => piCycleSeries(closes.rows),
    days: (book) => [closesIn(book, piCycleDays)],
  };
}

const rainbowRow = ({
  timestamp,
  price_usd,
  base_usd,
  band,
  provisional,
}: RainbowPoint): IndicatorRow<'rainbow-chart'> => ({
  ...{ timestamp, price_usd, base_usd, band },
  ...(provisional && { provisional }),
});

const rainbowModel: Model<'rainbow-chart'> = {
  ...common,
  name: 'rainbow-chart',
  what: 'daily closes of Bitcoin',
  current({ closes }, moment) {
    const input = priced(closes, moment, 1);
    if (!input) return null;
    return { ...input, found: contentOf(rainbow(input.closes), untimed, rainbowRow) };
  },
  history: ({ closes }) => rainbowSeries(closes.rows, week),
};

/** Created each time the lease is gained: one of them has state. */
export const liveModels = (): Model[] => [ahr999Model, piCycleModel(), rainbowModel];
