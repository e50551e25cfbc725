/**
 * Coin Metrics community data, CC BY-NC 4.0 (not for commercial use): a check of what others say, not a source to
 * serve. https://docs.coinmetrics.io/api/v4, https://github.com/coinmetrics/data
 */
import type { Failure } from '../../failure.ts';
import { isRecord, optionalNonZero, text } from '../../read.ts';
import { bulk, field, type WireRow } from '../../venues/rows.ts';
import { tableOf } from '../csv.ts';
import { dateOf, dayOf } from '../days.ts';
import { defineUpstream, type Figure, noFaults, readRows } from '../upstream.ts';

/** `{ error: { type, message } }`. */
function fault(status: number, body: unknown): Failure | null {
  if (!isRecord(body) || !isRecord(body.error)) return null;
  const code = status === 429 ? 'rate_limited' : 'refused';
  return { code, message: `Coin Metrics error ${text(body.error.type)}`, status };
}

/** The chain on one UTC day; null where there is no number, as there is no price in 2009. */
export interface NetworkDay {
  day: number;
  price_usd: number | null;
  issuance_btc: number | null;
  supply_btc: number | null;
  market_cap_usd: number | null;
}

const metrics = ['PriceUSD', 'IssTotNtv', 'SplyCur', 'CapMrktCurUSD'];

/** Reads columns by name: which there are changes between versions. */
function networkDay(row: WireRow): NetworkDay | null {
  const day = dayOf(text(row.time).slice(0, 10));
  if (!(day > 0)) return null;
  return {
    day,
    price_usd: optionalNonZero(row.PriceUSD),
    issuance_btc: optionalNonZero(row.IssTotNtv),
    supply_btc: optionalNonZero(row.SplyCur),
    market_cap_usd: optionalNonZero(row.CapMrktCurUSD),
  };
}

const timeKey = (row: WireRow) => text(row.time);

const network: Figure<NetworkDay> = {
  requests: ({ from = 0 }) => [
    {
      api: 'rest',
      path: '/v4/timeseries/asset-metrics',
      query: {
        assets: 'btc',
        metrics: metrics.join(','),
        frequency: '1d',
        start_time: dateOf(from),
        page_size: 10_000,
      },
    },
  ],
  parse: ([body]) => readRows(bulk(field(body, 'data'), 'data'), timeKey, networkDay),
};

/** The same as a table of text, whole. */
const archive: Figure<NetworkDay> = {
  requests: () => [{ api: 'archive', path: '/coinmetrics/data/master/csv/btc.csv', text: true }],
  parse: ([body]) => readRows(tableOf(body, ['time', ...metrics]), timeKey, networkDay),
};

export const coinmetrics = defineUpstream({
  id: 'coinmetrics',
  name: 'Coin Metrics',
  apis: {
    rest: {
      hosts: ['https://community-api.coinmetrics.io'],
      budgets: { default: { weight: 10, per: 6000 } },
      fault,
    },
    archive: {
      hosts: ['https://raw.githubusercontent.com'],
      budgets: { default: { weight: 5, per: 60_000 } },
      fault: noFaults,
      maxBody: 8_000_000,
    },
  },
  figures: { network, archive },
});
