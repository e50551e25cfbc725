/** Hourly fixings as rows of the recorded series `reference-fixings`. */
import { type Fixing, fixingPartitions } from '../../indicators/market/fixing.ts';

/** The exchanges whose spot trades are folded. */
export const fixingExchanges = [
  ...(['binance', 'okx', 'bybit', 'bitfinex', 'kraken', 'coinbase', 'bitstamp'] as const),
];

const partitionColumns = Array.from(
  { length: fixingPartitions },
  (_, at) => `median_${at}` as const,
);
const minuteColumn = (exchange: string) => `minutes_${exchange}` as const;

export type FixingColumn = 'rate' | 'trades' | 'volume' | `median_${number}` | `minutes_${string}`;

/** The columns of the series. */
export const fixingColumns: readonly FixingColumn[] = [
  ...(['rate', 'trades', 'volume'] as const),
  ...partitionColumns,
  ...fixingExchanges.map(minuteColumn),
];

/** A fixing as the values of a row. */
export function fixingValues(fixing: Fixing): Readonly<Record<FixingColumn, number | null>> {
  const { rate, trades, volume, partitions, minutes } = fixing;
  return {
    ...{ rate, trades, volume },
    ...Object.fromEntries(partitionColumns.map((name, at) => [name, partitions[at] ?? null])),
    ...Object.fromEntries(
      fixingExchanges.map((exchange) => [minuteColumn(exchange), minutes[exchange] ?? 0]),
    ),
  };
}

/** Rows of the series as a reply has them. */
interface Rows {
  times: readonly number[];
  columns: Readonly<Record<string, readonly (number | null)[]>>;
}

/** The fixings of a reply about the series, each with the start of its hour. */
export const fixingsIn = ({ times, columns }: Rows): (Fixing & { timestamp: number })[] =>
  times.flatMap((timestamp, row) => {
    const cell = (name: FixingColumn) => columns[name]?.[row] ?? null;
    const rate = cell('rate');
    if (rate === null) return [];
    const minutes = fixingExchanges.flatMap((exchange): [string, number][] => {
      const known = cell(minuteColumn(exchange)) ?? 0;
      return known > 0 ? [[exchange, known]] : [];
    });
    return [
      {
        ...{ timestamp, rate, trades: cell('trades') ?? 0, volume: cell('volume') ?? 0 },
        partitions: partitionColumns.map(cell),
        minutes: Object.fromEntries(minutes),
      },
    ];
  });
