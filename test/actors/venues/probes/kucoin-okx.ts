/** KuCoin to OKX. */
import { answered, byPath, listing, replayed } from '../ccxt.ts';
import type { Loose } from '../recorded/columns.ts';
import type { Probe, ProbedVenue } from './pairs.ts';
import { contracts, differences } from './reasons.ts';

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
      differs: differences(
        'https://www.kucoin.com/docs-new/rest/futures-trading/market-data/get-all-symbols',
      )`
        base   turnoverOf24h volumeOf24h   an inverse contract turns over coins, and its volume is in dollars
        volume volumeOf24h   turnoverOf24h an inverse contract turns over coins, and its volume is in dollars
      `,
    },
    { topic: 'candles', part: 'spot', at: 'data' },
    {
      topic: 'candles',
      part: 'futures',
      at: 'data',
      differs: differences(
        'https://www.kucoin.com/docs-new/rest/futures-trading/market-data/get-klines',
      )`
        volume [5]*contract [5] volumes count lots
      `,
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
      differs: differences(
        'https://www.kucoin.com/docs-new/rest/futures-trading/market-data/get-all-symbols',
      )`
        units contract*openInterest              openInterest openInterest counts lots
        units contract*markPrice^-1*openInterest openInterest openInterest counts lots of 1 USD
        units markPrice^-1*openInterest          openInterest openInterest counts lots of 1 USD
      `,
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
      differs: differences('https://www.mexc.com/api-docs/futures/market-endpoints')`
        base   contract*volume24 volume24 volume24 counts contracts
        volume contract*volume24 amount24 volume24 of an inverse contract counts contracts of so many dollars, amount24 is in coins
      `,
    },
    {
      topic: 'derivatives',
      part: 'contracts',
      differs: differences('https://www.mexc.com/api-docs/futures/market-endpoints')`
        stated timestamp timestamp marks come with the tickers, rates in an answer of their own
      `,
      row: ([, rates], market) => rates.data.find(({ symbol }: Loose) => symbol === market),
    },
    { topic: 'candles', part: 'spot' },
    {
      topic: 'candles',
      part: 'contracts',
      theirs: (exchange, body, { symbol }) =>
        answered(exchange, body, () => exchange.fetchOHLCV(symbol, '1h', 0)),
      differs: differences('https://www.mexc.com/api-docs/futures/market-endpoints')`
        volume contract*vol[0] vol[0] vol counts contracts
        volume contract*vol[1] vol[1] vol counts contracts
      `,
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
      differs: differences('https://www.okx.com/docs-v5/en/#public-data-rest-api-get-instruments')`
        contract ctMult*ctVal ctVal a contract is ctVal times its multiplier ctMult, which ccxt leaves out (it has been 1 so far)
      `,
    },
    ...['spot', 'swap'].flatMap((part): Probe[] => [
      {
        topic: 'prices',
        part,
        at: 'data',
        id: 'instId',
        ...(part === 'swap' && {
          differs: differences(
            'https://www.okx.com/docs-v5/en/#order-book-trading-market-data-get-tickers',
          )`
            base volCcy24h vol24h vol24h of a swap counts contracts, volCcy24h coins
          `,
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
      differs: differences(
        'https://www.okx.com/docs-v5/en/#public-data-rest-api-get-open-interest',
      )`
        units oiCcy        oi    oi counts contracts, oiCcy coins
        value markPx*oiCcy oiUsd the value is in the quote at the mark price; oiUsd is the same in dollars
      `,
    },
  ],
};
