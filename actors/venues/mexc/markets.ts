/** The tables of MEXC: spot, and linear and inverse perpetuals in one list of contracts. https://www.mexc.com/api-docs */
import { assetOf } from '../../../config/assets/resolve.ts';
import { asRow, at, bulk, positive, required, text, type WireRow } from '../../read.ts';
import type { Apis, RequestOf } from '../../sources/define.ts';
import type { Faults } from '../../upstream/faults.ts';
import type { Budget } from '../../upstream/request.ts';
import { codesOf, equalBudgets, getter, mayFail } from '../apis.ts';
import { numberOr } from '../cells.ts';
import { digitsIn, listing } from '../listings.ts';
import { byId, markets } from '../markets.ts';
import type { PriceTable } from '../tables.ts';

/** Spot answers `{code, msg}` with a 4xx, contracts `{success: false, code, message}` inside a 200. */
const faults: Faults = {
  name: 'MEXC',
  at: 'code',
  when: ({ success, code, msg = '' }) =>
    code !== undefined && (success === false || (success !== true && msg !== '')),
  ok: [0, 200],
  codes: codesOf(
    // 700008 is illegal characters: of all parameters only the symbol is a client's.
    ['unknown_instrument', -1121, 10007, 1001, 30014, 30021, 700008],
    ['rate_limited', 429, 510],
    ['blocked', 403, 406],
    ['unavailable', 500, 501, 503, 504, 604, 801],
  ),
};

const perTenSeconds = (weight: number): Budget => ({ weight, per: 10_000 });
const perTwoSeconds: Budget = { weight: 20, per: 2000 };

export const apis = {
  spot: {
    hosts: ['https://api.mexc.com'],
    budgets: {
      default: perTenSeconds(500),
      depth: perTenSeconds(200),
      candles: perTenSeconds(200),
      trades: perTenSeconds(200),
    },
    faults,
    maxBody: 32 * 2 ** 20,
  },
  contracts: {
    hosts: ['https://api.mexc.com', 'https://contract.mexc.com'],
    budgets: {
      ...equalBudgets(perTwoSeconds, 'tickers', 'depth', 'candles', 'trades'),
      detail: { weight: 1, per: 5000 },
    },
    faults,
  },
} as const satisfies Apis;

export type Ask = RequestOf<typeof apis>;

export const getSpot = getter<RequestOf<typeof apis, 'spot'>>('spot', '/api/v3');
export const getContracts = getter<RequestOf<typeof apis, 'contracts'>>(
  'contracts',
  '/api/v1/contract',
);

/** Status "1" is online, "ENABLED" in older answers. `isSpotTradingAllowed` is about orders by API alone: BTCUSDT was without it for a year. */
const isTraded = ({ status }: WireRow): boolean => status === '1' || status === 'ENABLED';

const pairs = listing({
  venue: 'mexc',
  requests: getSpot('/exchangeInfo', {}, 'default', 10),
  rows: 'symbols',
  id: 'symbol',
  read: (row) => ({
    kind: isTraded(row) ? 'spot' : 'other',
    base: text(row.baseAsset),
    quote: text(row.quoteAsset),
  }),
  tick: digitsIn('quoteAssetPrecision'),
});

/** State 0 is enabled; `futureType`, which older answers lack, is 1 for perpetuals. */
const isPerpetual = (row: WireRow): boolean =>
  row.state === 0 &&
  row.isHidden !== true &&
  (row.futureType === undefined || row.futureType === 1);

/** Coins with names in Chinese, which spot lists so, are LONGXIA and the like in `baseCoin`. */
const chinese = /^\p{Script=Han}+$/u;

/** Prices are those of the name: where `baseCoin` of 1000BONK_USDT is BONK, the name holds the scale. */
function baseOf(stated: string, market: string, shown: unknown): string {
  if (typeof shown === 'string' && chinese.test(shown)) return shown;
  const [named = ''] = market.split('_');
  const { symbol, scale } = assetOf(named, { venue: 'mexc' });
  return scale !== 1 && symbol === stated.toUpperCase() ? named : stated;
}

/**
 * `contractSize` is base per contract where the quote settles, USD per contract where the base does; anything else has no
 * unit that is known.
 */
