/** Bybit: spot, linear (USDT, USDC) and inverse perpetuals. https://bybit-exchange.github.io/docs/v5 */
import { isRecord, optionalNonZero, positive, required, text } from '../read.ts';
import type {
  DerivativeRow,
  Failure,
  FailureCode,
  Instrument,
  OpenInterestRow,
  PriceRow,
} from '../topics.ts';
import type { UpstreamRequest } from '../upstream/request.ts';
import {
  bars,
  bulk,
  by,
  derivativeOf,
  field,
  instrument,
  instrumentRows,
  levels,
  marketRows,
  ohlc,
  openInterestOf,
  priceOf,
  type Reader,
  type Size,
  type WireRow,
} from './rows.ts';
import { canonical } from './symbols.ts';
import { defineVenue, type MarketAsk, type Part, type SharedPart } from './venue.ts';

const faults: ReadonlyMap<number, FailureCode> = new Map([
  [10000, 'unavailable'],
  [10006, 'rate_limited'],
  [10009, 'banned'],
  [10016, 'unavailable'],
  [10018, 'rate_limited'],
  [10024, 'blocked'],
  [10429, 'rate_limited'],
  [170121, 'unknown_instrument'],
]);

/** After "access too frequent" the documentation asks for 10 minutes of silence. */
const ban = 600_000;

/** Refusals come with any status, 200 included, and with a `retCode` other than 0. */
function fault(status: number, body: unknown): Failure | null {
  if (!isRecord(body) || typeof body.retCode !== 'number' || body.retCode === 0) return null;
  const code = faultCode(status, body.retCode, text(body.retMsg));
  const message = `Bybit error ${body.retCode}`;
  return { code, message, status, ...(code === 'banned' && { retryAfter: ban }) };
}

function faultCode(status: number, code: number, message: string): FailureCode {
  // "symbol params err", "Not supported symbols": of all parameters only the symbol is a client's.
  if (code === 10001 && /symbol/i.test(message)) return 'unknown_instrument';
  if (status === 403) return /frequent/i.test(message) ? 'banned' : 'blocked';
  const known = faults.get(code);
  if (known) return known;
  if (status === 429) return 'rate_limited';
  return status >= 500 ? 'unavailable' : 'refused';
}

type Category = 'spot' | 'linear' | 'inverse';

const get = (path: string, query: UpstreamRequest['query']): UpstreamRequest => ({
  api: 'rest',
  path: `/v5/market/${path}`,
  query,
});

const result = (body: unknown, key: string): unknown => field(field(body, 'result'), key);

/** Instruments of other worlds; crypto has '' or a word such as `innovation`. */
const notCrypto: ReadonlySet<string> = new Set(['stock', 'xstocks', 'commodity', 'forex']);

function kindOf(row: WireRow, category: Category): Instrument['kind'] {
  if (row.status !== 'Trading' || row.isPreListing === true) return 'other';
  if (notCrypto.has(text(row.symbolType).toLowerCase())) return 'other';
  if (category === 'spot') return 'spot';
  return text(row.contractType).endsWith('Perpetual') ? 'perpetual' : 'other';
}

/** `fundingInterval` is in minutes; what is less than an hour is no such number. */
function fundingHours(row: WireRow): number | null {
  const minutes = positive(row.fundingInterval);
  return minutes >= 60 ? minutes / 60 : null;
}

/** Quantities are in base on spot and linear; an inverse contract is 1 USD. */
const instruments = (category: Category): Part<Instrument> => ({
  // Spot is not paged. One page of 1000 is everything else that trades, today.
  requests: () => [
    get('instruments-info', category === 'spot' ? { category } : { category, limit: 1000 }),
  ],
  parse: ([body]) =>
    instrumentRows(bulk(result(body, 'list'), 'list'), 'symbol', (row, market) =>
      instrument({
        market,
        kind: kindOf(row, category),
        base: text(row.baseCoin),
        quote: text(row.quoteCoin),
        contract: 1,
        inverse: category === 'inverse',
        fundingHours: fundingHours(row),
      }),
    ),
});

const contractIds = { linear: /^(.+?)(USDT|PERP)$/, inverse: /^(.+)(USD)$/ } as const;

/** What the id of a contract states, for one beyond the page of instruments: `BTCPERP` quotes in USDC. */
const fromId = (category: Exclude<Category, 'spot'>) => (market: string) => {
  const [, base = '', suffix = ''] = contractIds[category].exec(market) ?? [];
  const quote = suffix === 'PERP' ? 'USDC' : suffix;
  const inverse = category === 'inverse';
  return instrument({ market, kind: 'perpetual', base, quote, contract: 1, inverse });
};

type RowReader<Row> = (row: WireRow, market: Instrument, stated: number | null) => Row | null;

/** Parses `tickers`; no row has a time, the answer has one. Before its listing a market has auction prices. */
const tickers =
  <Row>(category: Category, read: RowReader<Row>): Part<Row>['parse'] =>
  ([body], { instruments: markets }) => {
    const stated = optionalNonZero(field(body, 'time'));
    const reader: Reader<Instrument, Row> = {
      id: by('symbol'),
      read: (row, market) => (row.curPreListingPhase ? null : read(row, market, stated)),
      ...(category !== 'spot' && { fromId: fromId(category) }),
    };
    return marketRows(bulk(result(body, 'list'), 'list'), markets, reader);
  };

