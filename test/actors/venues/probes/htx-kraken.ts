/** HTX to Kraken. */
import { byPath, listing, offline, replayed } from '../ccxt.ts';
import type { Loose } from '../recorded/columns.ts';
import type { Differences, Probe, ProbedVenue } from './pairs.ts';
import { contracts, differences } from './reasons.ts';

const htxDocs = 'https://www.htx.com/en-us/opend';
const htxPrices: Differences = differences('https://www.htx.com/en-us/opend')`
  base   0.5*amount             amount HTX counts both sides
  volume 0.5*trade_turnover     vol    HTX counts both sides; vol is in contracts in some answers
  volume 0.5*amount*close       vol    HTX counts both sides; without a turnover it is that of the coins
  volume 0.5*contract*number_of vol    HTX counts both sides, contracts of so many dollars
`;
const htxCandles: Differences = differences('https://www.htx.com/en-us/opend')`
  volume 0.5*amount amount HTX counts both sides
`;
const htxInterest: Differences = differences('https://www.htx.com/en-us/opend')`
  units 0.5*amount volume HTX counts both sides, and volume is in contracts
  value 0.5*value  value  HTX counts both sides
`;
const htxLines = ['linear', 'inverse'];
/** ccxt refuses an empty list. */
const htxDated = {
  symbol: 'BTC',
  contract_code: 'BTC211126',
  contract_size: 100,
  contract_status: 1,
  delivery_date: '20211126',
  delivery_time: '1637913600000',
};

export const htx: ProbedVenue = {
  load: (lists) =>
    replayed(
      'htx',
      byPath({
        'common/symbols': lists('spot')[0],
        'linear-swap-api/v1/swap_contract_info': lists('linear')[0],
        '/swap_contract_info': lists('inverse')[0],
        contract_contract_info: { data: [htxDated] },
      }),
    ),
  probes: [
    { topic: 'prices', part: 'spot', at: 'data' },
    { topic: 'candles', part: 'spot', at: 'data' },
    { topic: 'books', part: 'spot', at: 'tick' },
    ...htxLines.flatMap((part): Probe[] => [
      { topic: 'instruments', part },
      { topic: 'prices', part, at: 'ticks', id: 'contract_code', differs: htxPrices },
      { topic: 'candles', part, at: 'data', differs: htxCandles },
      { topic: 'books', part, at: 'tick', differs: contracts(htxDocs) },
      {
        topic: 'derivatives',
        part,
        row: (bodies, market) =>
          bodies
            .flatMap((body) => body?.data ?? [])
            .find((row: Loose) => row.contract_code === market && row.funding_rate !== undefined),
      },
      {
        topic: 'openInterest',
        part,
        row: (bodies, market) =>
          bodies
            .flatMap((body) => body?.data ?? [])
            .find((row: Loose) => row.contract_code === market),
        differs: htxInterest,
      },
    ]),
  ],
};

/** A market and its context in one object, as the library joins them before it parses. */
const joined = ([[{ universe }, contexts]]: readonly Loose[], market: string): Loose => {
  const i = universe.findIndex(({ name }: Loose) => name === market);
  return contexts[i] && { ...universe[i], ...contexts[i] };
};

export const hyperliquid: ProbedVenue = {
  // The library counts perpetuals by position; here each has its name.
  load: (lists) => {
    const [body] = lists('perp');
    const rows = body[0].universe.map((market: object, i: number) => ({
      ...market,
      ...body[1][i],
      baseId: i,
    }));
    return listing('hyperliquid', rows).then((exchange: Loose) =>
      Object.assign(exchange, {
        markets_by_id: Object.fromEntries(
          Object.values<Loose>(exchange.markets).map((market) => [market.info.name, [market]]),
        ),
      }),
    );
  },
  probes: [
    { topic: 'prices', part: 'perp', row: joined },
    {
      topic: 'derivatives',
      part: 'perp',
      row: joined,
      differs: {
        next_funding: {
          ours: '',
          theirs: '',
          why: 'both take the next full hour, we after the receipt, ccxt after its own clock',
        },
      },
    },
    {
      topic: 'openInterest',
      part: 'perp',
      row: joined,
      theirs: (exchange, info, market) => exchange.parseOpenInterest({ info }, market),
    },
    { topic: 'candles', part: 'perp' },
    {
      topic: 'books',
      part: 'perp',
      at: 'levels',
      theirs: (exchange, body) =>
        exchange.parseOrderBook(body, '', undefined, '0', '1', 'px', 'sz'),
    },
  ],
};

/** The library of the futures, which asks for the symbol of each id. */
const krakenCharts: Loose = Object.assign(await offline('krakenfutures'), {
  symbol: (id: string) => id,
});

export const kraken: ProbedVenue = {
  also: { futures: krakenCharts },
  async load(lists) {
    const spot: Loose = await replayed('kraken', byPath({ AssetPairs: lists('spot')[0] }));
    const futures: Loose = await replayed(
      'krakenfutures',
      byPath({ instruments: lists('futures')[0] }),
    );
    return Object.assign(Object.create(spot), {
      futures,
      markets_by_id: { ...spot.markets_by_id, ...futures.markets_by_id },
    });
  },
  probes: [
    { topic: 'prices', part: 'spot', at: 'result' },
    { topic: 'candles', part: 'spot', row: ([body]) => Object.values(body.result)[0] },
    { topic: 'books', part: 'spot', at: 'result.$' },
    {
      topic: 'prices',
      part: 'futures',
      at: 'tickers',
      theirs: ({ futures }, wire, market) => futures.parseTicker(wire, market),
      differs: differences('https://docs.kraken.com/api/docs/futures-api/trading/get-tickers')`
        stated serverTime      lastTime lastTime is that of the last trade, not of the ticker
        base   contract*vol24h vol24h   vol24h counts contracts
        volume contract*vol24h vol24h   vol24h of an inverse contract counts contracts of 1 USD
      `,
    },
    {
      topic: 'derivatives',
      part: 'futures',
      at: 'tickers',
      theirs: ({ futures }, wire, market) => futures.parseFundingRate(wire, market),
      differs: {
        stated: {
          ours: 'serverTime',
          theirs: 'lastTime',
          why: 'lastTime is that of the last trade, not of the rate: https://docs.kraken.com/api/docs/futures-api/trading/get-tickers',
        },
        funding_rate: {
          ours: 'fundingRate*markPrice',
          theirs: undefined,
          why: 'the rate of an inverse contract is in coins for a dollar; ccxt divides by the price, as for the linear ones: https://docs.kraken.com/api/docs/futures-api/trading/get-tickers',
        },
        predicted_rate: {
          ours: 'fundingRatePrediction*markPrice',
          theirs: undefined,
          why: 'as the rate: https://docs.kraken.com/api/docs/futures-api/trading/get-tickers',
        },
      },
    },
    {
      topic: 'candles',
      part: 'futures',
      at: 'candles',
      theirs: (_, rows) => rows.map((row: Loose) => krakenCharts.parseOHLCV(row)),
      differs: differences('https://docs.kraken.com/api/docs/futures-api/trading/get-tickers')`
        volume mean(close,high,low,open)^-1*volume volume the volume of an inverse contract is in dollars
        volume contract*mean(close,high,low,open)^-1*volume volume of an inverse contract it is contracts of 1 USD
      `,
    },
    {
      topic: 'books',
      part: 'futures',
      at: 'orderBook',
      theirs: ({ futures }, body) => futures.parseOrderBook(body, ''),
      differs: contracts('https://docs.kraken.com/api/docs/futures-api/trading/get-orderbook'),
    },
  ],
};
