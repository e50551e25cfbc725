/** What `npm run export` is asked for. */
import type { Config } from '../../../config/config.ts';
import { type TableFormatName, tableFormats } from '../../../http/answers/tables/formats.ts';
import { Given } from '../command.ts';
import { StartError } from '../process.ts';

export const usage = `usage: npm run export -- --columns NAMES --from TIME --out FOLDER [--to TIME] [--symbols BTC,ETH]
  [--exchanges binance] [--kind perpetual|spot] [--interval 1h] [--format ${Object.keys(tableFormats).join('|')}] [--url http://127.0.0.1:8080]
The API key is read from the setting EXPORT_KEY. A TIME is a day (2026-01-31) or a time (2026-01-31T12:00), both UTC; --to is not included.
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

const names = [
  ...(['columns', 'symbols', 'exchanges', 'kind', 'interval'] as const),
  ...(['from', 'to', 'format', 'out', 'url'] as const),
];

/** The options of a command line. `now` in Unix ms. Throws StartError with what is wrong. */
export function optionsOf(
  args: readonly string[],
  { exportKey: key }: Pick<Config, 'exportKey'>,
  now: number,
): ExportOptions {
  const values = new Given(args, usage, { values: names });
  const format = values.oneOf('format', ['parquet', 'csv']);
  const url = URL.parse(values.get('url') ?? 'http://127.0.0.1:8080');
  if (!url || !/^https?:$/.test(url.protocol))
    throw values.fault('--url must be an http or https URL');
  const range = values.range('from', 'to', now);
  if (key === null) throw new StartError('EXPORT_KEY is not set: it must be an API key');
  return {
    url: url.href.replace(/\/$/, ''),
    key,
    out: values.required('out'),
    ...range,
    format,
    query: {
      columns: values.required('columns'),
      symbols: values.get('symbols') ?? 'BTC',
      exchanges: values.get('exchanges') ?? 'binance',
      kind: values.get('kind') ?? 'perpetual',
      interval: values.get('interval') ?? '1h',
    },
  };
}
