import { offline } from '../ccxt.ts';
import type { Differences, ProbedVenue } from '../probes/pairs.ts';
import { contracts, differences } from '../probes/reasons.ts';
import {
  bars,
  book,
  handMade,
  instruments,
  type Loose,
  perpetual,
  polled,
  type RecordedVenue,
  refusal,
} from '../probes/recorded.ts';

const bingxDocs = 'https://bingx-api.github.io/docs-v3';

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

export const probed: ProbedVenue = {
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

const inverseCoin = (market: string, contract: number) =>
  perpetual(market, { quote: 'USD', inverse: true, contract });

export const recorded: RecordedVenue = {
  load: () => offline('bingx'),
  lists: { spot: 'spot-symbols', linear: 'perp-contracts', inverse: 'perp-inverse-contracts' },
  // The recorded rows are of other markets than the recorded lists.
  known: {
    spot: [handMade('BTC-USDT')],
    linear: [perpetual('SFP-USDT')],
    inverse: [inverseCoin('BTC-USD', 100), inverseCoin('SOL-USD', 10)],
  },
  bodies: [
    polled('prices', 'spot', ['spot-tickers']),
    // Recorded with a symbol, which gives one object for the list.
    polled('prices', 'linear', [
      (read) => ({ ...read('perp-tickers'), data: [read('perp-tickers').data] }),
    ]),
    polled('prices', 'inverse', ['perp-inverse-tickers']),
    polled('derivatives', 'linear', ['funding-current']),
    polled('openInterest', 'linear', ['funding-current', 'open-interest']),
    polled('openInterest', 'inverse', [
      { code: 0, data: [{ symbol: 'BTC-USD', markPrice: '57000' }] },
      'open-interest-inverse',
    ]),
    book('spot', 'spot-orderbook', 'BTC-USDT'),
    book('linear', 'perp-orderbook', 'BONK-USDT'),
    book('inverse', 'perp-inverse-orderbook', 'BTC-USD'),
    bars('spot', 'spot-candles', 'BTC-USDT'),
    bars('linear', 'perp-candles', 'BTC-USDT'),
  ],
  checks: [
    instruments('spot', 1, { native: ([{ data }]) => data.symbols }),
    instruments('linear', 1, { native: ([{ data }]) => data }),
    instruments('inverse', 1, { native: ([{ data }]) => data }),
    refusal('rest', 'error', 'unknown_instrument'),
  ],
};
