/** `exchangeInfo` of the three APIs of Binance: every key the venue sends, with one representative of long lists. */
import type { Market } from '../market.ts';
import type { Ask } from '../venue.ts';
import { Refused } from '../venue.ts';

const step = (decimals: number): string => (10 ** -decimals).toFixed(decimals);

const limits = (weight: number, interval: string, num: number, orders: number) => [
  { rateLimitType: 'REQUEST_WEIGHT', interval: 'MINUTE', intervalNum: 1, limit: weight },
  { rateLimitType: 'ORDERS', interval, intervalNum: num, limit: orders },
];

/** Base asset as the venue spells it: `1000PEPE`. */
const baseAsset = ({ symbol, scale }: Market): string => `${scale === 1 ? '' : scale}${symbol}`;

const pad = (market: Market, most: number) =>
  market.group === 'spot'
    ? (value: string) => Number(value).toFixed(8)
    : (v: string) => v.slice(0, most);

const filters = (market: Market) => {
  const write = pad(market, 20);
  return [
    {
      filterType: 'PRICE_FILTER',
      minPrice: write(step(market.decimals)),
      maxPrice: write('1000000.00'),
      tickSize: write(step(market.decimals)),
    },
    {
      filterType: 'LOT_SIZE',
      stepSize: write(step(market.lot)),
      maxQty: write('9000000'),
      minQty: write(step(market.lot)),
    },
  ];
};

const spotSymbol = (market: Market) => ({
  symbol: market.id,
  status: market.state === 'live' ? 'TRADING' : 'BREAK',
  baseAsset: baseAsset(market),
  baseAssetPrecision: 8,
  quoteAsset: market.quote,
  quotePrecision: 8,
  quoteAssetPrecision: 8,
  baseCommissionPrecision: 8,
  quoteCommissionPrecision: 8,
  orderTypes: ['LIMIT', 'LIMIT_MAKER', 'MARKET', 'STOP_LOSS_LIMIT', 'TAKE_PROFIT_LIMIT'],
  icebergAllowed: true,
  ocoAllowed: true,
  otoAllowed: true,
  quoteOrderQtyMarketAllowed: true,
  allowTrailingStop: true,
  cancelReplaceAllowed: true,
  amendAllowed: true,
  isSpotTradingAllowed: true,
  isMarginTradingAllowed: market.quote === 'USDT',
  filters: filters(market),
  permissions: [],
  permissionSets: [['SPOT', 'MARGIN', 'TRD_GRP_004']],
  defaultSelfTradePreventionMode: 'EXPIRE_MAKER',
  allowedSelfTradePreventionModes: ['EXPIRE_TAKER', 'EXPIRE_MAKER', 'EXPIRE_BOTH', 'DECREMENT'],
});

/** `symbol` and `symbols` name the wanted ones; an unknown name refuses the whole request. */
function wanted({ query, model, now }: Ask): readonly Market[] {
  const one = query.get('symbol');
  const many = query.get('symbols');
  const status = query.get('symbolStatus');
  const all = model.markets('binance', now, 'spot');
  if (one === null && many === null) {
    if (status === null) return all;
    return all.filter((m) => (m.state === 'live') === (status === 'TRADING'));
  }
  const names = one === null ? (many ?? '').replace(/[[\]"]/g, '').split(',') : [one];
  return names.map((name) => {
    const market = model.market('binance', 'spot', name, now);
    if (!market) throw new Refused(400, { code: -1121, msg: 'Invalid symbol.' });
    return market;
  });
}

/** `GET /api/v3/exchangeInfo`. */
export const spotInfo = (ask: Ask) => ({
  timezone: 'UTC',
  serverTime: ask.now,
  rateLimits: limits(6000, 'SECOND', 10, 100),
  exchangeFilters: [],
  symbols: wanted(ask).map(spotSymbol),
});

const contractType = (market: Market, now: number): string => {
  if (market.kind === 'perpetual') return 'PERPETUAL';
  if (market.expires === undefined) return 'TRADIFI_PERPETUAL';
  return market.expires - now > 91 * 86_400_000 ? 'NEXT_QUARTER' : 'CURRENT_QUARTER';
};
const contractStatus = { live: 'TRADING', halted: 'SETTLING', preopen: 'PENDING_TRADING' } as const;

const contract = (market: Market, now: number) => ({
  symbol: market.id,
  pair: `${baseAsset(market)}${market.quote}`,
  contractType: contractType(market, now),
  deliveryDate: market.expires ?? 4_133_404_800_000,
  onboardDate: market.listed,
  maintMarginPercent: '2.5000',
  requiredMarginPercent: '5.0000',
  baseAsset: baseAsset(market),
  quoteAsset: market.quote,
  marginAsset: market.inverse ? market.symbol : market.quote,
  pricePrecision: market.decimals,
  quantityPrecision: market.lot,
  baseAssetPrecision: 8,
  quotePrecision: 8,
  underlyingType: market.kind === 'other' && !market.expires ? 'EQUITY' : 'COIN',
  underlyingSubType: ['Layer-1'],
  triggerProtect: '0.0500',
  liquidationFee: '0.012500',
  marketTakeBound: '0.05',
  maxMoveOrderLimit: 10000,
  filters: filters(market),
  orderTypes: ['LIMIT', 'MARKET', 'STOP', 'STOP_MARKET', 'TAKE_PROFIT', 'TAKE_PROFIT_MARKET'],
  timeInForce: ['GTC', 'IOC', 'FOK', 'GTX', 'GTD'],
});

/** `GET /fapi/v1/exchangeInfo`. */
export const linearInfo = ({ model, now }: Ask) => ({
  timezone: 'UTC',
  serverTime: now,
  futuresType: 'U_MARGINED',
  rateLimits: limits(2400, 'MINUTE', 1, 1200),
  exchangeFilters: [],
  assets: [{ asset: 'USDT', marginAvailable: true, autoAssetExchange: '-10000' }],
  symbols: model.markets('binance', now, 'fapi').map((market) => ({
    ...contract(market, now),
    status: contractStatus[market.state],
    permissionSets: ['GRID', 'COPY'],
  })),
});

/** `GET /dapi/v1/exchangeInfo`. */
export const inverseInfo = ({ model, now }: Ask) => ({
  timezone: 'UTC',
  serverTime: now,
  rateLimits: limits(2400, 'MINUTE', 1, 1200),
  exchangeFilters: [],
  symbols: model.markets('binance', now, 'dapi').map((market) => ({
    ...contract(market, now),
    contractStatus: contractStatus[market.state],
    contractSize: market.contract,
    equalQtyPrecision: 4,
  })),
});
