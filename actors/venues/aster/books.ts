/** Order books of Aster, in Binance's form. https://github.com/asterdex/api-docs */
import { depthStream } from '../binance/books.ts';
import { futuresBookWeight } from '../binance/form.ts';
import { get } from './api.ts';
import type { PartName } from './rows.ts';

const stream = (part: PartName, host: string, pace: number) =>
  depthStream({ url: `wss://${host}/ws`, rule: 'chained', pace }, (symbol, limit) =>
    get(part, '/depth', futuresBookWeight(limit), { symbol, limit }),
  );

export const books = {
  spot: stream('spot', 'sstream.asterdex.com', 250),
  linear: stream('linear', 'fstream.asterdex.com', 150),
};
