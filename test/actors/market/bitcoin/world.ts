/** Upstreams of our own making, as clients of the source: what each says of each day, in its documented format. */
import { failed, type Result, success } from '../../../../actors/failure.ts';
import { assetIds, assets } from '../../../../actors/providers/assets.ts';
import type { HttpClient } from '../../../../actors/upstream/client.ts';
import type { UpstreamAnswer, UpstreamRequest } from '../../../../actors/upstream/request.ts';
import {
  dateOf,
  dayAt,
  dayLength,
  dayOf,
  daysBetween,
} from '../../../../indicators/market/days.ts';
import { supplyAfter } from '../../../../indicators/market/issuance.ts';

type Client = Pick<HttpClient, 'send' | 'state'>;
/** What an upstream says instead of a close. */
type Lie = (close: number, day: number) => number;

const begin = dayOf('2010-08-16');
const at = (day: number) => daysBetween(begin, day);

/** From 7 cents up to 100,000 USD within fifteen years, with waves. */
export const usualClose = (day: number): number =>
  0.07 * Math.exp(0.00245 * at(day)) * (1 + 0.03 * Math.sin(at(day)));
/** Height at the end of a day. */
export const heightOf = (day: number): number => 74_500 + 152 * (at(day) + 1) + (at(day) % 5);
/** A value of an asset; Saturdays and Sundays have none. */
export const assetValue = (id: string, day: number): number =>
  (id === 'us10y' ? 4 : 1_000) * (1 + 0.02 * Math.sin(at(day) * (1 + assetNumber(id) / 7)));
const assetNumber = (id: string): number => Object.keys(assets).indexOf(id);
const isWeekend = (day: number) => [2, 3].includes((day / dayLength) % 7);

/** Sources differ a little, so that it can be seen whose close was taken. */
export const shades: Readonly<Record<string, number>> = {
  binance: 1,
  bitstamp: 1.001,
  bitfinex: 1.002,
  'blockchain-info': 0.999,
  coingecko: 0.998,
};

const daysIn = (from: number, to: number): number[] => {
  const count = Math.max(0, daysBetween(from, to) + 1);
  return Array.from({ length: count }, (_, index) => from + index * dayLength);
};

export class World {
  now: number;
  close: (day: number) => number = usualClose;
  everythingDown = false;
  /** Without the differences between sources. */
  plain = false;
  readonly down = new Set<string>();
  /** By upstream; `supply` is blockchain.com's other chart. */
  readonly lies = new Map<string, Lie>();
  /** Days that no source has. */
  readonly holes = new Set<number>();
  /** Upstream and path of every request. */
  asked: string[] = [];

  constructor(now: number) {
    this.now = now;
  }

  readonly client = (id: string): Client => ({
    send: async (request) => this.#answer(id, request),
    state: () => ({ breaker: 'closed', pausedUntil: null, host: id }),
  });

  /** How often an upstream was asked, all of them when absent. */
  count(id = ''): number {
    return this.asked.filter((one) => one.startsWith(id)).length;
  }

