/** Aster to BingX. */
import { listing, offline } from '../ccxt.ts';
import type { Loose } from '../recorded/columns.ts';
import type { Differences, ProbedVenue } from './pairs.ts';
import { contracts, differences } from './reasons.ts';

const coinMargined = 'https://developers.binance.com/docs/derivatives/coin-margined-futures';
const bingxDocs = 'https://bingx-api.github.io/docs-v3';

const rowsOf = (lists: readonly Loose[]): Loose[] => lists.flatMap((list) => list.symbols ?? list);

export const aster: ProbedVenue = {
  load: (lists) =>
    listing(
      'aster',
      ['spot', 'linear'].flatMap((part) => rowsOf(lists(part).slice(0, 1))),
    ),
  probes: [
    { topic: 'prices', part: 'spot' },
    { topic: 'prices', part: 'linear' },
    { topic: 'derivatives', part: 'linear' },
    { topic: 'candles', part: 'spot' },
    { topic: 'candles', part: 'linear' },
    { topic: 'books', part: 'spot' },
    { topic: 'books', part: 'linear' },
  ],
};

export const backpack: ProbedVenue = {
  load: (lists) => listing('backpack', lists('all')[0]),
  probes: [
    { topic: 'prices', part: 'all' },
    { topic: 'derivatives', part: 'all' },
    {
      topic: 'openInterest',
      part: 'all',
      differs: differences(
        'https://docs.backpack.exchange/#tag/Markets/operation/get_open_interest',
      )`
        value markPrice*openInterest openInterest openInterest is in the base asset
      `,
    },
    { topic: 'candles', part: 'all' },
    { topic: 'books', part: 'all' },
  ],
};

export const binance: ProbedVenue = {
  load: (lists) =>
    listing(
      'binance',
      ['spot', 'linear', 'inverse'].flatMap((part) => lists(part)[0].symbols),
      // The library looks these up while it reads a market, and would ask for them.
      { crossMarginPairsData: [], isolatedMarginPairsData: [] },
    ),
  probes: [
    { topic: 'instruments', part: 'inverse' },
    { topic: 'prices', part: 'spot' },
    { topic: 'prices', part: 'linear' },
    {
      topic: 'prices',
      part: 'inverse',
      differs: {
        volume: {
          ours: 'contract*volume',
          theirs: 'baseVolume*weightedAvgPrice',
          why: 'volume counts contracts of contractSize dollars, which is exact: COIN-M 24 h ticker, https://developers.binance.com/docs/derivatives/coin-margined-futures/market-data/rest-api/24hr-Ticker-Price-Change-Statistics',
        },
      },
    },
    { topic: 'derivatives', part: 'linear' },
    { topic: 'derivatives', part: 'inverse' },
    {
      topic: 'openInterest',
      part: 'linear',
      row: (bodies, market) => bodies.slice(1).find(({ symbol }) => symbol === market),
    },
    {
      topic: 'openInterest',
      part: 'inverse',
      row: (bodies, market) => bodies.slice(1).find(({ symbol }) => symbol === market),
      differs: differences(
        'https://developers.binance.com/docs/derivatives/coin-margined-futures/market-data/rest-api/Open-Interest',
      )`
        units contract*markPrice^-1*openInterest openInterest openInterest counts contracts
      `,
    },
    ...['spot', 'linear', 'inverse'].flatMap((part) => [
      { topic: 'candles' as const, part },
      {
        topic: 'books' as const,
        part,
        ...(part === 'inverse' && { differs: contracts(coinMargined) }),
      },
    ]),
  ],
};

const bingxChange: Differences = {
  change: [
    {
      ours: 'lastPrice, openPrice',
      theirs: 'priceChangePercent',
      why: 'the percentage is rounded and of another window than the prices',
    },
    {
      ours: 'lastPrice, openPrice',
      theirs: 'openPrice, priceChange',
      why: 'the change in quote is of another window than the prices',
    },
  ],
};
const bingxInverse: Differences = differences('https://bingx-api.github.io/docs-v3')`
  base   quoteVolume     volume      volume counts contracts and quoteVolume is in the coin, as their quotient at the price shows
  volume contract*volume quoteVolume volume counts contracts of so many dollars
`;
const bingxCandles: Differences = {
  volume: [
    {
      ours: '[5]*contract*mean([1],[2],[3],[4])^-1',
      theirs: '[5]',
      why: 'volume counts contracts of so many dollars: https://bingx-api.github.io/docs-v3',
    },
    {
      ours: 'contract*mean(close,high,low,open)^-1*volume',
      theirs: 'volume',
      why: 'the same of a candle whose columns have names',
    },
  ],
};

export const bingx: ProbedVenue = {
  async load(lists) {
    const exchange: Loose = await offline('bingx');
    exchange.setMarkets(
      [lists('spot')[0].data.symbols, lists('linear')[0].data, lists('inverse')[0].data]
        .flat()
        .map((row) => exchange.parseMarket(row)),
    );
    return exchange;
  },
  probes: [
    { topic: 'instruments', part: 'inverse' },
    ...['spot', 'linear', 'inverse'].flatMap((part) => [
      {
        topic: 'prices' as const,
        part,
        at: 'data',
        differs: part === 'inverse' ? { ...bingxChange, ...bingxInverse } : bingxChange,
      },
      {
        topic: 'candles' as const,
        part,
        at: 'data',
        ...(part === 'inverse' && { differs: bingxCandles }),
      },
      {
        topic: 'books' as const,
        part,
        at: 'data',
        ...(part === 'inverse' && { differs: contracts(bingxDocs) }),
      },
    ]),
    { topic: 'derivatives', part: 'linear', at: 'data' },
    { topic: 'derivatives', part: 'inverse', at: 'data' },
    {
      topic: 'openInterest',
      part: 'linear',
      row: (bodies, market) =>
        bodies.slice(1).find(({ data }: Loose) => data?.symbol === market)?.data,
    },
    {
      topic: 'openInterest',
      part: 'inverse',
      differs: differences(bingxDocs)`
        value markPrice*openInterest openInterest openInterest of an inverse contract is in the coin; without its market ccxt takes it for a value
      `,
      row: (bodies, market) =>
        bodies
          .slice(1)
          .flatMap(({ data }: Loose) => data)
          .find(({ symbol }: Loose) => symbol === market),
    },
  ],
};
