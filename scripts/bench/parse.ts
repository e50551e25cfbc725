/** Parsing a bulk ticker body against JSON.parse alone and against ccxt's parse of the same body. */
import { binance as Ccxt } from 'ccxt';
import type { Instrument } from '../../actors/topics/index.ts';
import { binance } from '../../actors/venues/binance/index.ts';
import { inTurns, printTable } from './report.ts';

const count = 3_000;

const ids = Array.from({ length: count }, (_, i) => `C${i}USDT`);

/** A body of Binance's `/fapi/v1/ticker/24hr`, with every field that it really has. */
const body = JSON.stringify(
  ids.map((symbol, i) => ({
    symbol,
    priceChange: `-${(i * 0.0137).toFixed(4)}`,
    priceChangePercent: `-${(i % 17).toFixed(3)}`,
    weightedAvgPrice: (100 + i * 1.37).toFixed(4),
    lastPrice: (100 + i * 1.371).toFixed(4),
    lastQty: (i % 13).toFixed(3),
    openPrice: (101 + i * 1.36).toFixed(4),
    highPrice: (110 + i * 1.4).toFixed(4),
    lowPrice: (90 + i * 1.3).toFixed(4),
    volume: (1e6 + i * 977).toFixed(3),
    quoteVolume: (1e8 + i * 97_711).toFixed(4),
    openTime: 1_700_000_000_000,
    closeTime: 1_700_086_400_000 + i,
    firstId: 1_000_000 + i,
    lastId: 2_000_000 + i,
    count: 1_000 + i,
  })),
);

const instruments = new Map<string, Instrument>(
  ids.map((market, i) => [
    market,
    {
      market,
      kind: 'perpetual',
      symbol: `C${i}`,
      quote: 'USDT',
      scale: 1,
      contract: 1,
      inverse: false,
      funding_hours: null,
    },
  ]),
);

/** Prints what each takes, and its ratio to JSON.parse. */
export function benchParse(): void {
  const ccxt = new Ccxt();
  ccxt.setMarkets(
    ids.map((id) =>
      ccxt.safeMarketStructure({
        id,
        symbol: `${id.slice(0, -4)}/USDT:USDT`,
        base: id.slice(0, -4),
        quote: 'USDT',
        settle: 'USDT',
        type: 'swap',
        swap: true,
        contract: true,
        linear: true,
      }),
    ),
  );
  const { parse } = binance.feeds.prices.parts.linear;
  const works: readonly [name: string, work: () => unknown][] = [
    ['JSON.parse alone', () => JSON.parse(body)],
    [
      'Tidemark, JSON.parse included',
      () => parse([JSON.parse(body)], { received: 0, instruments }),
    ],
    ['ccxt parseTickers, JSON.parse included', () => ccxt.parseTickers(JSON.parse(body))],
  ];
  const figures = inTurns(works.map(([, work]) => work));
  printTable(`Parsing ${count} tickers, ${Math.round(body.length / 1024)} KB, processor time`, [
    ['', 'ms', 'to JSON.parse'],
    ...figures.map(({ ms, ratio }, i) => [works[i]?.[0] ?? '', ms, ratio]),
  ]);
}
