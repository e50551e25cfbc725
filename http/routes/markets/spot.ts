/** Tables of the spot markets (specification 4.5). */
import * as s from '../../../actors/topics/schema.ts';
import type { AssetSummary } from '../../../indicators/market/assets.ts';
import { type Route, route } from '../../endpoints/route.ts';
import type { Filter, SpotMarket, Tables } from '../../views/market-tables.ts';
import type { TakerSums } from '../../views/recorded-values.ts';
import { type ApiError, apiError, isApiError } from '../../wire/errors.ts';
import * as params from '../params.ts';
import * as common from './common.ts';

const row = { method: 'GET', group: 'Spot markets', access: 'key' } as const;

const supported = s.object({
  count: s.count,
  coins: s.list(
    s.object({
      symbol: common.symbol,
      exchange_count: s.integer('Exchanges that list it against dollars.'),
      exchanges: s.list(s.string(), 'Exchanges that list it against dollars.'),
    }),
    'By name.',
  ),
});
type Supported = s.Static<typeof supported>;

const pairItem = s.object({
  exchange: common.exchange,
  pair: s.string("The exchange's own id."),
  symbol: common.symbol,
  quote: common.quote,
  price: s.number('Last trade, in `quote`.'),
  bid: s.numberOrNull('Best bid, in `quote`; null where the list of tickers lacks it.'),
  ask: s.numberOrNull('Best ask, in `quote`; null as `bid`.'),
  spread_percent: s.numberOrNull('Ask less bid, percent of the mid price.'),
  price_change_24h_percent: common.marketChange,
  volume_24h_base: s.numberOrNull('Base units.'),
  volume_24h_usd: s.number('Turnover of 24 hours, USD.'),
  high_24h: s.numberOrNull('Highest price of 24 hours, in `quote`.'),
  low_24h: s.numberOrNull('Lowest price of 24 hours, in `quote`.'),
  quotes_updated_at: s.unixMsOrNull(
    'When bid and ask were received, Unix ms, which may be before a streamed price; null without them.',
  ),
  updated_at: common.updated_at,
});
const pairList = common.listOf(pairItem, common.basisOfMarkets);

const volumeItem = s.object({
  rank: s.integer('From 1.'),
  exchange: common.exchange,
  pair: s.string("The exchange's own id."),
  symbol: common.symbol,
  volume_24h_usd: s.number('Turnover of 24 hours, USD.'),
  price: s.number('Last trade, in the quote of the pair.'),
  price_change_24h_percent: common.marketChange,
  share: s.number('Fraction of the total.'),
});
const volumeList = common.listOf(volumeItem, {
  ...common.basisOfMarkets,
  total_volume_24h_usd: s.number('Of all pairs, those beyond `limit` among them, USD.'),
});

const coinItem = s.object({
  symbol: common.symbol,
  price: common.priceUsd,
  price_change_1h_percent: common.changeHour,
  ...common.changeFields,
  volume_24h_usd: s.number('Turnover of 24 hours of the markets that count, USD.'),
  volume_share: s.number('Fraction of the turnover of all assets.'),
  high_24h: s.numberOrNull('Highest price of 24 hours on any of them, USD.'),
  low_24h: s.numberOrNull('Lowest price of 24 hours on any of them, USD.'),
  exchange_count: s.integer('Exchanges whose markets count.'),
  buy_volume_24h_usd: s.numberOrNull(
    'Bought by takers on Binance in the last 24 whole hours, USD; null where it is not recorded.',
  ),
  sell_volume_24h_usd: s.numberOrNull('Sold by takers there; null as above.'),
  updated_at: common.updated_at,
});
const coinList = common.listOf(coinItem, {});

const pairOf = ({ exchange, symbol, row, turnover, received }: SpotMarket) => ({
  exchange,
  pair: row.market,
  symbol,
  quote: row.quote,
  price: row.price,
  bid: row.bid,
  ask: row.ask,
  spread_percent: common.spreadOf(row.bid, row.ask),
  price_change_24h_percent: row.change,
  volume_24h_base: row.base,
  volume_24h_usd: turnover,
  high_24h: row.high,
  low_24h: row.low,
  quotes_updated_at: row.bid === null && row.ask === null ? null : (row.quoted ?? received),
  updated_at: received,
});

const total = (rows: readonly { turnover: number }[]): number =>
  rows.reduce((sum, { turnover }) => sum + turnover, 0);

const share = (part: number, whole: number): number => (whole > 0 ? part / whole : 0);

