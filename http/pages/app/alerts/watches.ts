/** What an alert can watch by a choice: where its value stands, in which unit the form has it, and its past. */
import { credentials } from '../access.ts';
import { call } from '../api.ts';
import { exchangeName } from '../exchange-names.ts';
import { at, type Path, type Sending, to } from '../request.ts';
import { rollingSums } from './firings.ts';

/** Hours of the past that are looked at, and that they are of. */
const past = { interval: '1h', limit: 168 } as const;

export interface Watch {
  id: string;
  shown: string;
  /** Of the value in the form. */
  unit: string;
  /** A value of the API is the one of the form times this; 1 when absent. */
  scale?: number;
  path(symbol: string): Path<unknown>;
  pointer: string;
  /** Each event counts, and not a state. */
  isEvent?: true;
  /** Values of the last seven days by hour, in units of the API; absent where none are recorded. */
  past?(symbol: string): Promise<readonly (number | null)[]>;
  /** What the values of the past are of. */
  pastOf?: string;
}

/** The data of an answer. */
const read = async <D>(asked: Path<D> | Sending<D>): Promise<D> =>
  (await call(asked, { headers: credentials() })).data;

/** Where closes of the past are taken from. */
const exchange = 'binance';

/** The mean price of the exchanges. */
export const priceWatch: Watch = {
  id: 'price',
  shown: 'Price',
  unit: 'USD',
  path: (symbol) => at('/v1/prices', { symbol }),
  pointer: '/average_price',
  pastOf: `hourly closes of its perpetual on ${exchangeName(exchange)}`,
  async past(symbol) {
    const of = { columns: 'close', symbols: symbol, exchanges: exchange, ...past };
    const { columns, rows } = await read(at('/v1/rows', of));
    const place = columns.indexOf('close');
    return rows.map((row) => Number(row[place] ?? Number.NaN));
  },
};

export const watches: readonly Watch[] = [
  priceWatch,
  {
    id: 'funding',
    shown: 'Funding rate per 8 h, mean',
    unit: '%',
    scale: 0.01,
    path: (symbol) => at('/v1/funding-rates', { symbol }),
    pointer: '/average_rate_8h',
    pastOf: 'hourly rates as they were stated',
    async past(symbol) {
      const { points } = await read(at('/v1/funding-rates/predicted-history', { symbol, ...past }));
      return points.map((one) => one.average_rate_8h);
    },
  },
  {
    id: 'interest',
    shown: 'Open interest of all exchanges',
    unit: 'USD',
    path: (symbol) => at('/v1/open-interest', { symbol }),
    pointer: '/total_oi_usd',
    pastOf: 'hourly sums',
    async past(symbol) {
      const { points } = await read(
        at('/v1/open-interest/aggregated-history', { symbol, ...past }),
      );
      return points.map((one) => one.open_interest_usd);
    },
  },
  {
    id: 'liquidated',
    shown: 'Liquidations of 24 h',
    unit: 'USD',
    path: (symbol) => at('/v1/liquidations/coin-list', { symbol }),
    pointer: '/items/0/liquidation_usd_24h',
    pastOf: 'sums of 24 hours, each hour',
    async past(symbol) {
      const of = { symbol, interval: past.interval, limit: past.limit + 23 };
      const { points } = await read(at('/v1/liquidations/aggregated-history', of));
      return rollingSums(
        points.map((one) => one.total_usd),
        24,
      );
    },
  },
  {
    id: 'liquidation',
    shown: 'One liquidation',
    unit: 'USD',
    path: (symbol) => at('/v1/liquidations/orders', { symbol }),
    pointer: '/value_usd',
    isEvent: true,
  },
  {
    id: 'spread',
    shown: 'Spread on any exchange',
    unit: '%',
    path: (symbol) => at('/v1/liquidity', { symbol }),
    pointer: '/items/*/spread_percent',
    pastOf: `its perpetual on ${exchangeName(exchange)} alone, each hour`,
    async past(symbol) {
      const of = { symbol, exchange, kind: 'perpetual' as const, ...past };
      const { points } = await read(at('/v1/liquidity/history', of));
      return points.map((one) => one.spread_percent);
    },
  },
  {
    id: 'rate',
    shown: 'Reference rate',
    unit: 'USD',
    path: (symbol) => at('/v1/reference-rate', { symbol }),
    pointer: '/rate',
    pastOf: 'hourly fixings',
    async past(symbol) {
      const { items } = await read(at('/v1/reference-rate/fixings', { symbol, limit: past.limit }));
      return items.map(({ rate }) => rate);
    },
  },
  {
    id: 'rsi',
    shown: 'RSI of 14 hours',
    unit: '',
    path: (symbol) => at('/v1/indicators', { symbol, interval: '1h' }),
    pointer: '/rsi',
    pastOf: 'closed hours',
    async past(symbol) {
      const body = { symbol, interval: '1h', limit: past.limit, series: true, indicators: ['rsi'] };
      const found = await read(to('POST /v1/indicators/compute', {}, body));
      return ('indicators' in found && found.indicators.rsi?.series?.value) || [];
    },
  },
];

/** The first number that a JSON Pointer leads to, `*` for any member; null where there is none. */
export function numberAt(data: unknown, pointer: string): number | null {
  const [, ...steps] = pointer.split('/');
  let found: unknown[] = [data];
  for (const step of steps) {
    const name = step.replaceAll('~1', '/').replaceAll('~0', '~');
    const members = found.map((one) => Object(one));
    found = members.flatMap((one) => (step === '*' ? Object.values(one) : [one[name]]));
  }
  return found.find((one) => typeof one === 'number') ?? null;
}

/** The value of a watch now, in units of the form; null where there is none. Rejects with a Refusal. */
export async function valueNow({ path, pointer, scale = 1 }: Watch, symbol: string) {
  const found = numberAt(await read(path(symbol)), pointer);
  return found === null ? null : found / scale;
}
