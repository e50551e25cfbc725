/** Yahoo's charts: refuses many data centres with 429 and wants a browser's User-Agent, so it is asked second. */
import { dayOf } from '../../indicators/market/days.ts';
import { ShapeError } from '../failure.ts';
import { bulk, field, isRecord, list, required, text, time } from '../read.ts';
import {
  type Apis,
  defineSource,
  joined,
  type Parsed,
  type Poll,
  type PollPlan,
  perMinute,
  type RequestOf,
  record,
} from '../sources/define.ts';
import type { Faults } from '../upstream/faults.ts';
import { type AssetDay, type AssetId, assetIds, assets, isAsset } from './assets.ts';

/** `{ chart: { error: { code, description } } }`. */
const faults: Faults = {
  name: 'Yahoo',
  at: 'chart.error.code',
  when: ({ chart }) => isRecord(chart) && isRecord(chart.error),
  codes: { 'Not Found': 'unknown_instrument' },
  means: 'refused',
};

/** The assets of the plan, all when it names none, that have a symbol. */
const asked = ({ items }: PollPlan): readonly { asset: AssetId; symbol: string }[] =>
  (items?.filter(isAsset) ?? assetIds).flatMap((asset) => {
    const symbol = assets[asset].yahoo;
    return symbol === null ? [] : [{ asset, symbol }];
  });

/** One call an asset. `timestamp` is the session's opening; the session's day is that of the exchange. */
const closes: Poll<AssetDay, Request> = {
  requests: (plan) =>
    asked(plan).map(({ asset, symbol }) => ({
      api: 'rest',
      path: `/v8/finance/chart/${encodeURIComponent(symbol)}`,
      query: { range: '2y', interval: '1d' },
      market: asset,
    })),
  parse: (bodies, { plan, received }) =>
    joined(
      asked(plan).map(({ asset }, at) =>
        bodies[at] === undefined ? { rows: [], dropped: [] } : session(bodies[at], asset, received),
      ),
    ),
};

/**
 * The day, Unix ms of its midnight UTC, that a time has in a zone of the IANA database; NaN for NaN. The zone and not an offset
 * decides: `gmtoffset` is that of today, and in half of the year another one applies. Throws ShapeError for an unknown zone.
 */
function daysIn(zone: unknown): (time: number) => number {
  try {
    const form = new Intl.DateTimeFormat('en-CA', { timeZone: text(zone), dateStyle: 'short' });
    return (time) => (Number.isNaN(time) ? Number.NaN : dayOf(form.format(time)));
  } catch {
    throw new ShapeError('exchangeTimezoneName: no time zone');
  }
}

/**
 * The sessions of days that are over where the exchange is; one without a close was a holiday. The last row is of the time of the answer:
 * futures trade on in the evening, for the session of the next day.
 */
function session(body: unknown, asset: AssetId, received: number): Parsed<AssetDay> {
  const result = record(bulk(field(field(body, 'chart'), 'result'), 'result')[0], 'result');
  const times = list(result.timestamp, 'timestamp');
  const quote = bulk(field(result.indicators, 'quote'), 'quote')[0];
  const values = list(field(quote, 'close'), 'close');
  if (values.length !== times.length) throw new ShapeError('close: not one for each timestamp');
  const sessionDay = daysIn(field(result.meta, 'exchangeTimezoneName'));
  const today = sessionDay(received);
  const parsed: Parsed<AssetDay> = { rows: [], dropped: [] };
  for (const [at, opened] of times.entries()) {
    if (values[at] === null) continue;
    const [day, value] = [
      sessionDay(time(opened, 1000, received) ?? Number.NaN),
      required(values[at]),
    ];
    if (day >= today) continue;
    if (day > 0 && Number.isFinite(value)) parsed.rows.push({ asset, day, value });
    else parsed.dropped.push({ key: `${asset} ${opened}`, code: 'bad_row' });
  }
  return parsed;
}

const apis = {
  rest: {
    hosts: ['https://query1.finance.yahoo.com', 'https://query2.finance.yahoo.com'],
    budgets: perMinute(10),
    headers: { 'user-agent': 'Mozilla/5.0 (compatible; tidemark)' },
    faults,
  },
} as const satisfies Apis;

type Request = RequestOf<typeof apis>;

export const yahoo = defineSource({
  id: 'yahoo',
  name: 'Yahoo Finance',
  apis,
  polls: { closes },
});
