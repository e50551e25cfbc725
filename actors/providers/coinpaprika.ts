/** CoinPaprika without a key: 20,000 calls a month. https://api.coinpaprika.com */
import { hour } from '../../config/time.ts';
import { type CoinRow, coinOf, type GlobalRow, globalOf } from '../../indicators/market/rows.ts';
import { bulk, field, isRecord, positive, text, time } from '../read.ts';
import {
  type Apis,
  defineSource,
  type Poll,
  type RequestOf,
  readRows,
  record,
  singleRow,
} from '../sources/define.ts';

/** `last_updated` in seconds; no share of Ether. */
const global: Poll<GlobalRow, Request> = {
  requests: () => [{ api: 'rest', path: '/v1/global' }],
  parse([body], { received }) {
    const data = record(body, 'global');
    const row = globalOf({
      dominance_pct: positive(data.bitcoin_dominance_percentage),
      eth_dominance_pct: null,
      total_market_cap_usd: positive(data.market_cap_usd),
      total_volume_24h_usd: positive(data.volume_24h_usd) || null,
      stated: time(data.last_updated, 1000, received),
    });
    return singleRow(row, 'global');
  },
};

/** Every coin with a rank; those of rank 0 are not listed any more. */
const coins: Poll<CoinRow, Request> = {
  requests: () => [{ api: 'rest', path: '/v1/tickers', query: { quotes: 'USD' } }],
  parse: ([body]) =>
    readRows(
      bulk(body, 'tickers'),
      (row) => text(row.id),
      (row) => {
        if (row.rank === 0) return 'left_out';
        const quotes = isRecord(row.quotes) ? row.quotes : {};
        if (!isRecord(quotes.USD)) return null;
        return coinOf({
          id: text(row.id),
          symbol: text(row.symbol).toUpperCase(),
          name: text(row.name),
          rank: positive(row.rank),
          price_usd: positive(field(quotes.USD, 'price')),
          market_cap_usd: positive(field(quotes.USD, 'market_cap')),
        });
      },
    ),
};

const apis = {
  rest: {
    hosts: ['https://api.coinpaprika.com'],
    budgets: { default: { weight: 24, per: hour } },
    // Two thousand coins and more in one list.
    maxBody: 8_000_000,
  },
} as const satisfies Apis;

type Request = RequestOf<typeof apis>;

export const coinpaprika = defineSource({
  id: 'coinpaprika',
  name: 'CoinPaprika',
  apis,
  polls: { global, coins },
});
