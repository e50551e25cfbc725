/** The sources of the Bitcoin chain by day: mempool.space, blockchain.com, Coin Metrics. */
import { source } from '../defi/source.ts';
import { dayLength } from '../path.ts';
import { type Ask, Refused, type SimulatedVenue } from '../venue.ts';
import { type ChainDay, chainDays, genesis, nearestBlock } from './bitcoin.ts';
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