/** Spot and linear state quote in `turnover24h`, inverse in `volume24h`. */
const price: RowReader<PriceRow> = (row, market, stated) =>
  priceOf(market, {
    last: positive(row.lastPrice),
    volume: required(market.inverse ? row.volume24h : row.turnover24h),
    change: required(row.price24hPcnt) * 100,
    stated,
  });

const derivative: RowReader<DerivativeRow> = (row, market, stated) =>
  derivativeOf(market, {
    mark: positive(row.markPrice),
    index: positive(row.indexPrice),
    rate: required(row.fundingRate),
    hours: positive(row.fundingIntervalHour) || (market.funding_hours ?? positive(null)),
    next: optionalNonZero(row.nextFundingTime),
    stated,
  });

/** The one-sided number, or half of the other, which counts both sides. */
function oneSide(single: unknown, both: unknown): number {
  const number = required(single);
  return number >= 0 ? number : required(both) / 2;
}

/** `openInterest` is base and its value quote; on inverse contracts it is USD and its value base. */
const openInterest: RowReader<OpenInterestRow> = (row, market, stated) => {
  const count = oneSide(row.singleOpenInterest, row.openInterest);
  const worth = oneSide(row.singleOpenInterestValue, row.openInterestValue);
  const [base, value] = market.inverse ? [worth, count] : [count, worth];
  return openInterestOf(market, { base, value, mark: positive(row.markPrice), stated });
};

const prices = (category: Category): Part<PriceRow> => ({
  requests: () => [get('tickers', { category })],
  parse: tickers(category, price),
  needsInstruments: true,
});

const shared = <Row>(category: Category, read: RowReader<Row>): SharedPart<Row> => ({
  bodiesOf: 'prices',
  parse: tickers(category, read),
});

/** Every size is known without the list: base units, or 1 USD. */
const sizeOf = ({ instrument: known, market, part }: MarketAsk): Size =>
  known ?? { scale: canonical(market).scale, contract: 1, inverse: part === 'inverse' };

export const bybit = defineVenue({
  id: 'bybit',
  name: 'Bybit',
  kinds: ['spot', 'perpetual'],
  example: 'BTCUSDT',
  apis: {
    rest: {
      hosts: ['https://api.bybit.com', 'https://api.bytick.com'],
      budgets: { default: { weight: 600, per: 5000 } },
      fault,
    },
  },
  parts: ['spot', 'linear', 'inverse'],
  partOf(market) {
    // BTCUSD, and BTCUSDH26 which is dated.
    if (/USD([HMUZ]\d\d)?$/.test(market)) return 'inverse';
    return market.endsWith('PERP') || market.includes('-') ? 'linear' : 'spot';
  },
  feeds: {
    instruments: {
      every: 3_600_000,
      parts: {
        spot: instruments('spot'),
        linear: instruments('linear'),
        inverse: instruments('inverse'),
      },
    },
    prices: {
      every: 30_000,
      parts: { spot: prices('spot'), linear: prices('linear'), inverse: prices('inverse') },
    },
    derivatives: {
      every: 30_000,
      parts: { linear: shared('linear', derivative), inverse: shared('inverse', derivative) },
    },
    openInterest: {
      every: 30_000,
      parts: { linear: shared('linear', openInterest), inverse: shared('inverse', openInterest) },
    },
  },
  queries: {
    orderBook: {
      cap: 50,
      request: ({ part, market, depth }) =>
        get('orderbook', { category: part, symbol: market, limit: depth }),
      parse(body, ask) {
        const size = sizeOf(ask);
        return {
          bids: levels(result(body, 'b'), size),
          asks: levels(result(body, 'a'), size),
          // `cts` is the matching engine's time, `ts` that of the answer.
          stated: optionalNonZero(result(body, 'cts')) ?? optionalNonZero(result(body, 'ts')),
        };
      },
    },
    candles: {
      // No 8h, no 3d.
      intervals: {
        '1m': '1',
        '3m': '3',
        '5m': '5',
        '15m': '15',
        '30m': '30',
        '1h': '60',
        '2h': '120',
        '4h': '240',
        '6h': '360',
        '12h': '720',
        '1d': 'D',
        '1w': 'W',
        '1M': 'M',
      },
      page: 1000,
      request({ part, market, interval, limit, before }) {
        const query = { category: part, symbol: market, interval, limit };
        return get('kline', before === undefined ? query : { ...query, end: before - 1 });
      },
      parse(body, ask) {
        const { scale, inverse } = sizeOf(ask);
        // Volume and turnover: base and quote; on inverse contracts USD and base.
        const [base, quote] = inverse ? [6, 5] : [5, 6];
        return bars(result(body, 'list'), scale, (row) =>
          ohlc(row, required(row[base]), required(row[quote])),
        );
      },
    },
  },
});
