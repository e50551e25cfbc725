/** Funding as it was settled, by exchange. */
import { percent } from '../format.ts';
import type { Part } from '../part.ts';
import type { Line } from '../plot.ts';
import { plotPart } from '../plot-part.ts';

/** Those of which the settlements are known, and which have the largest open interest. */
const exchanges = ['binance', 'bybit', 'okx', 'bitget', 'gate', 'htx', 'hyperliquid', 'kraken'];
/** Hours of the past. */
const hours = 14 * 24;

interface Rows {
  rows: readonly (readonly [at: number, exchange: string, symbol: string, rate: number | null])[];
}

const form = (rate: number) => percent(rate * 100, 4);
const linesOf = (ids: readonly string[]): Line[] =>
  ids.map((name, at) => ({ name, colour: at / (exchanges.length - 1), form, as: 'points' }));

const idsIn = ({ rows }: Rows): string[] =>
  exchanges.filter((id) => rows.some(([, exchange]) => exchange === id));

/** The rates of two weeks, a point a settlement. */
export function historyPart(symbol: string): Part {
  const asked = `columns=funding_rate&symbols=${encodeURIComponent(symbol)}&exchanges=${exchanges.join()}`;
  return plotPart<Rows>({
    title: `History of ${symbol}`,
    about: 'As settled, percent of an interval of the contract, two weeks',
    name: `${symbol}-funding-history`,
    path: `/v1/rows?${asked}&kind=perpetual&interval=1h&limit=${hours * exchanges.length}`,
    label: `Settled funding of ${symbol} by exchange`,
    lines: linesOf(exchanges),
    linesOf: (data) => linesOf(idsIn(data)),
    data(data) {
      const times = [...new Set(data.rows.map(([at]) => at))].sort((a, b) => a - b);
      const rates = new Map(data.rows.map(([at, id, , rate]) => [`${at} ${id}`, rate]));
      const lines = idsIn(data).map((id) => times.map((at) => rates.get(`${at} ${id}`) ?? null));
      return { x: times, lines };
    },
    none: `No settlement of ${symbol} is recorded on these exchanges.`,
    isWide: true,
  });
}
