/** CoinPaprika (https://api.coinpaprika.com) and CoinLore (https://www.coinlore.com/cryptocurrency-data-api). */
import { source } from '../defi/source.ts';
import type { Ask } from '../venue.ts';
import { coinsAt, wholeOf } from './coins.ts';

/** Both count a little less than CoinGecko. */
const [paprikaPart, lorePart] = [0.985, 0.97];

/** `/v1/global`. */
function paprikaGlobal({ model, now }: Ask) {
  const { cap, volume, share } = wholeOf(coinsAt(model, now));
  return {
    market_cap_usd: Math.round(cap * paprikaPart),
    volume_24h_usd: Math.round(volume * paprikaPart),
    bitcoin_dominance_percentage: Number((share('BTC') / paprikaPart).toFixed(2)),
    last_updated: Math.floor(now / 1000),
  };
}

/** A coin that is not listed any more. */
const gone = { id: 'gone-gone', name: 'Gone', symbol: 'GONE', rank: 0, quotes: {} };

/** `/v1/tickers?quotes=USD`. */
const paprikaCoins = ({ model, now }: Ask) => [
  ...coinsAt(model, now).map(({ symbol, name, price, cap }, at) => ({
    id: `${symbol}-${name}`.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-'),
    name,
    symbol,
    rank: at + 1,
    quotes: { USD: { price, market_cap: Math.round(cap) } },
  })),
  gone,
];

export const coinpaprika = source('coinpaprika', 'api.coinpaprika.com', {
  '/v1/global': paprikaGlobal,
  '/v1/tickers': paprikaCoins,
});

/** `/api/global/`: a list of one, with the shares as texts. */
function loreGlobal({ model, now }: Ask) {
  const { cap, volume, share } = wholeOf(coinsAt(model, now));
  return [
    {
      total_mcap: cap * lorePart,
      total_volume: volume * lorePart,
      btc_d: (share('BTC') / lorePart).toFixed(2),
      eth_d: (share('ETH') / lorePart).toFixed(2),
    },
  ];
}

export const coinlore = source('coinlore', 'api.coinlore.net', { '/api/global/': loreGlobal });
