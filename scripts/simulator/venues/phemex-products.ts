/** `public/products` of Phemex: currencies, then spot and inverse products, then linear ones. */
import { fixed, plain } from '../format.ts';
import type { Market } from '../market.ts';
import type { Ask } from '../venue.ts';
import { valueScale } from './names.ts';

const statuses = { live: 'Listed', halted: 'Delisted', preopen: 'Listed' } as const;

const currency = (name: string, code: number, scale: number) => ({
  currency: name,
  name,
  code,
  valueScale: scale,
  minValueEv: 1,
  maxValueEv: 5_000_000_000_000_000_000,
  needAddrTag: 0,
  status: 'Listed',
  displayCurrency: name,
  inAssetsDisplay: 1,
  perpetual: 0,
  stableCoin: 0,
  assetsPrecision: scale,
});

const common = (market: Market, type: string) => ({
  symbol: market.id,
  code: market.seed % 100_000,
  type,
  status: statuses[market.state],
  quoteCurrency: market.quote,
  listTime: market.listed,
  description: `${market.id} is simulated`,
});

const spot = (market: Market) => {
  const amounts = Math.round(-Math.log10(market.contract * market.scale));
  const lot = 10 ** -market.lot;
  const tick = 10 ** -market.decimals;
  return {
    ...common(market, 'Spot'),
    displaySymbol: `${market.symbol} / ${market.quote}`,
    priceScale: 8,
    ratioScale: 8,
    pricePrecision: 8 + market.decimals,
    baseCurrency: market.symbol,
    baseTickSize: `${plain(lot / 10 ** amounts, amounts)} ${market.symbol}`,
    baseTickSizeEv: Math.round(lot),
    quoteTickSize: `${plain(tick / 1e8, 8)} ${market.quote}`,
    quoteTickSizeEv: Math.round(tick),
    baseQtyPrecision: amounts + market.lot,
    quoteQtyPrecision: 2,
    minOrderValue: `10 ${market.quote}`,
    minOrderValueEv: 1_000_000_000,
    maxBaseOrderSize: `1000 ${market.symbol}`,
    maxBaseOrderSizeEv: 1000 * 10 ** amounts,
    maxOrderValue: `5,000,000 ${market.quote}`,
    maxOrderValueEv: 500_000_000_000_000,
    defaultTakerFee: '0.001',
    defaultTakerFeeEr: 100_000,
    defaultMakerFee: '0.001',
    defaultMakerFeeEr: 100_000,
    tipOrderQty: 2,
    buyPriceUpperLimitPct: 110,
    sellPriceLowerLimitPct: 90,
    leverage: 5,
  };
};

/** Symbols of the indices of a contract. */
const indices = (name: string) => ({
  indexSymbol: `.${name}`,
  markSymbol: `.M${name}`,
  fundingRateSymbol: `.${name}FR`,
  fundingRate8hSymbol: `.${name}FR8H`,
});

const contract = (market: Market) => ({
  majorSymbol: true,
  defaultLeverage: '-10',
  fundingInterval: market.fundingHours * 3600,
  maxLeverage: 100,
});

const inverse = (market: Market) => ({
  ...common(market, 'Perpetual'),
  ...indices(market.symbol),
  ...contract(market),
  displaySymbol: `${market.symbol} / USD`,
  contractUnderlyingAssets: 'USD',
  settleCurrency: market.symbol,
  contractSize: market.contract,
  lotSize: 1,
  tickSize: 10 ** -market.decimals / market.scale,
  priceScale: 4,
  ratioScale: 8,
  pricePrecision: 4 + market.decimals,
  minPriceEp: 5000,
  maxPriceEp: 10_000_000_000,
  maxOrderQty: 1_000_000,
  tipOrderQty: 1_000_000,
});

/** Of what is neither, `perpProductSubType` says nothing. */
const subType = (market: Market) => {
  if (market.kind === 'other') return 'TradFi';
  return market.state === 'preopen' ? 'PreMarket' : 'Normal';
};

const linear = (market: Market) => {
  const step = fixed(10 ** -market.lot, market.lot);
  const name = market.scale > 1 ? `${market.scale} ${market.symbol}` : market.symbol;
  return {
    ...common(market, 'PerpetualV2'),
    ...indices(market.id),
    ...contract(market),
    displaySymbol: `${name} / ${market.quote}`,
    contractUnderlyingAssets: name,
    settleCurrency: market.quote,
    tickSize: fixed(10 ** -market.decimals, market.decimals),
    priceScale: 0,
    ratioScale: 0,
    pricePrecision: market.decimals,
    baseCurrency: name,
    tipOrderQty: 0,
    maxOrderQtyRq: '1000000',
    maxPriceRp: '2000000000',
    minOrderValueRv: '1',
    minPriceRp: fixed(10 ** -market.decimals, market.decimals),
    qtyPrecision: market.lot,
    qtyStepSize: step,
    tipOrderQtyRq: '200',
    maxOpenPosLeverage: 100,
    perpProductSubType: subType(market),
  };
};

const risk = (market: Market) => ({
  symbol: market.id,
  steps: '50',
  riskLimits: [
    {
      limit: 100,
      initialMargin: '1.0%',
      initialMarginEr: 1_000_000,
      maintenanceMargin: '0.5%',
      maintenanceMarginEr: 500_000,
    },
  ],
});

const riskV2 = (market: Market) => ({
  symbol: market.id,
  steps: '2000K',
  riskLimits: [{ limit: 2_000_000, initialMarginRr: '0.01', maintenanceMarginRr: '0.005' }],
});

/** Everything the venue lists, delisted products included. */
export function products({ model, now }: Ask) {
  const of = (group: string) => model.markets('phemex', now, group);
  const coins = model.assets.filter(({ kind }) => kind !== 'equity');
  const currencies = coins.map(({ symbol, price }, i) =>
    currency(symbol, i + 1, valueScale(price)),
  );
  return {
    code: 0,
    msg: '',
    data: {
      currencies: [...currencies, currency('USD', 1000, 4)],
      products: [...of('inverse').map(inverse), ...of('spot').map(spot)],
      perpProductsV2: of('linear').map(linear),
      riskLimits: of('inverse').map(risk),
      leverages: [
        {
          initialMargin: '1.0%',
          initialMarginEr: 1_000_000,
          options: [1, 2, 3, 5, 10, 25, 50, 100],
        },
      ],
      riskLimitsV2: of('linear').map(riskV2),
      leveragesV2: [{ options: [1, 2, 3, 5, 10, 25, 50, 100], initialMarginRr: '0.01' }],
      ratioScale: 8,
      md5Checksum: '5c6604814d3c1bafbe602c3d11a7e8bf',
    },
  };
}
