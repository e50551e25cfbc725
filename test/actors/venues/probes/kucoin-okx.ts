/** KuCoin to OKX. */
import { answered, byPath, listing, replayed } from '../ccxt.ts';
import type { Loose } from '../recorded/columns.ts';
import type { Probe, ProbedVenue } from './pairs.ts';
import { contracts } from './reasons.ts';

export const kucoin: ProbedVenue = {
  load: (lists) =>
    replayed(
      'kucoin',
      byPath({
        symbols: lists('spot')[0],
        'market/allTickers': { data: { ticker: [] } },
        'contracts/active': lists('futures')[0],
      }),
    ),
  probes: [
    { topic: 'instruments', part: 'futures' },
    { topic: 'prices', part: 'spot', at: 'data.ticker' },
    {
      topic: 'prices',
      part: 'futures',
      at: 'data',
      differs: {
        base: {
          ours: 'turnoverOf24h',
          theirs: 'volumeOf24h',
          why: 'an inverse contract turns over coins, and its volume is in dollars: https://www.kucoin.com/docs-new/rest/futures-trading/market-data/get-all-symbols',
        },
        volume: {
          ours: 'volumeOf24h',
          theirs: 'turnoverOf24h',
          why: 'an inverse contract turns over coins, and its volume is in dollars: https://www.kucoin.com/docs-new/rest/futures-trading/market-data/get-all-symbols',
        },
      },
    },
    { topic: 'candles', part: 'spot', at: 'data' },
    {
      topic: 'candles',
      part: 'futures',
      at: 'data',
      differs: {
        volume: {
          ours: '[5]*contract',
          theirs: '[5]',
          why: 'volumes count lots: https://www.kucoin.com/docs-new/rest/futures-trading/market-data/get-klines',
        },
      },
    },
    { topic: 'books', part: 'spot', at: 'data' },
    {
      topic: 'books',
      part: 'futures',
      at: 'data',
      differs: contracts(
        'https://www.kucoin.com/docs-new/rest/futures-trading/market-data/get-full-orderbook',
      ),
    },
    {
      topic: 'openInterest',
      part: 'futures',
      at: 'data',
      differs: {
        units: [
          {
            ours: 'contract*openInterest',
            theirs: 'openInterest',
            why: 'openInterest counts lots: https://www.kucoin.com/docs-new/rest/futures-trading/market-data/get-all-symbols',
          },
          {
            ours: 'contract*markPrice^-1*openInterest',
            theirs: 'openInterest',
            why: 'openInterest counts lots of 1 USD: https://www.kucoin.com/docs-new/rest/futures-trading/market-data/get-all-symbols',
          },
          {
            ours: 'markPrice^-1*openInterest',
            theirs: 'openInterest',
            why: 'openInterest counts lots of 1 USD: https://www.kucoin.com/docs-new/rest/futures-trading/market-data/get-all-symbols',
          },
        ],
      },
    },
  ],
};

export const lighter: ProbedVenue = {
  load: (lists) => replayed('lighter', byPath({ orderBookDetails: lists('all')[0] })),
  probes: [
    {
      topic: 'prices',
      part: 'all',
      row: ([body], market) =>
        [...body.order_book_details, ...body.spot_order_book_details].find(
          ({ market_id }) => String(market_id) === market,
        ),
    },
    {
      topic: 'derivatives',
      part: 'all',
      row: ([body], market) =>
        body.funding_rates.find(
          ({ market_id, exchange }: Loose) =>
            String(market_id) === market && exchange === 'lighter',
        ),
    },
    { topic: 'candles', part: 'all', at: 'c' },
    {
      topic: 'books',
      part: 'all',
      theirs: (exchange, body) =>
        exchange.parseOrderBook(
          body,
          '',
          undefined,
          'bids',
          'asks',
          'price',
          'remaining_base_amount',
        ),
    },
  ],
};

const noName = 'the recording names no market, without which ccxt does not ask';

