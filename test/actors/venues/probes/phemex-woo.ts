/** Phemex to WOO X. */
import { answered, byPath, listing, replayed } from '../ccxt.ts';
import type { Loose } from '../recorded/columns.ts';
import type { Differences, Probe, ProbedVenue } from './pairs.ts';
import { differences } from './reasons.ts';

const phemexDocs = 'https://phemex-docs.github.io';
const phemexInverse: Differences = {
  base: {
    ours: '1e-8*turnoverEv',
    theirs: 'volume',
    why: `an inverse contract turns over coins, and its volume counts dollars: ${phemexDocs}`,
  },
  volume: ['contract*volume', 'volume'].map((ours) => ({
    ours,
    theirs: '1e-8*turnoverEv',
    why: `an inverse contract turns over coins, and its volume counts dollars: ${phemexDocs}`,
  })),
};
const phemexCandles: Differences = differences(phemexDocs)`
  volume 1e-8*[8] [7] the volume of an inverse contract counts dollars, its turnover coins
`;
const phemexBooks: Differences = differences(phemexDocs)`
  quantity 10000*[0]^-1*[1]*contract [1] an inverse contract is worth a dollar
`;

const withBothNames = 'each recorded row has its numbers under the names of two versions';

export const phemex: ProbedVenue = {
  skipped: {
    'prices of linear': withBothNames,
    'derivatives of linear': withBothNames,
    'openInterest of linear': withBothNames,
  },
  load: (lists) => {
    const bodies = ['spot', 'linear', 'inverse'].map((part) => lists(part)[0].data);
    const data = {
      ...bodies[0],
      products: bodies.flatMap(({ products }, i) =>
        products.filter(({ type }: Loose) => type === (i === 0 ? 'Spot' : 'Perpetual') && i !== 1),
      ),
      perpProductsV2: bodies[1].perpProductsV2,
    };
    return replayed(
      'phemex',
      byPath({
        'public/products': { code: 0, data },
        'exchange/public/products': { code: 0, data: [] },
      }),
    );
  },
  probes: ['spot', 'linear', 'inverse'].flatMap((part): Probe[] => [
    {
      topic: 'prices',
      part,
      at: 'result',
      scaled: part !== 'linear',
      ...(part === 'inverse' && { differs: phemexInverse }),
    },
    {
      topic: 'candles',
      part,
      at: 'data.rows',
      scaled: part !== 'linear',
      ...(part === 'inverse' && { differs: phemexCandles }),
    },
    {
      topic: 'books',
      part,
      scaled: part !== 'linear',
      theirs: (exchange, body, { symbol }) =>
        answered(exchange, body, () => exchange.fetchOrderBook(symbol, 20)),
      ...(part === 'inverse' && { differs: phemexBooks }),
    },
    ...(part === 'spot'
      ? []
      : [
          { topic: 'instruments' as const, part },
          { topic: 'derivatives' as const, part, at: 'result', scaled: part !== 'linear' },
          { topic: 'openInterest' as const, part, at: 'result', scaled: part !== 'linear' },
        ]),
  ]),
};

export const whitebit: ProbedVenue = {
  load: (lists) => listing('whitebit', [...lists('spot')[0]]),
  probes: [
    { topic: 'prices', part: 'spot' },
    { topic: 'prices', part: 'futures', at: 'result', id: 'ticker_id' },
    {
      topic: 'derivatives',
      part: 'futures',
      at: 'result',
      id: 'ticker_id',
      theirs: (exchange, wire, market) => {
        const { indexPrice, timestamp } = exchange.parseTicker(wire, market);
        return { ...exchange.parseFundingRate(wire, market), indexPrice, timestamp };
      },
    },
    ...['spot', 'futures'].flatMap((part): Probe[] => [
      { topic: 'candles', part, at: 'result' },
      { topic: 'books', part },
    ]),
  ],
};

export const woo: ProbedVenue = {
  load: (lists) => listing('woo', lists('perp')[0].data.rows),
  probes: [
    { topic: 'prices', part: 'perp', at: 'data.rows' },
    {
      topic: 'derivatives',
      part: 'perp',
      at: 'data.rows',
      theirs: (exchange, wire, market) => {
        const { markPrice, indexPrice } = exchange.parseTicker(wire, market);
        return { ...exchange.parseFundingRate(wire, market), markPrice, indexPrice };
      },
    },
    ...['spot', 'perp'].flatMap((part): Probe[] => [
      { topic: 'candles', part, at: 'data.rows' },
      {
        topic: 'books',
        part,
        at: 'data',
        theirs: (exchange, body) =>
          exchange.parseOrderBook(body, '', undefined, 'bids', 'asks', 'price', 'quantity'),
      },
    ]),
  ],
};
