/** CoinGecko. https://docs.coingecko.com/v3.0.1/reference */
import { source } from '../defi/source.ts';
import type { Ask } from '../venue.ts';
import { Refused } from '../venue.ts';
import { coinsAt, wholeOf } from './coins.ts';
import { bitcoinPrice, closeOf, dayAt, dayLength, daysFrom, pathOf } from './days.ts';
import { type Exchange, exchangesAt } from './exchanges.ts';

/** `/global`: the shares of the ten largest. */
function global({ model, now }: Ask) {
  const coins = coinsAt(model, now);
  const { cap, volume, share } = wholeOf(coins);
  const shares = coins.slice(0, 10).map(({ symbol }) => [symbol.toLowerCase(), share(symbol)]);
  return {
    data: {
      total_market_cap: { usd: cap },
      total_volume: { usd: volume },
      market_cap_percentage: Object.fromEntries(shares),
      updated_at: Math.floor(now / 1000),
    },
  };
}

/** `/coins/markets`: the largest. */
const coins = ({ model, now, query }: Ask) =>
  coinsAt(model, now)
    .slice(0, Number(query.get('per_page') ?? 100))
    .map((coin, at) => ({
      id: coin.id,
      symbol: coin.symbol.toLowerCase(),
      name: coin.name,
      current_price: coin.price,
      market_cap: Math.round(coin.cap),
      market_cap_rank: at + 1,
    }));

/** Exchanges with a volume of this kind, the largest first. */
const largest = ({ model, now, query }: Ask, volume: (one: Exchange) => number) =>
  exchangesAt(model, now)
    .filter((one) => volume(one) > 0)
    .sort((a, b) => volume(b) - volume(a))
    .slice(0, Number(query.get('per_page') ?? 100));

/** `/exchanges`: those with a spot market. */
const exchanges = (ask: Ask) =>
  largest(ask, ({ spot }) => spot).map(({ id, name, spot, trust }) => ({
    id,
    name,
    trust_score: trust,
    trade_volume_24h_btc: spot / bitcoinPrice(ask.model, ask.now),
  }));

/** `/derivatives/exchanges`: those with contracts; the volume is a text. */
const derivatives = (ask: Ask) =>
  largest(ask, ({ futures }) => futures).map(({ id, name, futures }) => ({
    id: `${id}_futures`,
    name: `${name} (Futures)`,
    trade_volume_24h_btc: (futures / bitcoinPrice(ask.model, ask.now)).toFixed(2),
  }));

const refusal = (code: number, message: string) => ({
  status: { error_code: code, error_message: message },
});

/** `/coins/bitcoin/market_chart?days=`: prices at midnights, at most 365 of them, and the live one. */
function marketChart({ query, model, now }: Ask) {
  const days = Number(query.get('days'));
  if (!(days >= 1 && days <= 365)) {
    throw new Refused(401, refusal(10_012, 'Your request exceeds the allowed time range.'));
  }
  const path = pathOf(model, 'BTC');
  const today = dayAt(now);
  const midnights = daysFrom(today - (days - 1) * dayLength, today);
  const closes = midnights.map((at) => [at, closeOf(path, at - dayLength)]);
  return { prices: [...closes, [now, bitcoinPrice(model, now)]] };
}

export const coingecko = source('coingecko', 'api.coingecko.com', {
  '/api/v3/global': global,
  '/api/v3/coins/markets': coins,
  '/api/v3/exchanges': exchanges,
  '/api/v3/derivatives/exchanges': derivatives,
  '/api/v3/coins/bitcoin/market_chart': marketChart,
});
