/** blockchain.com charts: whole histories since 2009 in one call. https://www.blockchain.com/explorer/api/charts_api */
import { type DayClose, type DayValue, dateOf, dayAt } from '../../indicators/market/days.ts';
import { bulk, field, required, time, type WireRow } from '../read.ts';
import {
  type Apis,
  defineSource,
  type Poll,
  type Reading,
  type RequestOf,
  readRows,
} from '../sources/define.ts';
import type { Faults } from '../upstream/faults.ts';

/** A chart of which the status is not `ok` holds no values. */
const faults: Faults = { name: 'blockchain.com', at: 'status', ok: ['ok'], means: 'refused' };

/** One row a day; without `sampled=false` the points are thinned out to about 1,500. */
const chart = <Row extends object>(
  name: string,
  read: (day: number, y: number) => Reading<Row>,
): Poll<Row, Request> => ({
  requests: ({ from }) => [
    {
      api: 'rest',
      path: `/charts/${name}`,
      query: {
        timespan: 'all',
        format: 'json',
        sampled: 'false',
        ...(from !== undefined && { start: dateOf(from) }),
      },
    },
  ],
  parse: ([body]) =>
    readRows(
      bulk(field(body, 'values'), 'values'),
      ({ x }: WireRow) => String(x),
      (row) => {
        const day = dayAt(time(row.x, 1000) ?? 0);
        return day > 0 ? read(day, required(row.y)) : null;
      },
    ),
});

/** The first day with a price; the chart says 0 before it. */
const firstPrice = 1_281_916_800_000;

/** US dollars. */
const bitcoinDays = chart<DayClose>('market-price', (day, close) => {
  if (close === 0 && day < firstPrice) return 'left_out';
  return close > 0 ? { day, close } : null;
});

/** Coins that exist, BTC. */
const supply = chart<DayValue>('total-bitcoins', (day, value) =>
  value > 0 && value <= 21_000_000 ? { day, value } : null,
);

const apis = {
  rest: {
    hosts: ['https://api.blockchain.info'],
    budgets: { default: { weight: 1, per: 10_000 } },
    faults,
  },
} as const satisfies Apis;

type Request = RequestOf<typeof apis>;

export const blockchainInfo = defineSource({
  id: 'blockchain-info',
  name: 'blockchain.com',
  apis,
  polls: { bitcoinDays, supply },
});
