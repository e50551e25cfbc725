/** blockchain.com charts: whole histories since 2009 in one call. https://www.blockchain.com/explorer/api/charts_api */
import { type DayClose, dateOf, dayAt, dayLength } from '../../indicators/market/days.ts';
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
import type { UpstreamRequest } from '../upstream/request.ts';

/** A chart of which the status is not `ok` holds no values. */
const faults: Faults = { name: 'blockchain.com', at: 'status', ok: ['ok'], means: 'refused' };

const chart = <Row extends object>(
  name: string,
  query: UpstreamRequest['query'],
  read: (at: number, y: number) => Reading<Row>,
): Poll<Row, Request> => ({
  requests: ({ from }) => [
    {
      api: 'rest',
      path: `/charts/${name}`,
      query: {
        timespan: 'all',
        format: 'json',
        ...query,
        ...(from !== undefined && { start: dateOf(from) }),
      },
    },
  ],
  parse: ([body]) =>
    readRows(
      bulk(field(body, 'values'), 'values'),
      ({ x }: WireRow) => String(x),
      (row) => {
        const at = time(row.x, 1000);
        return at === null ? null : read(at, required(row.y));
      },
    ),
});

/** The first time with a price; the chart says 0 before it. */
const firstPrice = 1_282_089_600_000;

/** US dollars at 00:00 UTC, the close of the day before. One row a day; without `sampled` it has some 1,500 at most. */
const bitcoinDays = chart<DayClose>('market-price', { sampled: 'false' }, (at, close) => {
  if (close === 0 && at < firstPrice) return 'left_out';
  return close > 0 ? { day: dayAt(at) - dayLength, close } : null;
});

/** Coins that exist at a time, Unix ms. */
export interface Supply {
  at: number;
  /** BTC. */
  value: number;
}

/** Coins that exist. Not thinned out they are a row a block, a million of them. */
const supply = chart<Supply>('total-bitcoins', {}, (at, value) =>
  value > 0 && value <= 21_000_000 ? { at, value } : null,
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
