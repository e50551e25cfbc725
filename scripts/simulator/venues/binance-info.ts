/** `exchangeInfo` of the three APIs of Binance: every key the venue sends, with one representative of long lists. */
import { marketRows } from '../exchange.ts';
import { fixed } from '../format.ts';
import type { Market } from '../market.ts';
import { type Row, rowsWith } from '../rows.ts';
import type { Ask } from '../venue.ts';
import { marketOf } from './binance-answers.ts';

const limits = (weight: number, interval: string, num: number, orders: number) => [
  { rateLimitType: 'REQUEST_WEIGHT', interval: 'MINUTE', intervalNum: 1, limit: weight },
  { rateLimitType: 'ORDERS', interval, intervalNum: num, limit: orders },
];

const types = (market: Market, now: number): string => {
  if (market.kind === 'perpetual') return 'PERPETUAL';
  if (market.expires === undefined) return 'TRADIFI_PERPETUAL';
  return market.expires - now > 91 * 86_400_000 ? 'NEXT_QUARTER' : 'CURRENT_QUARTER';
};
const statuses = { live: 'TRADING', halted: 'SETTLING', preopen: 'PENDING_TRADING' } as const;

const { row } = rowsWith(
  {
    spotStatus: ({ market }) => (market.state === 'live' ? 'TRADING' : 'BREAK'),
    status: ({ market }) => statuses[market.state],
    isMargin: ({ market }) => market.quote === 'USDT',
    pair: ({ market: { scale, symbol, quote } }) => `${scale === 1 ? '' : scale}${symbol}${quote}`,
    type: ({ market, now }) => types(market, now),
    delivery: ({ market }) => market.expires ?? 4_133_404_800_000,
    underlying: ({ market }) => (market.kind === 'other' && !market.expires ? 'EQUITY' : 'COIN'),
  },
  { write: fixed },
);

const filters = (digits: string, most: readonly [price: string, quantity: string]) => `
  filters[
    { filterType='PRICE_FILTER' minPrice=tick${digits} maxPrice='${most[0]}' tickSize=tick${digits} }
    { filterType='LOT_SIZE' stepSize=step${digits} maxQty='${most[1]}' minQty=step${digits} }
  ]`;

const spot = row(`
  symbol=id status=spotStatus baseAsset=coin baseAssetPrecision=8 quoteAsset=quote quotePrecision=8
  quoteAssetPrecision=8 baseCommissionPrecision=8 quoteCommissionPrecision=8
  orderTypes=["LIMIT","LIMIT_MAKER","MARKET","STOP_LOSS_LIMIT","TAKE_PROFIT_LIMIT"]
  icebergAllowed=true ocoAllowed=true otoAllowed=true quoteOrderQtyMarketAllowed=true
  allowTrailingStop=true cancelReplaceAllowed=true amendAllowed=true isSpotTradingAllowed=true
  isMarginTradingAllowed=isMargin ${filters('.8', ['1000000.00000000', '9000000.00000000'])}
  permissions=[] permissionSets=[["SPOT","MARGIN","TRD_GRP_004"]]
  defaultSelfTradePreventionMode='EXPIRE_MAKER'
  allowedSelfTradePreventionModes=["EXPIRE_TAKER","EXPIRE_MAKER","EXPIRE_BOTH","DECREMENT"]`);
const contract = `
  symbol=id pair contractType=type deliveryDate=delivery onboardDate=listed
  maintMarginPercent='2.5000' requiredMarginPercent='5.0000' baseAsset=coin quoteAsset=quote
  marginAsset=settle pricePrecision=decimals quantityPrecision=lot baseAssetPrecision=8
  quotePrecision=8 underlyingType=underlying underlyingSubType=["Layer-1"] triggerProtect='0.0500'
  liquidationFee='0.012500' marketTakeBound='0.05' maxMoveOrderLimit=10000
  ${filters('', ['1000000.00', '9000000'])}
  orderTypes=["LIMIT","MARKET","STOP","STOP_MARKET","TAKE_PROFIT","TAKE_PROFIT_MARKET"]
  timeInForce=["GTC","IOC","FOK","GTX","GTD"]`;
const linear = row(`${contract} status permissionSets=["GRID","COPY"]`);
const inverse = row(`${contract} contractStatus=status contractSize=@contract equalQtyPrecision=4`);

/** `symbol` and `symbols` name the wanted ones; an unknown name refuses the whole request. */
function wanted(ask: Ask): readonly Market[] {
  const { query, model, now } = ask;
  const names = query.get('symbol') ?? query.get('symbols');
  if (names !== null)
    return names
      .replace(/[[\]"]/g, '')
      .split(',')
      .map((symbol) => marketOf({ ...ask, query: new URLSearchParams({ symbol }) }, 'spot'));
  const status = query.get('symbolStatus');
  const isWanted = (market: Market) =>
    status === null || (market.state === 'live') === (status === 'TRADING');
  return model.markets('binance', now, 'spot').filter(isWanted);
}

const info = (ask: Ask, rateLimits: object[], symbols: object[]) => ({
  ...{ timezone: 'UTC', serverTime: ask.now, rateLimits, exchangeFilters: [], symbols },
});

/** `GET /api/v3/exchangeInfo`. */
export const spotInfo = (ask: Ask) =>
  info(
    ask,
    limits(6000, 'SECOND', 10, 100),
    wanted(ask).map((market) => spot(market, ask)),
  );

const contracts = (ask: Ask, group: string, made: Row) =>
  info(ask, limits(2400, 'MINUTE', 1, 1200), marketRows(made, ask, { venue: 'binance', group }));

/** `GET /fapi/v1/exchangeInfo`. */
export const linearInfo = (ask: Ask) => ({
  ...contracts(ask, 'fapi', linear),
  futuresType: 'U_MARGINED',
  assets: [{ asset: 'USDT', marginAvailable: true, autoAssetExchange: '-10000' }],
});

/** `GET /dapi/v1/exchangeInfo`. */
export const inverseInfo = (ask: Ask) => contracts(ask, 'dapi', inverse);