const perpetuals = listing({
  venue: 'mexc',
  requests: getContracts('/detail', {}, 'detail'),
  rows: 'data',
  id: 'symbol',
  read(row, market) {
    const base = baseOf(text(row.baseCoin), market, row.baseCoinName);
    const { quoteCoin, settleCoin } = row;
    const inverse = settleCoin === row.baseCoin && settleCoin !== quoteCoin;
    return {
      kind: isPerpetual(row) ? 'perpetual' : 'other',
      base,
      quote: text(quoteCoin),
      contract: positive(inverse || settleCoin === quoteCoin ? row.contractSize : null),
      inverse,
    };
  },
  tick: 'priceUnit',
});

export const instruments = { spot: pairs, contracts: perpetuals };

/** `priceChangePercent` is a rounded fraction. The turnover may be absent. */
export const spotPrices = markets({
  id: 'symbol',
  time: 'closeTime',
  price: {
    last: 'lastPrice',
    bid: 'bidPrice',
    ask: 'askPrice',
    high: 'highPrice',
    low: 'lowPrice',
    base: 'volume',
    quote: ({ quoteVolume, volume, lastPrice }) =>
      numberOr(quoteVolume, required(volume) * positive(lastPrice)),
    open: 'openPrice',
    fraction: 'priceChangePercent',
    untraded: 'volume',
  },
}).poll(getSpot('/ticker/24hr', {}, 'default', 40));

const tickers = getContracts('/ticker', {}, 'tickers');

/** `volume24` counts contracts; `amount24` is quote on linear ones, and base on inverse ones. */
const price = {
  last: 'lastPrice',
  bid: 'bid1',
  ask: 'ask1',
  high: 'high24Price',
  low: 'lower24Price',
  base: ({ volume24, amount24 }, { contract, inverse }) =>
    inverse ? amount24 : required(volume24) * contract,
  quote({ amount24, volume24, lastPrice }, { contract, inverse }) {
    const counted = required(volume24) * contract;
    return inverse ? counted : numberOr(amount24, counted * positive(lastPrice));
  },
  // Rounded: of 24 h, of the day in UTC, and of that in UTC+8, which `riseFallRate` repeats. The stream has the last alone.
  fraction: ({ riseFallRatesOfTimezone: rates }) => (Array.isArray(rates) ? rates[0] : undefined),
  untraded: 'volume24',
} satisfies PriceTable;

/** Of the tickers and of the rates, which state the hours and the time. */
const derivative = {
  mark: 'fairPrice',
  index: 'indexPrice',
  rate: 'rate',
  hours: 'collectCycle',
  next: 'nextSettleTime',
} as const;

/** `holdVol` counts contracts, one side. */
export const contracts = markets({
  rows: 'data',
  id: 'symbol',
  time: 'timestamp',
  price,
  interest: { contracts: 'holdVol', mark: 'fairPrice' },
}).poll(tickers);

/** The tickers, with what is known of the rate of each: the list of rates has that of the next funding. */
function withRates([body, fundings]: readonly unknown[]): WireRow[] {
  const rates = byId(fundings, 'data', 'symbol');
  return bulk(at(body, 'data'), 'tickers').map((value) => {
    const { symbol, fairPrice, indexPrice, fundingRate, timestamp } = asRow(value);
    const own = asRow(rates.get(text(symbol)));
    return {
      symbol,
      fairPrice,
      indexPrice,
      timestamp,
      rate: own.fundingRate ?? own.rate ?? fundingRate,
      collectCycle: own.collectCycle,
      nextSettleTime: own.nextSettleTime,
    };
  });
}

/** A failure of the list of rates shall not cost prices: tickers are asked for once more. */
export const derivatives = markets({
  rows: withRates,
  id: 'symbol',
  time: 'timestamp',
  derivative,
}).poll(() => [tickers, mayFail(getContracts('/funding_rate'))]);

/** Contracts by stream, in one channel their tickers, in another their rates, whose messages state the time. */
export const streamed = markets({ id: 'symbol', time: 'timestamp', price, derivative });

/** A level of a contract's book: `[price, contracts, orders]`. */
export const bookLevel = { price: 0, quantity: 1, columns: 3 };
