/** Bitfinex to Bybit. */
import { answered, byPath, replayed } from '../ccxt.ts';
import type { Loose } from '../recorded/columns.ts';
import type { Differences, ProbedVenue } from './pairs.ts';
import { contracts, differences } from './reasons.ts';

const bitgetLines = ['usdt-futures', 'coin-futures', 'usdc-futures'];
const bitgetParts = ['spot', ...bitgetLines];

export const bitfinex: ProbedVenue = {
  load: (lists) => replayed('bitfinex', byPath({ 'conf/{config}': lists('all')[0].slice(0, 2) })),
  probes: [
    { topic: 'prices', part: 'all', id: '0' },
    {
      topic: 'derivatives',
      part: 'all',
      id: '0',
      differs: differences('https://docs.bitfinex.com/reference/rest-public-derivatives-status')`
        index [4] [3] column 3 is the price of the contract itself, column 4 the spot price
      `,
    },
    { topic: 'openInterest', part: 'all', id: '0' },
    { topic: 'candles', part: 'all' },
    {
      topic: 'books',
      part: 'all',
      theirs: (exchange, body, { symbol }) =>
        answered(exchange, body, () => exchange.fetchOrderBook(symbol, 25, { precision: 'P0' })),
    },
  ],
};

export const bitget: ProbedVenue = {
  load: (lists) =>
    replayed('bitget', (path, { productType }) => {
      if (path === 'v2/spot/public/symbols') return lists('spot')[0];
      if (path !== 'v2/mix/market/contracts') return { data: [] };
      const [body] = lists(String(productType).toLowerCase());
      // ccxt asks for the delivery of a dated contract.
      return { data: (body?.data ?? []).filter((row: Loose) => row.symbolType === 'perpetual') };
    }),
  probes: [
    ...bitgetParts.flatMap((part) => [
      { topic: 'prices' as const, part, at: 'data' },
      {
        topic: 'candles' as const,
        part,
        at: 'data',
        ...(part === 'coin-futures' && {
          differs: differences('https://www.bitget.com/api-doc/contract/market/Get-Candle-Data')`
            volume [5] [6] column 5 is the volume in the base coin, column 6 in the quote
          `,
        }),
      },
      { topic: 'books' as const, part, at: 'data' },
    ]),
    ...bitgetLines.flatMap((part) => [
      {
        topic: 'derivatives' as const,
        part,
        at: 'data',
        theirs: (exchange: Loose, wire: Loose, market: Loose, [, rates]: readonly Loose[]) => {
          const rate = rates.data.find(({ symbol }: Loose) => symbol === wire.symbol);
          const funding = rate ? exchange.parseFundingRate(rate, market) : {};
          const { timestamp, ...ticker } = exchange.parseTicker(wire, market);
          return { ...funding, ...ticker, timestamp };
        },
      },
    ]),
  ],
};

export const bitstamp: ProbedVenue = {
  load: (lists) => replayed('bitstamp', byPath({ 'markets/': lists('markets')[0] })),
  probes: [
    { topic: 'instruments', part: 'markets' },
    {
      topic: 'prices',
      part: 'markets',
      differs: {
        change: {
          ours: 'last, open_24',
          theirs: 'last, open',
          why: 'open is that of the day in UTC, open_24 that of 24 hours ago: https://www.bitstamp.net/api/#tag/Tickers',
        },
      },
      row: ([body], market) =>
        body.find(({ market: name }: Loose) => name.toLowerCase().replace('/', '') === market),
    },
    { topic: 'candles', part: 'markets', at: 'data.ohlc' },
    { topic: 'books', part: 'markets' },
  ],
};

const bybitSides: Differences = differences(
  'https://bybit-exchange.github.io/docs/v5/market/tickers',
)`
  units singleOpenInterest      openInterest      openInterest counts both sides
  units 0.5*openInterest        openInterest      openInterest counts both sides
  value singleOpenInterest      openInterest      openInterest counts both sides, of inverse contracts in dollars
  value 0.5*openInterest        openInterest      openInterest counts both sides, of inverse contracts in dollars
  value singleOpenInterestValue openInterestValue openInterestValue counts both sides
  value 0.5*openInterestValue   openInterestValue openInterestValue counts both sides
`;

export const bybit: ProbedVenue = {
  load: (lists) =>
    replayed('bybit', (path, { category }) => {
      const isList = path.endsWith('instruments-info');
      return isList
        ? (lists(String(category))[0] ?? { result: { list: [] } })
        : { result: { list: [] } };
    }),
  probes: [
    ...['spot', 'linear', 'inverse'].flatMap((part) => [
      {
        topic: 'prices' as const,
        part,
        at: 'result.list',
        ...(part === 'inverse' && {
          differs: differences('https://bybit-exchange.github.io/docs/v5/market/tickers')`
            base   turnover24h volume24h   an inverse contract turns over coins
            volume volume24h   turnover24h an inverse contract counts its volume in dollars
          `,
        }),
      },
      { topic: 'candles' as const, part, at: 'result.list' },
      {
        topic: 'books' as const,
        part,
        at: 'result',
        theirs: (exchange: Loose, body: Loose) =>
          exchange.parseOrderBook(body, '', undefined, 'b', 'a'),
        ...(part === 'inverse' && {
          differs: contracts('https://bybit-exchange.github.io/docs/v5/market/orderbook'),
        }),
      },
    ]),
    ...['linear', 'inverse'].flatMap((part) => [
      { topic: 'derivatives' as const, part, at: 'result.list' },
      { topic: 'openInterest' as const, part, at: 'result.list', differs: bybitSides },
    ]),
  ],
};
