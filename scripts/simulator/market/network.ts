/** Who tells of the Bitcoin chain by day: mempool.space, blockchain.com, Coin Metrics. */
import { source } from '../defi/source.ts';
import { dayLength } from '../path.ts';
import type { Ask, SimulatedVenue } from '../venue.ts';
import { Refused } from '../venue.ts';
import type { ChainDay } from './bitcoin.ts';
import { chainDays, genesis, nearestBlock } from './bitcoin.ts';
import { dayAt, lastDay } from './days.ts';

/** `/api/v1/mining/blocks/timestamp/<seconds>`: the block nearest to it. */
function blockAt({ path, model, now }: Ask) {
  const { height, hash, time } = nearestBlock(model, Number(path.split('/').at(-1)) * 1000, now);
  return { height, hash, timestamp: new Date(time).toISOString() };
}

/** https://mempool.space/docs/api/rest */
export const mempool = source({
  id: 'mempool',
  hosts: ['mempool.space'],
  most: 60,
  answers: [[/^\/api\/v1\/mining\/blocks\/timestamp\/\d{1,12}$/, blockAt]],
});

interface Chart {
  name: string;
  unit: string;
  value(day: ChainDay): number;
}

const cents = (value: number) => Number(value.toFixed(2));

const charts: ReadonlyMap<string, Chart> = new Map([
  ['market-price', { name: 'Market Price (USD)', unit: 'USD', value: ({ close }) => cents(close) }],
  ['total-bitcoins', { name: 'Total Circulating Bitcoin', unit: 'BTC', value: (d) => d.supply }],
  [
    'miners-revenue',
    // A fiftieth of it are fees.
    { name: 'Miners Revenue', unit: 'USD', value: (d) => cents(d.issued * d.close * 1.02) },
  ],
]);

/** The day of a date; NaN of another text. */
const dayOf = (date: string): number =>
  /^\d{4}-\d{2}-\d{2}$/.test(date) ? Date.parse(date) : Number.NaN;

const chartError = (error: string) => ({ status: 'not-found', error, values: [] });

/** Days that a chart reaches back: all, or so many `days` or `years`. */
function spanOf(timespan: string): number {
  if (timespan === 'all') return Number.POSITIVE_INFINITY;
  const [, count, unit] = /^(\d{1,5})(days|years?)$/.exec(timespan) ?? [];
  if (count === undefined) throw new Refused(400, chartError('Invalid timespan'));
  return Number(count) * (unit === 'days' ? 1 : 365);
}

/** `/charts/<name>?timespan=&start=&sampled=`: at most about 1,500 points unless `sampled` is false. */
function chart({ path, query, model, now }: Ask) {
  const found = charts.get(path.split('/')[2] ?? '');
  if (!found) throw new Refused(404, chartError('Chart not found'));
  const to = lastDay(now);
  const start = query.get('start');
  const first =
    start === null ? to - spanOf(query.get('timespan') ?? '1year') * dayLength : dayOf(start);
  if (Number.isNaN(first)) throw new Refused(400, chartError('Invalid start'));
  const days = chainDays(model, Math.max(genesis, dayAt(first)), to);
  const each = query.get('sampled') === 'false' ? 1 : Math.ceil(days.length / 1500);
  return {
    status: 'ok',
    name: found.name,
    unit: found.unit,
    period: 'day',
    description: '',
    values: days
      .filter((_, at) => at % each === 0)
      .map((day) => ({ x: day.day / 1000, y: found.value(day) })),
  };
}

/** https://www.blockchain.com/explorer/api/charts_api */
export const blockchainInfo = source({
  id: 'blockchain-info',
  hosts: ['api.blockchain.info'],
  most: 6,
  limited: { status: 'error', error: 'Rate limit exceeded' },
  answers: [[/^\/charts\/[\w-]+$/, chart]],
});

/** By name, what a metric is on a day; null where there is none. */
const metrics: Readonly<Record<string, (day: ChainDay) => string | null>> = {
  BlkCnt: ({ blocks }) => String(blocks),
  CapMrktCurUSD: ({ close, supply }) => (close > 0 ? String(close * supply) : null),
  IssTotNtv: ({ issued }) => String(issued),
  IssTotUSD: ({ issued, close }) => (close > 0 ? String(issued * close) : null),
  PriceBTC: () => '1',
  PriceUSD: ({ close }) => (close > 0 ? String(close) : null),
  SplyCur: ({ supply }) => String(supply),
};
const names = Object.keys(metrics);

const badParameter = (parameter: string) =>
  new Refused(400, {
    error: { type: 'bad_parameter', message: `Bad parameter '${parameter}'.` },
  });

/** `asset-metrics?assets=btc&metrics=&start_time=&page_size=`: ascending pages; `next_page_token` leads on. */
function assetMetrics({ query, model, now }: Ask) {
  if (query.get('assets') !== 'btc') throw badParameter('assets');
  const wanted = (query.get('metrics') ?? '').split(',');
  if (!wanted.every((name) => names.includes(name))) throw badParameter('metrics');
  const start = dayOf(query.get('start_time')?.slice(0, 10) ?? '2009-01-03');
  const size = Number(query.get('page_size') ?? 100);
  if (Number.isNaN(start)) throw badParameter('start_time');
  if (!(size >= 1 && size <= 10_000)) throw badParameter('page_size');
  const days = chainDays(model, Math.max(genesis, start), lastDay(now));
  const offset = Number(query.get('next_page_token') ?? 0);
  const page = days.slice(offset, offset + size);
  const next = offset + page.length;
  return {
    data: page.map((day) => ({
      asset: 'btc',
      time: `${new Date(day.day).toISOString().slice(0, 10)}T00:00:00.000000000Z`,
      ...Object.fromEntries(wanted.map((name) => [name, metrics[name]?.(day) ?? null])),
    })),
    ...(next < days.length && { next_page_token: String(next) }),
  };
}

/** https://docs.coinmetrics.io/api/v4 */
export const coinmetrics = source({
  id: 'coinmetrics',
  hosts: ['community-api.coinmetrics.io'],
  most: 100,
  limited: { error: { type: 'rate_limit', message: 'Too many requests.' } },
  answers: [[/^\/v4\/timeseries\/asset-metrics$/, assetMetrics]],
});

/** The whole table, with the names of the columns first. */
function archive({ model, now }: Ask): string {
  const rows = chainDays(model, genesis, lastDay(now)).map((day) =>
    [
      new Date(day.day).toISOString().slice(0, 10),
      ...names.map((name) => metrics[name]?.(day) ?? ''),
    ].join(','),
  );
  return [['time', ...names].join(','), ...rows, ''].join('\n');
}

/** A source whose answers are tables of text. */
export function tables(venue: SimulatedVenue): SimulatedVenue {
  return {
    ...venue,
    route(path) {
      const found = venue.route(path);
      return found && { ...found, type: 'text/csv' };
    },
  };
}

/** https://github.com/coinmetrics/data */
export const coinmetricsArchive = tables(
  source({
    id: 'coinmetrics-archive',
    hosts: ['raw.githubusercontent.com'],
    most: 60,
    answers: [[/^\/coinmetrics\/data\/master\/csv\/btc\.csv$/, archive]],
  }),
);