  #answer(id: string, request: UpstreamRequest): Result<UpstreamAnswer> {
    this.asked.push(`${id} ${request.path}`);
    if (this.everythingDown || this.down.has(id)) return failed('network', `${id}: down`);
    const body = this.#body(id, request);
    return success({ body, asked: this.now, received: this.now });
  }

  #body(id: string, { path, query = {} }: UpstreamRequest): unknown {
    if (id === 'binance') return this.#binance(query);
    if (id === 'bitstamp') return this.#bitstamp(query);
    if (id === 'bitfinex') return this.#bitfinex(query);
    if (id === 'blockchain-info') return this.#chart(path, String(query.start));
    if (id === 'coingecko') return this.#coingecko();
    if (id === 'mempool') return this.#block(Number(path.split('/').at(-1)) * 1000);
    if (id === 'fred') return this.#fred(String(query.id), String(query.cosd));
    if (id === 'yahoo') return this.#yahoo(decodeURIComponent(path.split('/').at(-1) ?? ''));
    if (id === 'frankfurter') return { rates: this.#rates(path) };
    throw new Error(`no upstream ${id}`);
  }

  /** The last day that is over. */
  get #last(): number {
    return dayAt(this.now) - dayLength;
  }

  #said(id: string, value: number, day: number): number {
    return this.lies.get(id)?.(value, day) ?? value;
  }

  /** What a source says of the days that it has. */
  #days(id: string, from: number, to: number): { day: number; close: number }[] {
    const shade = this.plain ? 1 : (shades[id] ?? 1);
    return daysIn(from, Math.min(to, this.#last))
      .filter((day) => !this.holes.has(day))
      .map((day) => ({ day, close: this.#said(id, this.close(day) * shade, day) }));
  }

  #binance({ symbol, limit, endTime }: NonNullable<UpstreamRequest['query']>): unknown {
    const gold = symbol === 'PAXGUSDT';
    const [last, since] = [dayAt(Number(endTime)), dayOf(gold ? '2020-08-28' : '2017-08-17')];
    const from = Math.max(since, last - (Number(limit) - 1) * dayLength);
    const days = gold
      ? daysIn(from, last).map((day) => ({ day, close: assetValue('gold', day) }))
      : this.#days('binance', from, last);
    return days.map(({ day, close }) => [
      ...[day, close, close, close, close].map((value, index) => (index ? `${value}` : value)),
      '1',
      day + dayLength - 1,
      `${Math.abs(close)}`,
      1,
      '0',
      '0',
      '0',
    ]);
  }

  #bitstamp({ start, end }: NonNullable<UpstreamRequest['query']>): unknown {
    const from = Math.max(dayOf('2011-08-18'), Number(start) * 1000);
    const ohlc = this.#days('bitstamp', from, Number(end) * 1000).map(({ day, close }) => ({
      timestamp: `${day / 1000}`,
      open: `${close}`,
      high: `${close}`,
      low: `${close}`,
      close: `${close}`,
      volume: '1',
    }));
    return { data: { pair: 'BTC/USD', ohlc } };
  }

  #bitfinex({ limit, end }: NonNullable<UpstreamRequest['query']>): unknown {
    const last = dayAt(Number(end));
    const from = Math.max(dayOf('2013-03-31'), last - (Number(limit) - 1) * dayLength);
    const days = this.#days('bitfinex', from, last).reverse();
    return days.map(({ day, close }) => [day, close, close, close, close, 1]);
  }

  #chart(path: string, start: string): unknown {
    const from = dayOf(start) - dayLength;
    const values = path.endsWith('market-price')
      ? this.#days('blockchain-info', from, this.#last).map(({ day, close: y }) => ({ day, y }))
      : // Some coins were never claimed.
        daysIn(from, this.#last).map((day) => ({
          day,
          y: this.#said('supply', supplyAfter(heightOf(day)) - 120, day),
        }));
    return {
      status: 'ok',
      values: values.map(({ day, y }) => ({ x: (day + dayLength) / 1000, y })),
    };
  }

  #coingecko(): unknown {
    const days = this.#days('coingecko', this.#last - 364 * dayLength, this.#last);
    return { prices: days.map(({ day, close }) => [day + dayLength, close]) };
  }

  #block(time: number): unknown {
    const day = time - dayLength;
    const height = this.#said('mempool', heightOf(day), day);
    return { height, hash: '', timestamp: new Date(time - 60_000).toISOString() };
  }

  #fred(series: string, from: string): unknown {
    const id = assetIds.find((asset) => assets[asset].fred === series);
    // Of two frequencies.
    if (id === undefined) return 'PK\u0003\u0004';
    const rows = daysIn(dayOf(from), this.#last).map((day) => {
      const value = isWeekend(day) ? '' : this.#said('fred', assetValue(id, day), day);
      return `${dateOf(day)},${value}`;
    });
    // The newest first: no order is promised.
    return [`observation_date,${series}`, ...rows.reverse()].join('\n');
  }

  /** Fixings for a dollar by date; `path` is `/v1/<from>..<to>`. */
  #rates(path: string): Readonly<Record<string, unknown>> {
    const [from = '', to = ''] = (path.split('/').at(-1) ?? '').split('..');
    const days = daysIn(dayOf(from), dayOf(to)).filter((day) => !isWeekend(day));
    return Object.fromEntries(
      days.map((day) => {
        const rest = { JPY: 150, GBP: 0.75, CAD: 1.38, SEK: 9.5, CHF: 0.8 };
        return [dateOf(day), { EUR: assetValue('dxy', day) / 1_100, ...rest }];
      }),
    );
  }

  #yahoo(symbol: string): unknown {
    const id = assetIds.find((asset) => assets[asset].yahoo === symbol) ?? '';
    const days = daysIn(this.#last - 730 * dayLength, this.#last).filter((day) => !isWeekend(day));
    const close = days.map((day) => assetValue(id, day));
    const timestamp = days.map((day) => day / 1000 + 52_200);
    const meta = { exchangeTimezoneName: 'UTC' };
    return {
      chart: { result: [{ meta, timestamp, indicators: { quote: [{ close }] } }], error: null },
    };
  }
}
