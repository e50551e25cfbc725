/** The streams of Aster, in Binance's form. https://github.com/asterdex/api-docs */
import { futuresBookWeight } from '../binance/form.ts';
import { depthStream, liquidationsAt, marksAt, pricesAt } from '../binance/stream-form.ts';
import { get, type PartName } from './api.ts';

const addresses = {
  spot: 'wss://sstream.asterdex.com/ws',
  linear: 'wss://fstream.asterdex.com/ws',
} as const;

export const live = {
  prices: { spot: pricesAt(addresses.spot), linear: pricesAt(addresses.linear) },
  derivatives: { linear: marksAt(addresses.linear) },
};

export const liquidations = { linear: liquidationsAt(addresses.linear) };

const book = (part: PartName, pace: number) =>
  depthStream({ url: addresses[part], rule: 'chained', pace }, (symbol, limit) =>
    get(part, '/depth', futuresBookWeight(limit), { symbol, limit }),
  );

export const books = { spot: book('spot', 250), linear: book('linear', 150) };
