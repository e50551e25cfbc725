/** FRED's graph data, tables of text without a key. https://fred.stlouisfed.org */
import { dateOf, dayOf } from '../../indicators/market/days.ts';
import { ShapeError } from '../failure.ts';
import { required, text, type WireRow } from '../read.ts';
import {
  type Apis,
  defineSource,
  joined,
  type Poll,
  type PollPlan,
  perMinute,
  type Reading,
  type RequestOf,
  readRows,
} from '../sources/define.ts';
import { type AssetDay, type AssetId, assetIds, assets, isAsset } from './assets.ts';

/** The assets of the plan, all when it names none, that have a series, with its name. */
const asked = ({ items }: PollPlan): readonly { asset: AssetId; id: string }[] =>
  (items?.filter(isAsset) ?? assetIds).flatMap((asset) => {
    const id = assets[asset].fred;
    return id === null ? [] : [{ asset, id }];
  });

/** The first column was `DATE` once. */
const dateIn = (row: WireRow) => text(row.observation_date) || text(row.DATE);

/**
 * One call an asset: several series are one table only when they have one frequency, and `Daily, Close` is another one than `Daily`;
 * otherwise the answer is a ZIP of tables. A day without a value (a holiday, a series that is late) is empty or a dot.
 */
const closes: Poll<AssetDay, Request> = {
  requests: (plan) =>
    asked(plan).map(({ asset, id }) => ({
      api: 'rest',
      path: '/graph/fredgraph.csv',
      query: { id, cosd: dateOf(plan.from ?? 0) },
      text: true,
      market: asset,
    })),
  parse: (bodies, { plan }) =>
    joined(
      asked(plan).map(({ asset, id }, at) =>
        bodies[at] === undefined
          ? { rows: [], dropped: [] }
          : readRows(
              tableOf(bodies[at], id),
              (row) => `${asset} ${dateIn(row)}`,
              (row): Reading<AssetDay> => {
                if (row[id] === '' || row[id] === '.') return 'left_out';
                const [day, value] = [dayOf(dateIn(row)), required(row[id])];
                return day >= 0 && Number.isFinite(value) ? { asset, day, value } : null;
              },
            ),
      ),
    ),
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
 * when the wanted column is missing or when there is no row.
 */
function tableOf(body: unknown, wanted: string): WireRow[] {
  if (typeof body !== 'string') throw new ShapeError('table: not a text');
  const [head = '', ...lines] = body.trim().split(/\r?\n/);
  const columns = head.split(',');
  if (!columns.includes(wanted)) throw new ShapeError(`table: no column ${wanted}`);
  if (lines.length === 0) throw new ShapeError('table: no rows');
  return lines.map((line) => {
    const cells = line.split(',');
    return Object.fromEntries(columns.map((name, at) => [name, cells[at] ?? '']));
  });
}
