/** What `npm run normalise` is asked for. */
import { parseArgs } from 'node:util';
import { type DataType, dataTypes } from '../../../actors/replay/columns.ts';
import { StartError } from '../process.ts';

export const usage = `usage: npm run normalise -- --exchange NAME --from TIME --to TIME --out FOLDER
  [--symbols BTCUSDT,ETHUSDT] [--types ${dataTypes.join(',')}]
  [--format tardis-csv|parquet] [--recordings FOLDER]
NAME is an id of this service (binance) or of Tardis (binance-futures). A TIME is a day (2026-01-31) or a time
(2026-01-31T12:00:30), both UTC; --to is not included. --recordings is \`recordings\` in DATA_DIR unless given.`;

export const formats = ['tardis-csv', 'parquet'] as const;

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

const text = { type: 'string' } as const;
const given = {
  exchange: text,
  symbols: text,
  from: text,
  to: text,
  types: text,
  format: text,
  out: text,
  recordings: text,
};

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: given }).values;
  } catch (error) {
    throw new StartError(`${error instanceof Error ? error.message : error}\n${usage}`);
  }
}

/** Unix ms of a time without a zone, which is UTC. Throws StartError. */
function timeOf(name: string, value: string): number {
  const isTime = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,3})?)?Z?)?$/.test(value);
  const time = isTime
    ? Date.parse(value.length > 10 ? `${value.replace('Z', '')}Z` : value)
    : Number.NaN;
  if (!Number.isNaN(time)) return time;
  throw new StartError(`--${name} must be a day or a time in UTC\n${usage}`);
}

const listOf = (value: string): string[] => value.split(',').filter((word) => word !== '');

const isType = (word: string): word is DataType => dataTypes.some((type) => type === word);

/** The options of a command line. Throws StartError with what is wrong. */
export function optionsOf(args: readonly string[]): NormaliseOptions {
  const values = parse(args);
  const required = (name: 'exchange' | 'from' | 'to' | 'out'): string => {
    const value = values[name];
    if (value !== undefined && value !== '') return value;
    throw new StartError(`--${name} is missing\n${usage}`);
  };
  const words = listOf(values.types ?? 'trades');
  const types = words.filter(isType);
  if (types.length < words.length)
    throw new StartError(`--types must be some of ${dataTypes.join(', ')}\n${usage}`);
  const format = formats.find((one) => one === (values.format ?? 'tardis-csv'));
  if (format === undefined)
    throw new StartError(`--format must be one of ${formats.join(', ')}\n${usage}`);
  const [from, to] = [timeOf('from', required('from')), timeOf('to', required('to'))];
  if (from >= to) throw new StartError(`--from must be before --to\n${usage}`);
  const symbols = listOf(values.symbols ?? '').map((symbol) => symbol.toLowerCase());
  const { recordings = null } = values;
  const exchange = required('exchange');
  return { exchange, symbols, from, to, types, format, out: required('out'), recordings };
}
