/** CoinGecko without a key: a handful of calls a minute. https://docs.coingecko.com/v3.0.1/reference */
import type { Failure } from '../../failure.ts';
import { isRecord, optional, positive, required, text } from '../../read.ts';
import type { UpstreamRequest } from '../../upstream/request.ts';
import { bulk, field, list, type WireRow } from '../../venues/rows.ts';
import { type DayClose, dayAt, dayLength } from '../days.ts';
import { type CoinRow, coinOf, type GlobalRow, globalOf } from '../market-wide.ts';
import {
  defineUpstream,
  type Figure,
  joined,
  only,
  perMinute,
  readRows,
  record,
} from '../upstream.ts';

/** `{ status: { error_code } }`, with 429 inside where there were too many calls. */
function fault(status: number, body: unknown): Failure | null {
  if (!isRecord(body) || !isRecord(body.status)) return null;
  const code = required(body.status.error_code);
  if (!(code > 0)) return null;
  const message = `CoinGecko error ${code}`;
  return { code: code === 429 ? 'rate_limited' : 'refused', message, status };
}

const get = (path: string, query: UpstreamRequest['query'] = {}): UpstreamRequest => ({
  api: 'rest',
  path: `/api/v3${path}`,
  query,
});

const idOf = (row: WireRow) => text(row.id);

/** `updated_at` in seconds. */
const global: Figure<GlobalRow> = {
  requests: () => [get('/global')],
  parse([body]) {
    const data = record(field(body, 'data'), 'data');
    const shares = record(data.market_cap_percentage, 'market_cap_percentage');
    const updated = optional(data.updated_at);
    const row = globalOf({
      dominance_pct: positive(shares.btc),
      eth_dominance_pct: optional(shares.eth),
      total_market_cap_usd: positive(field(data.total_market_cap, 'usd')),
      total_volume_24h_usd: optional(field(data.total_volume, 'usd')),
      stated: updated === null ? null : updated * 1000,
    });
    return only(row, 'global');
  },
};

/** The hundred largest. */
const coins: Figure<CoinRow> = {
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

/** An exchange's own grade and its volume. */
export interface ExchangeTrust {
  exchange: string;
  name: string;
  /** 1 to 10. Null: not graded. */
  trust_score: number | null;
  volume_24h_btc: number | null;
}

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

const exchanges: Figure<ExchangeTrust> = {
  requests: () => [get('/exchanges', { per_page: 100 })],
  parse: ([body]) => readRows(bulk(body, 'exchanges'), idOf, trusted),
};

/** 24 h volumes of derivatives and of spot, both in BTC: a fallback for what our own exchanges say. */
export interface VolumeRow {
  market: 'futures' | 'spot';
  exchange: string;
  volume_24h_btc: number;
}

const volumes: Figure<VolumeRow> = {
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
          const sound = volume >= 0 && idOf(row) !== '';
          return sound ? { market, exchange: idOf(row), volume_24h_btc: volume } : null;
        }),
      ),
    ),
};

/** `[ms, price]`; a point at 00:00 closes the day before it. At most 365 days without a key. */
const bitcoinDays: Figure<DayClose> = {
  requests: () => [
    get('/coins/bitcoin/market_chart', { vs_currency: 'usd', days: 365, interval: 'daily' }),
  ],
  parse: ([body]) =>
    readRows(
      list(field(body, 'prices'), 'prices'),
      (row) => String(row[0]),
      (row) => {
        const [time, close] = [required(row[0]), positive(row[1])];
        // The newest point is the live price, at no full day.
        if (time !== dayAt(time) && time > 0) return 'left_out';
        return close > 0 ? { day: time - dayLength, close } : null;
      },
    ),
};

export const coingecko = defineUpstream({
  id: 'coingecko',
  name: 'CoinGecko',
  apis: { rest: { hosts: ['https://api.coingecko.com'], budgets: perMinute(5), fault } },
  figures: { global, coins, exchanges, volumes, bitcoinDays },
});
