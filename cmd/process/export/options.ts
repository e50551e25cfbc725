/** What `npm run export` is asked for. */
import { parseArgs } from 'node:util';
import type { Config } from '../../../config/config.ts';
import { type TableFormatName, tableFormats } from '../../../http/answers/tables/formats.ts';
import { StartError } from '../process.ts';

const formats = Object.keys(tableFormats).join('|');

export const usage = `usage: npm run export -- --columns NAMES --from DATE --out FOLDER [--to DATE] [--symbols BTC,ETH]
  [--exchanges binance] [--kind perpetual|spot] [--interval 1h] [--format ${formats}] [--url http://127.0.0.1:8080]
The API key is read from the setting EXPORT_KEY. A DATE is a day (2026-01-31) or a time (2026-01-31T12:00Z), both UTC; --to is not included.
GET /v1/rows/columns lists the columns.`;

export interface ExportOptions {
  /** Origin of the service, without a slash at the end. */
  url: string;
  key: string;
  out: string;
  /** Unix ms; `to` is not included. */
  from: number;
  to: number;
  format: TableFormatName;
  /** Parameters of `/v1/rows`. */
  query: Readonly<Record<string, string>>;
}

const text = { type: 'string' } as const;
const given = {
  ...{ columns: text, symbols: text, exchanges: text, kind: text, interval: text },
  ...{ from: text, to: text, format: text, out: text, url: text },
};

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: given }).values;
  } catch (error) {
    throw new StartError(`${error instanceof Error ? error.message : error}\n${usage}`);
  }
}

function timeOf(name: string, value: string): number {
  const isTime = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d)?Z)?$/.test(value);
  const time = isTime ? Date.parse(value) : Number.NaN;
  if (!Number.isNaN(time)) return time;
  throw new StartError(
    `--${name} must be a day such as 2026-01-31 or a time such as 2026-01-31T12:00Z\n${usage}`,
  );
}

const isFormat = (name: string): name is TableFormatName => Object.hasOwn(tableFormats, name);

function originOf(url: string): string {
  const parsed = URL.parse(url);
  if (parsed && /^https?:$/.test(parsed.protocol)) return parsed.href.replace(/\/$/, '');
  throw new StartError(`--url must be an http or https URL\n${usage}`);
}

/** The options of a command line. `now` in Unix ms. Throws StartError with what is wrong. */
export function optionsOf(
  args: readonly string[],
  { exportKey: key }: Pick<Config, 'exportKey'>,
  now: number,
): ExportOptions {
  const values = parse(args);
  const required = (name: 'columns' | 'from' | 'out'): string => {
    const value = values[name];
    if (value !== undefined && value !== '') return value;
    throw new StartError(`--${name} is missing\n${usage}`);
  };
  const { symbols = 'BTC', exchanges = 'binance', kind = 'perpetual', interval = '1h' } = values;
  const { format = 'parquet', url = 'http://127.0.0.1:8080' } = values;
  if (!isFormat(format)) throw new StartError(`--format must be one of ${formats}\n${usage}`);
  const from = timeOf('from', required('from'));
  const to = Math.min(values.to === undefined ? now : timeOf('to', values.to), now);
  if (from >= to) throw new StartError(`--from must be before --to and in the past\n${usage}`);
  if (key === null) throw new StartError('EXPORT_KEY is not set: it must be an API key');
  return {
    ...{ url: originOf(url), key, out: required('out'), from, to, format },
    query: { columns: required('columns'), symbols, exchanges, kind, interval },
  };
}
