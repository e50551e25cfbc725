/**
 * Coin Metrics' community data: metrics of Bitcoin's and Ethereum's networks by day, about two days late. Its licence, CC BY-NC 4.0,
 * asks for its name and forbids commercial use. https://docs.coinmetrics.io/api/v4
 */
import { dateOf, dayOf } from '../../indicators/market/days.ts';
import type { NetworkDay } from '../../indicators/market/network-metrics.ts';
import { bulk, field, optional, positive, required, text, type WireRow } from '../read.ts';
import {
  type Apis,
  defineSource,
  type Parsed,
  type Poll,
  type PollPlan,
  type RequestOf,
} from '../sources/define.ts';

/** The names of the metrics; those of exchanges are asked apart, since one that is not given refuses the whole question. */
const metrics = {
  network: ['PriceUSD', 'CapMrktCurUSD', 'SplyCur', 'CapMVRVCur', 'AdrActCnt'],
  exchanges: ['FlowInExUSD', 'FlowOutExUSD', 'SplyExNtv'],
} as const;

/** Rows of one answer: more than there are days. */
const page = 10_000;

const request = (names: readonly string[], { items: [asset = ''] = [], from }: PollPlan) => ({
  api: 'rest' as const,
  path: '/v4/timeseries/asset-metrics',
  query: {
    assets: asset.toLowerCase(),
    metrics: names.join(),
    frequency: '1d',
    page_size: page,
    ...(from !== undefined && { start_time: dateOf(from) }),
  },
});

/** The rows of a body by their day; NaN stands for a day that cannot be read. */
const byDay = (body: unknown): Map<number, WireRow> =>
  new Map(
    body === undefined
      ? []
      : bulk(field(body, 'data'), 'data').map((value): [number, WireRow] => {
          const row: WireRow = Object(value);
          return [dayOf(text(row.time).slice(0, 10)), row];
        }),
  );

/** A value that may be zero, null where it is none. */
const amount = (value: unknown): number | null => {
  const number = required(value);
  return number >= 0 ? optional(number) : null;
};

/** The days of one asset, `items` of the plan, ascending. Every number is a text. */
const days: Poll<NetworkDay, Request> = {
  requests: (plan) => [
    request(metrics.network, plan),
    { ...request(metrics.exchanges, plan), optional: true },
  ],
  parse([network, exchanges]) {
    const parsed: Parsed<NetworkDay> = { rows: [], dropped: [] };
    const flows = byDay(exchanges);
    for (const [day, row] of byDay(network)) {
      const flow = flows.get(day) ?? {};
      const found = {
        day,
        price: optional(positive(row.PriceUSD)),
        marketCap: optional(positive(row.CapMrktCurUSD)),
        supply: optional(positive(row.SplyCur)),
        mvrv: optional(positive(row.CapMVRVCur)),
        activeAddresses: amount(row.AdrActCnt),
        inflow: amount(flow.FlowInExUSD),
        outflow: amount(flow.FlowOutExUSD),
        onExchanges: amount(flow.SplyExNtv),
      };
      if (day > 0) parsed.rows.push(found);
      else parsed.dropped.push({ key: text(row.time), code: 'bad_row' });
    }
    parsed.rows.sort((a, b) => a.day - b.day);
    return parsed;
  },
};

const apis = {
  rest: {
    hosts: ['https://community-api.coinmetrics.io'],
    budgets: { default: { weight: 10, per: 6_000 } },
  },
} as const satisfies Apis;

type Request = RequestOf<typeof apis>;

export const coinmetrics = defineSource({
  id: 'coinmetrics',
  name: 'Coin Metrics',
  apis,
  polls: { days },
});