/** Largest and smallest of the known prices of a day, USD. */
export function rangeOf({ counted }: AssetSummary<SpotMarket>) {
  const known = (key: 'high' | 'low') =>
    counted.flatMap(({ row, rate }) => (row[key] === null ? [] : [row[key] * rate]));
  const [highs, lows] = [known('high'), known('low')];
  return {
    high_24h: highs.length === 0 ? null : Math.max(...highs),
    low_24h: lows.length === 0 ? null : Math.min(...lows),
  };
}

const takersOf = ({ buy, sell }: TakerSums) => ({
  buy_volume_24h_usd: buy,
  sell_volume_24h_usd: sell,
});

const coinOf = (
  tables: Tables,
  asset: AssetSummary<SpotMarket>,
  { whole, exchange }: { whole: number; exchange: string | undefined },
) => ({
  symbol: asset.symbol,
  price: asset.price,
  price_change_1h_percent: tables.recorded.priceChange('spot', asset.symbol),
  ...common.changeOf(tables.change(asset.symbol, exchange)),
  volume_24h_usd: asset.turnover,
  volume_share: share(asset.turnover, whole),
  ...rangeOf(asset),
  exchange_count: asset.exchanges,
  ...takersOf(tables.recorded.takers(asset.symbol, exchange)),
  updated_at: asset.received,
});

interface TableQuery extends Filter {
  limit: number;
}

function supportedOf(tables: Tables): Supported | ApiError {
  const coins = [...tables.spotListed].map(([symbol, found]) => {
    const exchanges = [...found].sort();
    return { symbol, exchange_count: exchanges.length, exchanges };
  });
  if (coins.length > 0) return { count: coins.length, coins };
  return apiError('upstream_failed', 'no instrument list has been received yet');
}

function pairsOf(tables: Tables, { limit, ...filter }: TableQuery) {
  const found = tables.spot.markets(filter);
  if (isApiError(found)) return found;
  return { ...common.ofMarkets, ...common.firstOf(found, limit, pairOf) };
}

function volumesOf(tables: Tables, { limit, ...filter }: TableQuery) {
  const found = tables.spot.markets(filter);
  if (isApiError(found)) return found;
  const whole = total(found);
  const list = common.firstOf(found, limit, ({ exchange, symbol, row, turnover }, i) => ({
    rank: i + 1,
    ...{ exchange, pair: row.market, symbol, volume_24h_usd: turnover, price: row.price },
    ...{ price_change_24h_percent: row.change, share: share(turnover, whole) },
  }));
  return { ...common.ofMarkets, total_volume_24h_usd: whole, ...list };
}

function coinsOf(tables: Tables, { limit, ...filter }: TableQuery) {
  const found = tables.spot.assets(filter);
  const all = tables.spot.assets({ exchange: filter.exchange });
  if (isApiError(found)) return found;
  const whole = isApiError(all) ? 0 : total(all);
  return common.firstOf(found, limit, (asset) =>
    coinOf(tables, asset, { whole, exchange: filter.exchange }),
  );
}

export function spotRoutes(context: common.MarketsContext): Route[] {
  const { tables } = context;
  const [readSupported, readPairs] = [
    tables.answers<object, Supported>(supportedOf),
    tables.answers<TableQuery, s.Static<typeof pairList>>(pairsOf),
  ];
  const readVolumes = tables.answers<TableQuery, s.Static<typeof volumeList>>(volumesOf);
  const readCoins = tables.answers<TableQuery, s.Static<typeof coinList>>(coinsOf);
  const table = { ...row, params: common.filters(context, 'spot') };
  return [
    route({
      ...row,
      path: '/v1/spot/supported-coins',
      summary: 'Assets with a spot market against dollars, and the exchanges that list them',
      params: {},
      answer: supported,
      from: { answers: readSupported },
    }),
    route({
      ...table,
      path: '/v1/spot/coins-markets',
      summary: 'Assets by spot turnover: price, change, range and turnover over all exchanges',
      answer: coinList,
      from: { answers: readCoins },
    }),
    route({
      ...table,
      path: '/v1/spot/pairs-markets',
      summary: 'Spot markets of every exchange by turnover',
      answer: pairList,
      from: { answers: readPairs },
    }),
    route({
      ...row,
      path: '/v1/spot/volume',
      summary: 'The spot markets with the largest turnover, and their shares of the total',
      params: {
        exchange: common.exchangeOf(context, 'spot'),
        limit: params.limit(50, 500, 'Most rows.'),
      },
      answer: volumeList,
      from: { answers: readVolumes },
    }),
  ];
}
