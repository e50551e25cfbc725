/** FRED's graph data, a table of text without a key. https://fred.stlouisfed.org */
import { dateOf, dayOf } from '../../indicators/market/days.ts';
import { ShapeError } from '../failure.ts';
import { required, text, type WireRow } from '../read.ts';
import {
  type Apis,
  defineSource,
  joined,
  type Parsed,
  type Poll,
  perMinute,
  type Reading,
  type RequestOf,
  readRows,
} from '../sources/define.ts';
import { type AssetDay, assetIds, assets } from './assets.ts';

/** The assets that have a series, with its name. */
const series = assetIds.flatMap((asset) => {
  const { fred } = assets[asset];
  return fred === null ? [] : [[asset, fred] as const];
});

/** The first column was `DATE` once. */
const dateIn = (row: WireRow) => text(row.observation_date) || text(row.DATE);

/** One call for all; a day without a value (a holiday, a series that is late) is empty or a dot. */
const closes: Poll<AssetDay, Request> = {
  requests: ({ from = 0 }) => [
    {
      api: 'rest',
      path: '/graph/fredgraph.csv',
      query: { id: series.map(([, id]) => id).join(','), cosd: dateOf(from) },
      text: true,
    },
  ],
  parse([body]): Parsed<AssetDay> {
    const rows = tableOf(
      body,
      series.map(([, id]) => id),
    );
    return joined(
      series.map(([asset, id]) =>
        readRows(
          rows,
          (row) => `${asset} ${dateIn(row)}`,
          (row): Reading<AssetDay> => {
            if (row[id] === '' || row[id] === '.') return 'left_out';
            const [day, value] = [dayOf(dateIn(row)), required(row[id])];
            return day >= 0 && Number.isFinite(value) ? { asset, day, value } : null;
          },
        ),
      ),
    );
  },
};

const apis = {
  rest: { hosts: ['https://fred.stlouisfed.org'], budgets: perMinute(10) },
} as const satisfies Apis;

type Request = RequestOf<typeof apis>;

export const fred = defineSource({
  id: 'fred',
  name: 'Federal Reserve Bank of St. Louis',
  apis,
  polls: { closes },
});

/**
 * The rows of a table as objects by column name. ShapeError when the value is not text (a page of HTML included),
 * when a wanted column is missing or when there is no row.
 */
function tableOf(body: unknown, wanted: readonly string[]): WireRow[] {
  if (typeof body !== 'string') throw new ShapeError('table: not a text');
  const [head = '', ...lines] = body.trim().split(/\r?\n/);
  const columns = head.split(',');
  for (const name of wanted) {
    if (!columns.includes(name)) throw new ShapeError(`table: no column ${name}`);
  }
  if (lines.length === 0) throw new ShapeError('table: no rows');
  return lines.map((line) => {
    const cells = line.split(',');
    return Object.fromEntries(columns.map((name, at) => [name, cells[at] ?? '']));
  });
}