export const mexc: ProbedVenue = {
  skipped: { 'books of contracts': noName, 'candles of contracts': noName },
  load: (lists) =>
    replayed('mexc', byPath({ exchangeInfo: lists('spot')[0], detail: lists('contracts')[0] })),
  probes: [
    { topic: 'instruments', part: 'contracts' },
    { topic: 'prices', part: 'spot' },
    {
      topic: 'prices',
      part: 'contracts',
      at: 'data',
      differs: {
        base: {
          ours: 'contract*volume24',
          theirs: 'volume24',
          why: 'volume24 counts contracts: https://www.mexc.com/api-docs/futures/market-endpoints',
        },
        volume: {
          ours: 'contract*volume24',
          theirs: 'amount24',
          why: 'volume24 of an inverse contract counts contracts of so many dollars, amount24 is in coins: https://www.mexc.com/api-docs/futures/market-endpoints',
        },
      },
    },
    {
      topic: 'derivatives',
      part: 'contracts',
      differs: {
        stated: {
          ours: 'timestamp',
          theirs: 'timestamp',
          why: 'marks come with the tickers, rates in an answer of their own: https://www.mexc.com/api-docs/futures/market-endpoints',
        },
      },
      row: ([, rates], market) => rates.data.find(({ symbol }: Loose) => symbol === market),
    },
    { topic: 'candles', part: 'spot' },
    {
      topic: 'candles',
      part: 'contracts',
      theirs: (exchange, body, { symbol }) =>
        answered(exchange, body, () => exchange.fetchOHLCV(symbol, '1h', 0)),
      differs: {
        volume: [
          {
            ours: 'contract*vol[0]',
            theirs: 'vol[0]',
            why: 'vol counts contracts: https://www.mexc.com/api-docs/futures/market-endpoints',
          },
          {
            ours: 'contract*vol[1]',
            theirs: 'vol[1]',
            why: 'vol counts contracts: https://www.mexc.com/api-docs/futures/market-endpoints',
          },
        ],
      },
    },
    { topic: 'books', part: 'spot' },
    {
      topic: 'books',
      part: 'contracts',
      theirs: (exchange, body, { symbol }) =>
        answered(exchange, body, () => exchange.fetchOrderBook(symbol)),
      differs: contracts('https://www.mexc.com/api-docs/futures/market-endpoints'),
    },
  ],
};

export const okx: ProbedVenue = {
  load: (lists) =>
    listing('okx', [
      ...lists('spot')[0].data,
      ...lists('swap')[0].data.filter(({ state }: Loose) => state === 'live'),
    ]),
  probes: [
    {
      topic: 'instruments',
      part: 'swap',
      differs: {
        contract: {
          ours: 'ctMult*ctVal',
          theirs: 'ctVal',
          why: 'a contract is ctVal times its multiplier ctMult, which ccxt leaves out (it has been 1 so far): https://www.okx.com/docs-v5/en/#public-data-rest-api-get-instruments',
        },
      },
    },
    ...['spot', 'swap'].flatMap((part): Probe[] => [
      {
        topic: 'prices',
        part,
        at: 'data',
        id: 'instId',
        ...(part === 'swap' && {
          differs: {
            base: {
              ours: 'volCcy24h',
              theirs: 'vol24h',
              why: 'vol24h of a swap counts contracts, volCcy24h coins: https://www.okx.com/docs-v5/en/#order-book-trading-market-data-get-tickers',
            },
          },
        }),
      },
      { topic: 'candles', part, at: 'data' },
      {
        topic: 'books',
        part,
        at: 'data.0',
        ...(part === 'swap' && {
          differs: contracts(
            'https://www.okx.com/docs-v5/en/#order-book-trading-market-data-get-order-book',
          ),
        }),
      },
    ]),
    {
      topic: 'derivatives',
      part: 'swap',
      row: (bodies, market) => [
        bodies[0].data.find(({ instId }: Loose) => instId === market),
        bodies[1].data.find(({ instId }: Loose) => instId === market),
      ],
      theirs: (exchange, [mark, rate], market) => {
        const { timestamp, ...funding } = rate ? exchange.parseFundingRate(rate, market) : {};
        const ticker = mark ? exchange.parseTicker(mark, market) : {};
        return { ...funding, markPrice: ticker.markPrice, timestamp: ticker.timestamp };
      },
    },
    {
      topic: 'openInterest',
      part: 'swap',
      at: 'data',
      id: 'instId',
      differs: {
        units: {
          ours: 'oiCcy',
          theirs: 'oi',
          why: 'oi counts contracts, oiCcy coins: https://www.okx.com/docs-v5/en/#public-data-rest-api-get-open-interest',
        },
        value: {
          ours: 'markPx*oiCcy',
          theirs: 'oiUsd',
          why: 'the value is in the quote at the mark price; oiUsd is the same in dollars: https://www.okx.com/docs-v5/en/#public-data-rest-api-get-open-interest',
        },
      },
    },
  ],
};
