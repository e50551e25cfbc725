/** CoinPaprika without a key: 20,000 calls a month. https://api.coinpaprika.com */
import { isRecord, positive, required, text } from '../../read.ts';
import { bulk, field } from '../../venues/rows.ts';
import { type CoinRow, coinOf, type GlobalRow, globalOf } from '../market-wide.ts';
import { defineUpstream, type Figure, noFaults, only, readRows, record } from '../upstream.ts';

/** `last_updated` in seconds; no share of Ether. */
const global: Figure<GlobalRow> = {
  requests: () => [{ api: 'rest', path: '/v1/global' }],
  parse([body]) {
    const data = record(body, 'global');
    const stated = required(data.last_updated) * 1000;
    const row = globalOf({
      dominance_pct: positive(data.bitcoin_dominance_percentage),
      eth_dominance_pct: null,
      total_market_cap_usd: positive(data.market_cap_usd),
      total_volume_24h_usd: positive(data.volume_24h_usd) || null,
      stated: stated > 0 ? stated : null,
    });
    return only(row, 'global');
  },
};

/** Every coin with a rank; those of rank 0 are not listed any more. */
const coins: Figure<CoinRow> = {
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

export const coinpaprika = defineUpstream({
  id: 'coinpaprika',
  name: 'CoinPaprika',
  apis: {
    rest: {
      hosts: ['https://api.coinpaprika.com'],
      budgets: { default: { weight: 24, per: 3_600_000 } },
      fault: noFaults,
      // Two thousand coins and more in one list.
      maxBody: 8_000_000,
    },
  },
  figures: { global, coins },
});
