/** The aggregators of the whole market: CoinGecko, CoinPaprika, CoinLore. */
import { source } from '../defi/source.ts';
import type { Ask } from '../venue.ts';
import { Refused } from '../venue.ts';
import { bitcoinPrice } from './bitcoin.ts';
import type { Coin } from './coins.ts';
import { coinsAt, wholeOf } from './coins.ts';
import { closeOf, dayAt, daysFrom, pathOf } from './days.ts';
import { exchangesAt } from './exchanges.ts';

const day = 86_400_000;
const seconds = (now: number) => Math.floor(now / 1000);
const percent = (now: number, before: number) => (now / before - 1) * 100;

/** `/global`: the shares of the ten largest. */
function geckoGlobal({ model, now }: Ask) {
  const coins = coinsAt(model, now);
  const whole = wholeOf(coins);
  const btc = bitcoinPrice(model, now);
  const shares = coins
    .slice(0, 10)
    .map(({ symbol }) => [symbol.toLowerCase(), whole.share(symbol)]);
  return {
    data: {
      active_cryptocurrencies: coins.length,
      upcoming_icos: 0,
      ongoing_icos: 49,
      ended_icos: 3376,
      markets: 1200,
      total_market_cap: { btc: whole.cap / btc, usd: whole.cap },
      total_volume: { btc: whole.volume / btc, usd: whole.volume },
      market_cap_percentage: Object.fromEntries(shares),
      market_cap_change_percentage_24h_usd: whole.change,
      updated_at: seconds(now),
    },
  };
}

const page = ({ query }: Ask, fallback: number) => {
  const size = Number(query.get('per_page') ?? fallback);
  const first = (Number(query.get('page') ?? 1) - 1) * size;
  return [first, first + size] as const;
};

const geckoCoin = (coin: Coin, rank: number, now: number) => ({
  id: coin.id,
  symbol: coin.symbol.toLowerCase(),
  name: coin.name,
  image: `https://coin-images.coingecko.com/coins/images/${rank}/large/${coin.id}.png`,
  current_price: coin.price,
  market_cap: Math.round(coin.cap),
  market_cap_rank: rank,
  fully_diluted_valuation: Math.round(coin.cap),
  total_volume: Math.round(coin.volume),
  price_change_24h: coin.price - coin.before(1),
  price_change_percentage_24h: percent(coin.price, coin.before(1)),
  circulating_supply: coin.supply,
  total_supply: coin.supply,
  max_supply: null,
  last_updated: new Date(now).toISOString(),
  price_change_percentage_30d_in_currency: percent(coin.price, coin.before(30)),
});

/** `/coins/markets?vs_currency=usd&per_page=&page=`, by market capitalisation. */
const geckoCoins = (ask: Ask) => {
  const [first, end] = page(ask, 100);
  return coinsAt(ask.model, ask.now)
    .slice(first, end)
    .map((coin, at) => geckoCoin(coin, first + at + 1, ask.now));
};

/** `/exchanges`: those with a spot market, by volume. */
const geckoExchanges = (ask: Ask) => {
  const btc = bitcoinPrice(ask.model, ask.now);
  return exchangesAt(ask.model, ask.now)
    .filter(({ spot }) => spot > 0)
    .sort((a, b) => b.spot - a.spot)
    .slice(...page(ask, 100))
    .map(({ id, name, spot, trust }, at) => ({
      id,
      name,
      year_established: 2017,
      country: null,
      url: `https://www.${id}.example/`,
      image: `https://coin-images.coingecko.com/markets/images/${at}/small/${id}.png`,
      trust_score: trust,
      trust_score_rank: at + 1,
      trade_volume_24h_btc: spot / btc,
    }));
};

/** `/derivatives/exchanges`: those with contracts; the volume is a text. */
const geckoDerivatives = (ask: Ask) => {
  const btc = bitcoinPrice(ask.model, ask.now);
  return exchangesAt(ask.model, ask.now)
    .filter(({ futures }) => futures > 0)
    .sort((a, b) => b.futures - a.futures)
    .slice(...page(ask, 50))
    .map(({ id, name, futures, interest }) => ({
      name: `${name} (Futures)`,
      id: `${id}_futures`,
      open_interest_btc: Number((interest / btc).toFixed(2)),
      trade_volume_24h_btc: (futures / btc).toFixed(2),
      number_of_perpetual_pairs: 100,
      number_of_futures_pairs: 10,
      year_established: null,
      country: null,
      url: `https://www.${id}.example/futures`,
    }));
};

const geckoError = (code: number, message: string) => ({
  status: { error_code: code, error_message: message },
});

