/** FRED's graph data, a table of text without a key. https://fred.stlouisfed.org */
import { required, text } from '../../read.ts';
import type { WireRow } from '../../venues/rows.ts';
import type { Parsed } from '../../venues/venue.ts';
import { type AssetDay, assetIds, assets } from '../assets.ts';
import { tableOf } from '../csv.ts';
import { dateOf, dayOf } from '../days.ts';
import {
  defineUpstream,
  type Figure,
  joined,
  noFaults,
  perMinute,
  type Reading,
  readRows,
} from '../upstream.ts';

/** The assets that have a series, with its name. */
const series = assetIds.flatMap((asset) => {
  const { fred } = assets[asset];
  return fred === null ? [] : [[asset, fred] as const];
});

/** The first column was `DATE` once. */
const dateIn = (row: WireRow) => text(row.observation_date) || text(row.DATE);

/** One call for all; a day without a value (a holiday, a series that is late) is empty or a dot. */
const closes: Figure<AssetDay> = {
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

export const fred = defineUpstream({
  id: 'fred',
  name: 'Federal Reserve Bank of St. Louis',
  apis: {
    rest: { hosts: ['https://fred.stlouisfed.org'], budgets: perMinute(10), fault: noFaults },
  },
  figures: { closes },
});
