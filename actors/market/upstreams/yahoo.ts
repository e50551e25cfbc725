/** Yahoo's charts: refuses many data centres with 429 and wants a browser's User-Agent, so it is asked second. */
import { type Failure, ShapeError } from '../../failure.ts';
import { isRecord, optional, required, text } from '../../read.ts';
import { bulk, field, list } from '../../venues/rows.ts';
import type { Parsed } from '../../venues/venue.ts';
import { type AssetDay, type AssetId, assetIds, assets, isAsset } from '../assets.ts';
import { dayAt } from '../days.ts';
import {
  defineUpstream,
  type Figure,
  type FigurePlan,
  joined,
  perMinute,
  record,
} from '../upstream.ts';

/** `{ chart: { error: { code, description } } }`. */
function fault(status: number, body: unknown): Failure | null {
  const chart = isRecord(body) && isRecord(body.chart) ? body.chart : {};
  if (!isRecord(chart.error)) return null;
  const code = text(chart.error.code) === 'Not Found' ? 'unknown_instrument' : 'refused';
  return { code, message: `Yahoo error ${text(chart.error.code)}`, status };
}

/** The assets of the plan, all when it names none. */
const asked = ({ items }: FigurePlan): readonly AssetId[] => items?.filter(isAsset) ?? assetIds;

/** One call an asset. `timestamp` is the session's opening; the session's day is that of the exchange. */
const closes: Figure<AssetDay> = {
  requests: (plan) =>
    asked(plan).map((asset) => ({
      api: 'rest',
      path: `/v8/finance/chart/${encodeURIComponent(assets[asset].yahoo)}`,
      query: { range: '2y', interval: '1d' },
      market: asset,
    })),
  parse: (bodies, { plan, received }) =>
    joined(
      asked(plan).map((asset, at) =>
        bodies[at] === undefined ? { rows: [], dropped: [] } : session(bodies[at], asset, received),
      ),
    ),
};

/** The sessions of days that are over; one without a close was a holiday. */
function session(body: unknown, asset: AssetId, received: number): Parsed<AssetDay> {
  const result = record(bulk(field(field(body, 'chart'), 'result'), 'result')[0], 'result');
  const times = list(result.timestamp, 'timestamp');
  const quote = bulk(field(result.indicators, 'quote'), 'quote')[0];
  const values = list(field(quote, 'close'), 'close');
  if (values.length !== times.length) throw new ShapeError('close: not one for each timestamp');
  const offset = optional(field(result.meta, 'gmtoffset')) ?? 0;
  const parsed: Parsed<AssetDay> = { rows: [], dropped: [] };
  for (const [at, time] of times.entries()) {
    if (values[at] === null) continue;
    const [day, value] = [dayAt((required(time) + offset) * 1000), required(values[at])];
    if (day >= dayAt(received)) continue;
    if (day > 0 && Number.isFinite(value)) parsed.rows.push({ asset, day, value });
    else parsed.dropped.push({ key: `${asset} ${time}`, code: 'bad_row' });
  }
  return parsed;
}

export const yahoo = defineUpstream({
  id: 'yahoo',
  name: 'Yahoo Finance',
  apis: {
    rest: {
      hosts: ['https://query1.finance.yahoo.com', 'https://query2.finance.yahoo.com'],
      budgets: perMinute(10),
      headers: { 'user-agent': 'Mozilla/5.0 (compatible; tidemark)' },
      fault,
    },
  },
  figures: { closes },
});