/** `/coins/bitcoin/market_chart?days=`: prices at midnights, at most 365 of them, and the live one. */
function marketChart({ query, model, now }: Ask) {
  const days = Number(query.get('days'));
  if (!(days >= 1 && days <= 365)) {
    throw new Refused(401, geckoError(10_012, 'Your request exceeds the allowed time range.'));
  }
  const path = pathOf(model, 'BTC');
  const today = dayAt(now);
  const midnights = daysFrom(today - (days - 1) * day, today);
  const prices = [
    ...midnights.map((at) => [at, closeOf(path, at - day)]),
    [now, bitcoinPrice(model, now)],
  ];
  const supply = coinsAt(model, now).find(({ symbol }) => symbol === 'BTC')?.supply ?? 0;
  return {
    prices,
    market_caps: prices.map(([at = 0, price = 0]) => [at, price * supply]),
    total_volumes: prices.map(([at = 0, price = 0]) => [
      at,
      path.volume(Math.floor(at / day)) * price,
    ]),
  };
}

/** https://docs.coingecko.com/v3.0.1/reference */
export const coingecko = source({
  id: 'coingecko',
  hosts: ['api.coingecko.com'],
  most: 10,
  limited: geckoError(429, "You've exceeded the Rate Limit."),
  answers: [
    [/^\/api\/v3\/global$/, geckoGlobal],
    [/^\/api\/v3\/coins\/markets$/, geckoCoins],
    [/^\/api\/v3\/exchanges$/, geckoExchanges],
    [/^\/api\/v3\/derivatives\/exchanges$/, geckoDerivatives],
    [/^\/api\/v3\/coins\/bitcoin\/market_chart$/, marketChart],
  ],
});

/** Others count a little less or more than CoinGecko. */
const paprikaPart = 0.985;
const lorePart = 0.97;

/** `/v1/global`. */
function paprikaGlobal({ model, now }: Ask) {
  const coins = coinsAt(model, now);
  const { cap, volume, change, share } = wholeOf(coins);
  return {
    market_cap_usd: Math.round(cap * paprikaPart),
    volume_24h_usd: Math.round(volume * paprikaPart),
    bitcoin_dominance_percentage: Number((share('BTC') / paprikaPart).toFixed(2)),
    cryptocurrencies_number: coins.length,
    market_cap_ath_value: 4_369_000_000_000,
    market_cap_ath_date: '2025-10-06T23:45:00Z',
    volume_24h_ath_value: 500_000_000_000,
    volume_24h_ath_date: '2021-05-19T00:00:00Z',
    volume_24h_percent_from_ath: -70,
    volume_24h_percent_to_ath: 230,
    market_cap_change_24h: Number(change.toFixed(2)),
    volume_24h_change_24h: 3.1,
    last_updated: seconds(now),
  };
}

const paprikaCoin = (coin: Coin, rank: number, now: number) => ({
  id: `${coin.symbol}-${coin.name}`.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-'),
  name: coin.name,
  symbol: coin.symbol,
  rank,
  total_supply: coin.supply,
  max_supply: 0,
  circulating_supply: coin.supply,
  first_data_at: '2023-01-01T00:00:00Z',
  last_updated: new Date(now).toISOString(),
  quotes: {
    USD: {
      price: coin.price,
      volume_24h: coin.volume,
      market_cap: Math.round(coin.cap),
      percent_change_24h: percent(coin.price, coin.before(1)),
      percent_change_7d: percent(coin.price, coin.before(7)),
      percent_change_30d: percent(coin.price, coin.before(30)),
      percent_change_1y: percent(coin.price, coin.before(365)),
    },
  },
});

/** A coin that is not listed any more: rank 0, no quotes. */
const gone = { id: 'gone-gone', name: 'Gone', symbol: 'GONE', rank: 0, quotes: {} };

/** `/v1/tickers?quotes=USD`. */
const paprikaCoins = ({ model, now }: Ask) => [
  ...coinsAt(model, now).map((coin, at) => paprikaCoin(coin, at + 1, now)),
  gone,
];

/** https://api.coinpaprika.com */
export const coinpaprika = source({
  id: 'coinpaprika',
  hosts: ['api.coinpaprika.com'],
  most: 60,
  limited: { error: 'too many requests' },
  answers: [
    [/^\/v1\/global$/, paprikaGlobal],
    [/^\/v1\/tickers$/, paprikaCoins],
  ],
});

/** `/api/global/`: a list of one, with the shares as texts. */
function loreGlobal({ model, now }: Ask) {
  const coins = coinsAt(model, now);
  const { cap, volume, change, share } = wholeOf(coins);
  return [
    {
      coins_count: coins.length,
      active_markets: 41_000,
      total_mcap: cap * lorePart,
      total_volume: volume * lorePart,
      btc_d: (share('BTC') / lorePart).toFixed(2),
      eth_d: (share('ETH') / lorePart).toFixed(2),
      mcap_change: change.toFixed(2),
      volume_change: '2.10',
      avg_change_percent: '0.35',
      volume_ath: 3_992_741_953_593.4854,
      mcap_ath: 4_500_000_000_000,
    },
  ];
}

/** https://www.coinlore.com/cryptocurrency-data-api */
export const coinlore = source({
  id: 'coinlore',
  hosts: ['api.coinlore.net'],
  most: 60,
  answers: [[/^\/api\/global\/$/, loreGlobal]],
});
