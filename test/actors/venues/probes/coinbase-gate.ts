/** Coinbase to Gate. */
import { answered, byPath, listing, offline, replayed } from '../ccxt.ts';
import type { Loose } from '../recorded/columns.ts';
import type { Differences, Probe, ProbedVenue } from './pairs.ts';
import { contracts, differences } from './reasons.ts';

const gateDocs = 'https://www.gate.com/docs/developers/apiv4/en/#get-futures-order-book';
const gateCandles: Differences = differences(
  'https://www.gate.com/docs/developers/apiv4/en/#get-futures-candlesticks',
)`
  volume contract*v         v v counts contracts
  volume mean(c,h,l,o)^-1*v v v counts contracts of 1 USD; sum did not fit it
  volume sum                v v counts contracts of 1 USD
`;
const gateLines = ['usdt', 'usd1', 'btc'];

export const coinbase: ProbedVenue = {
  also: { perpetual: await offline('coinbaseinternational') },
  async load(lists) {
    const [spot, perpetual]: Loose[] = [
      await offline('coinbase'),
      await offline('coinbaseinternational'),
    ];
    spot.setMarkets(
      lists('spot')[0].products.map((row: Loose) => ({
        ...{ id: row.product_id, symbol: `${row.base_currency_id}/${row.quote_currency_id}` },
        ...{ base: row.base_currency_id, quote: row.quote_currency_id, spot: true, type: 'spot' },
      })),
    );
    perpetual.setMarkets(lists('perpetual')[0].map((row: Loose) => perpetual.parseMarket(row)));
    // One exchange of two libraries.
    return Object.assign(Object.create(spot), {
      perpetual,
      markets_by_id: { ...spot.markets_by_id, ...perpetual.markets_by_id },
    });
  },
  probes: [
    { topic: 'prices', part: 'spot', at: 'products', id: 'product_id' },
    {
      topic: 'prices',
      part: 'perpetual',
      theirs: ({ perpetual }, { quote }, market) => perpetual.parseTicker(quote, market),
    },
    {
      topic: 'derivatives',
      part: 'perpetual',
      theirs: ({ perpetual }, { quote }, market) => perpetual.parseTicker(quote, market),
    },
    {
      topic: 'candles',
      part: 'spot',
      theirs: (_, rows) => rows.map((row: Loose) => exchangeLibrary.parseOHLCV(row)),
    },
    {
      topic: 'candles',
      part: 'perpetual',
      at: 'aggregations',
      theirs: ({ perpetual }, rows) => rows.map((row: Loose) => perpetual.parseOHLCV(row)),
    },
    ...['spot', 'perpetual'].map(
      (part): Probe => ({
        topic: 'books',
        part,
        at: 'pricebook',
        theirs: (exchange, body) =>
          exchange.parseOrderBook(body, '', undefined, 'bids', 'asks', 'price', 'size'),
      }),
    ),
  ],
};
/** Spot candles are those of the older API, a library of its own. */
const exchangeLibrary: Loose = await offline('coinbaseexchange');

export const cryptocom: ProbedVenue = {
  load: (lists) => replayed('cryptocom', byPath({ 'get-instruments': lists('all')[0] })),
  probes: [
    { topic: 'instruments', part: 'all' },
    {
      topic: 'prices',
      part: 'all',
      at: 'result.data',
      id: 'i',
      differs: differences(
        'https://exchange-docs.crypto.com/exchange/v1/rest-ws/index.html#public-get-tickers',
      )`
        change 100*c c c is a fraction
      `,
    },
    { topic: 'candles', part: 'all', at: 'result.data' },
    { topic: 'books', part: 'all', at: 'result.data.0' },
  ],
};

/** The lists of quote currencies overlap; of two summaries the later one counts. */
const summaryOf = (bodies: readonly Loose[], market: string): Loose =>
  bodies
    .flatMap(({ result }) => result)
    .findLast(({ instrument_name }: Loose) => instrument_name === market);

export const deribit: ProbedVenue = {
  load: (lists) => {
    const found = ['spot', 'linear', 'inverse'].flatMap((part) =>
      lists(part).flatMap(({ result }) => result),
    );
    return replayed('deribit', byPath({ get_instruments: { result: found } }));
  },
  probes: ['spot', 'linear', 'inverse'].flatMap((part): Probe[] => [
    { topic: 'prices', part, row: summaryOf },
    ...(part === 'spot'
      ? []
      : [
          {
            topic: 'derivatives' as const,
            part,
            row: summaryOf,
            theirs: (exchange: Loose, wire: Loose, market: Loose) =>
              exchange.parseTicker(wire, market),
          },
          {
            topic: 'openInterest' as const,
            part,
            row: summaryOf,
            differs: differences(
              'https://docs.deribit.com/api-reference/market-data/public-get_book_summary_by_currency',
            )`
              value mark_price*open_interest open_interest open_interest of a linear contract is in the base currency, not its value
            `,
          },
        ]),
    {
      topic: 'candles',
      part,
      theirs: (exchange, body, { symbol }) =>
        answered(exchange, body, () => exchange.fetchOHLCV(symbol, '1h')),
    },
    {
      topic: 'books',
      part,
      at: 'result',
      ...(part === 'inverse' && {
        differs: contracts(
          'https://docs.deribit.com/api-reference/market-data/public-get_order_book',
        ),
      }),
    },
  ]),
};

export const dydx: ProbedVenue = {
  load: (lists) => listing('dydx', Object.values(lists('perp')[0].markets)),
  probes: [
    { topic: 'candles', part: 'perp', at: 'candles' },
    {
      topic: 'books',
      part: 'perp',
      theirs: (exchange, body) =>
        exchange.parseOrderBook(body, '', undefined, 'bids', 'asks', 'price', 'size'),
    },
  ],
};

export const gate: ProbedVenue = {
  load: (lists) =>
    replayed('gate', (path, { settle }) => {
      if (path === 'currency_pairs') return lists('spot')[0];
      if (path !== '{settle}/contracts') return [];
      return settle === 'usdt'
        ? [...lists('usdt'), ...lists('usd1')].flat()
        : lists(String(settle)).flat();
    }),
  probes: [
    { topic: 'prices', part: 'spot', id: 'currency_pair' },
    { topic: 'candles', part: 'spot' },
    { topic: 'books', part: 'spot' },
    ...gateLines.flatMap((part): Probe[] => [
      { topic: 'instruments', part },
      { topic: 'prices', part, id: 'contract' },
      { topic: 'derivatives', part, id: 'name' },
      { topic: 'candles', part, differs: gateCandles },
      {
        topic: 'books',
        part,
        theirs: (exchange, body) =>
          exchange.parseOrderBook(body, '', undefined, 'bids', 'asks', 'p', 's'),
        differs: contracts(gateDocs, 'p', 's'),
      },
    ]),
  ],
};
