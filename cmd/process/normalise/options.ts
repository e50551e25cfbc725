/** What `npm run normalise` is asked for. */
import { type DataType, dataTypes } from '../../../actors/replay/columns.ts';
import { Given, listOf } from '../command.ts';

export const usage = `usage: npm run normalise -- --exchange NAME --from TIME --to TIME --out FOLDER
  [--symbols BTCUSDT,ETHUSDT] [--types ${dataTypes.join(',')}]
  [--format tardis-csv|parquet|freqtrade] [--recordings FOLDER]
NAME is an id of this service (binance) or of Tardis (binance-futures). A TIME is a day (2026-01-31) or a time
(2026-01-31T12:00:30), both UTC; --to is not included. --types is for tardis-csv and parquet. --recordings is \`recordings\` in DATA_DIR unless given.`;

export const formats = ['tardis-csv', 'parquet', 'freqtrade'] as const;

export interface NormaliseOptions {
  exchange: string;
  /** In lower case; all when empty. */
  symbols: readonly string[];
  /** Unix ms; `to` is not included. */
  from: number;
  to: number;
  types: readonly DataType[];
  format: (typeof formats)[number];
  out: string;
  /** Null for that of DATA_DIR. */
  recordings: string | null;
}

const names = [
  ...(['exchange', 'symbols', 'from', 'to'] as const),
  ...(['types', 'format', 'out', 'recordings'] as const),
];

const isType = (word: string): word is DataType => dataTypes.some((type) => type === word);

/** The options of a command line. Throws StartError with what is wrong. */
export function optionsOf(args: readonly string[]): NormaliseOptions {
  const values = new Given(args, usage, { values: names });
  const words = listOf(values.get('types') ?? 'trades');
  const types = words.filter(isType);
  if (types.length < words.length)
    throw values.fault(`--types must be some of ${dataTypes.join(', ')}`);
  return {
    ...values.range('from', 'to'),
    exchange: values.required('exchange'),
    symbols: listOf(values.get('symbols')).map((symbol) => symbol.toLowerCase()),
    types,
    format: values.oneOf('format', formats),
    out: values.required('out'),
    recordings: values.get('recordings') ?? null,
  };
}
