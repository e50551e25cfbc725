/** CoinGecko without a key: a handful of calls a minute. https://docs.coingecko.com/v3.0.1/reference */
import { type DayClose, dayAt, dayLength } from '../../indicators/market/days.ts';
import {
  type CoinRow,
  coinOf,
  type ExchangeTrust,
  type GlobalRow,
  globalOf,
} from '../../indicators/market/rows.ts';
import {
  bulk,
  field,
  list,
  optional,
  positive,
  required,
  text,
  time,
  type WireRow,
} from '../read.ts';
import {
  type Apis,
  defineSource,
  joined,
  type Poll,
  perMinute,
  type RequestOf,
  readRows,
  record,
  singleRow,
} from '../sources/define.ts';
import type { Faults } from '../upstream/faults.ts';
import type { UpstreamRequest } from '../upstream/request.ts';

/** `{ status: { error_code } }`, with 429 inside where there were too many calls. */
const faults: Faults = {
  name: 'CoinGecko',
  at: 'status.error_code',
  ok: [0],
  codes: { 429: 'rate_limited' },
  means: 'refused',
};

const get = (path: string, query: UpstreamRequest['query'] = {}): Request => ({
  api: 'rest',
  path: `/api/v3${path}`,
  query,
});

const idOf = (row: WireRow) => text(row.id);

/** `updated_at` in seconds. */
const global: Poll<GlobalRow, Request> = {
  requests: () => [get('/global')],
  parse([body], { received }) {
    const data = record(field(body, 'data'), 'data');
    const shares = record(data.market_cap_percentage, 'market_cap_percentage');
    const row = globalOf({
      dominance_pct: positive(shares.btc),
      eth_dominance_pct: optional(shares.eth),
      total_market_cap_usd: positive(field(data.total_market_cap, 'usd')),
      total_volume_24h_usd: optional(field(data.total_volume, 'usd')),
      stated: time(data.updated_at, 1000, received),
    });
    return singleRow(row, 'global');
  },
};

/** The hundred largest. */
const coins: Poll<CoinRow, Request> = {
  requests: () => [
    get('/coins/markets', {
      vs_currency: 'usd',
      order: 'market_cap_desc',
      per_page: 100,
      page: 1,
    }),
  ],
  parse: ([body]) =>
    readRows(bulk(body, 'coins'), idOf, (row) =>
      coinOf({
        id: idOf(row),
        symbol: text(row.symbol).toUpperCase(),
        name: text(row.name),
        rank: positive(row.market_cap_rank),
        price_usd: positive(row.current_price),
        market_cap_usd: positive(row.market_cap),
      }),
    ),
};

const trusted = (row: WireRow): ExchangeTrust | null => {
  const score = optional(row.trust_score);
  if (idOf(row) === '') return null;
  return {
    exchange: idOf(row),
    name: text(row.name),
    trust_score: score !== null && score >= 1 && score <= 10 ? score : null,
    volume_24h_btc: optional(row.trade_volume_24h_btc),
  };
};

const exchanges: Poll<ExchangeTrust, Request> = {
  requests: () => [get('/exchanges', { per_page: 100 })],
  parse: ([body]) => readRows(bulk(body, 'exchanges'), idOf, trusted),
};

/** 24 h volumes of derivatives and of spot, both in BTC: the fallback for the sums of our exchanges. */
export interface VolumeRow {
  market: 'futures' | 'spot';
  exchange: string;
  volume_24h_btc: number;
}

const volumes: Poll<VolumeRow, Request> = {
  requests: () => [
    get('/derivatives/exchanges', { per_page: 50 }),
    get('/exchanges', { per_page: 100 }),
  ],
  parse: ([futures, spot]) =>
    joined(
      (
        [
          ['futures', futures],
          ['spot', spot],
        ] as const
      ).map(([market, body]) =>
        readRows(bulk(body, market), idOf, (row) => {
          const volume = required(row.trade_volume_24h_btc);
          const isUsable = volume >= 0 && idOf(row) !== '';
          return isUsable ? { market, exchange: idOf(row), volume_24h_btc: volume } : null;
        }),
      ),
    ),
};

/** `[ms, price]`; a point at 00:00 closes the day before it. At most 365 days without a key. */
const bitcoinDays: Poll<DayClose, Request> = {
  requests: () => [
    get('/coins/bitcoin/market_chart', { vs_currency: 'usd', days: 365, interval: 'daily' }),
  ],
  parse: ([body], { received }) =>
    readRows(
      list(field(body, 'prices'), 'prices'),
      (row) => String(row[0]),
      (row) => {
        const [at, close] = [time(row[0], 1, received), positive(row[1])];
        if (at === null) return null;
        // The newest point is the live price, at no full day.
        if (at !== dayAt(at)) return 'left_out';
        return close > 0 ? { day: at - dayLength, close } : null;
      },
    ),
};

const apis = {
  rest: { hosts: ['https://api.coingecko.com'], budgets: perMinute(5), faults },
} as const satisfies Apis;

type Request = RequestOf<typeof apis>;

export const coingecko = defineSource({
  id: 'coingecko',
  name: 'CoinGecko',
  apis,
  polls: { global, coins, exchanges, volumes, bitcoinDays },
});
