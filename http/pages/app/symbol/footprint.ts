/** What takers bought and sold at each price of a candle. */
import { intervals as lengths } from '../../../../indicators/market/intervals.ts';
import { heatPart } from '../charts.ts';
import { exchangeName, exchangeNames } from '../exchange-names.ts';
import { compact, fixed, moment, price, trimDecimals } from '../format.ts';
import type { HeatData } from '../heat-drawing.ts';
import type { Part } from '../part.ts';
import { at, type Footprint, type FootprintBarLevel } from '../request.ts';
import { type Interval, type Market, ofKind } from './candles.ts';

/** Of the intervals of the chart those that footprints have, and their neighbours. */
const own: readonly Interval[] = ['5m', '15m', '30m', '1h', '4h'];
const intervalOf = (of: Interval): string =>
  own.findLast((one) => lengths[one] <= lengths[of]) ?? '5m';
const bars = 16;

const methods = {
  trades: 'made of the trades themselves',
  klines_1m: 'made of candles of one minute, whose volume is spread from low to high',
} as const;

/** Rows at most: with more there is no room for their numbers. */
const mostRows = 36;

/** Width of the rows that are drawn: of one level, or of several where all together are too many. */
function widthOf({ step, bars: all }: Footprint): number {
  const prices = all.flatMap(({ levels }) => levels.map((one) => one.price));
  const count = (Math.max(...prices) - Math.min(...prices)) / step + 1;
  const together = [1, 2, 4, 5, 10, 20, 50].find((levels) => count / levels <= mostRows) ?? 100;
  return step * together;
}

/** What was sold and bought in a row. */
type Sums = Pick<FootprintBarLevel, 'buy_base' | 'sell_base'>;

/** Columns are bars, rows the levels of all of them. */
function heatOf(found: Footprint): { data: HeatData; sums: Map<string, Sums> } {
  const all = found.bars;
  const step = widthOf(found);
  const steps = (at: number) => Math.floor(at / step + 1e-9);
  const prices = all.flatMap(({ levels }) => levels.map((one) => steps(one.price)));
  const [least, most] = [Math.min(...prices), Math.max(...prices)];
  const rowOf = (at: number) => steps(at) - least;
  const sums = new Map<string, Sums>();
  const cells = all.flatMap((bar, column) =>
    [...Map.groupBy(bar.levels, (one) => rowOf(one.price))].map(([row, levels]) => {
      const sum = (field: keyof Sums) => levels.reduce((total, one) => total + one[field], 0);
      const both = { buy_base: sum('buy_base'), sell_base: sum('sell_base') };
      sums.set(`${column} ${row}`, both);
      return [column, row, both.buy_base - both.sell_base] as const;
    }),
  );
  const pocs = all.flatMap(({ poc_price: at }, column) =>
    at === null ? [] : [[column, rowOf(at)] as const],
  );
  return {
    sums,
    data: {
      columns: all.map(({ timestamp }) => moment(timestamp)),
      rows: Array.from({ length: most - least + 1 }, (_, row) => price((least + row) * step)),
      cells,
      line: all.map(({ close }) => close / step - least),
      framed: new Map(pocs),
    },
  };
}

/** An amount in a cell, which has little room. */
function short(amount: number): string {
  const [size, letter] = amount >= 1e6 ? [1e6, 'M'] : amount >= 1e3 ? [1e3, 'K'] : [1, ''];
  const part = amount / size;
  return `${fixed(part, part < 10 ? 1 : 0)}${letter}`;
}

/** Asks for the footprint of a market again and again. */
export function footprintPart({ symbol, exchange, kind, interval }: Market): Part {
  let sums = new Map<string, Sums>();
  const text = (column: number, row: number, form: (amount: number) => string) => {
    const { sell_base: sold = 0, buy_base: bought = 0 } = sums.get(`${column} ${row}`) ?? {};
    return `${form(sold)} × ${form(bought)}`;
  };
  return heatPart({
    title: 'Footprint',
    name: `${symbol}-footprint`,
    about: (data) =>
      `${exchangeName(exchange)}, ${intervalOf(interval)}, sold × bought by takers in ${symbol}, rows of ${trimDecimals([price(widthOf(data))])[0]}, ${methods[data.method]}; framed: where the level with the largest volume is; the line is the close`,
    label: `Sold and bought by takers of ${symbol} on ${exchangeName(exchange)} by price, ${intervalOf(interval)}`,
    path: at(`/v1/${ofKind[kind]}/footprint`, {
      symbol,
      exchange,
      interval: intervalOf(interval),
      limit: bars,
    }),
    every: 20_000,
    isWide: true,
    isTall: true,
    palette: 'signed',
    words: (delta, column, row) =>
      `sold × bought ${text(column, row, compact)} ${symbol}, difference ${compact(delta)}`,
    text: (_, column, row) => text(column, row, short),
    data(found) {
      const made = heatOf(found);
      sums = made.sums;
      return made.data;
    },
    rows: ({ bars: found }) => [
      ['time', 'price', 'sell_base', 'buy_base', 'delta_base'],
      ...found.flatMap(({ timestamp, levels: all }) =>
        all.map((one) => [timestamp, one.price, one.sell_base, one.buy_base, one.delta_base]),
      ),
    ],
    none: 'Nothing was traded.',
    refusal: (message) => without(exchange, message),
  });
}

/** Why there is no footprint, for people. */
function without(exchange: string, message: string): string | undefined {
  const those = /^exchange must be one of (.*)$/.exec(message)?.[1];
  return those === undefined
    ? undefined
    : `Of ${exchangeName(exchange)} neither single trades nor what takers bought are known. Footprints are made of ${exchangeNames(those.split(', '))}.`;
}
