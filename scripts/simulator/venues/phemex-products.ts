/** `public/products` of Phemex: currencies, then spot and inverse products, then linear ones. */
import { marketRows } from '../exchange.ts';
import { plain } from '../format.ts';
import type { Market } from '../market.ts';
import { type Row, rowsWith, type Sight } from '../rows.ts';
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

/** Decimals of amounts of a spot market's base. */
const amountsOf = ({ contract, scale }: Market) => Math.round(-Math.log10(contract * scale));
/** Of what is neither, `perpProductSubType` says nothing. */
const subType = ({ kind, state }: Market) => {
  if (kind === 'other') return 'TradFi';
  return state === 'preopen' ? 'PreMarket' : 'Normal';
};
const nameOf = ({ scale, symbol }: Market) => (scale > 1 ? `${scale} ${symbol}` : symbol);
/** Symbols of the indices of a contract. */
const indices = (of: string, name: (market: Market) => string) => ({
  [`${of}Index`]: ({ market }: Sight) => `.${name(market)}`,
  [`${of}Mark`]: ({ market }: Sight) => `.M${name(market)}`,
  [`${of}Rate`]: ({ market }: Sight) => `.${name(market)}FR`,
  [`${of}Rate8`]: ({ market }: Sight) => `.${name(market)}FR8H`,
});
/** A text about a market. */
const text =
  (of: (market: Market) => string | number) =>
  ({ market }: Sight) =>
    of(market);

const { row } = rowsWith({
  code: text(({ seed }) => seed % 100_000),
  status: text(({ state }) => statuses[state]),
  description: text(({ id }) => `${id} is simulated`),
  interval: text(({ fundingHours }) => fundingHours * 3600),
  spotTitle: text(({ symbol, quote }) => `${symbol} / ${quote}`),
  spotPrecision: text(({ decimals }) => 8 + decimals),
  baseTick(sight) {
    const amounts = amountsOf(sight.market);
    return `${plain(10 ** -sight.market.lot / 10 ** amounts, amounts)} ${sight.market.symbol}`;
  },
  baseTickEv: text(({ lot }) => Math.round(10 ** -lot)),
  quoteTick: text(({ decimals, quote }) => `${plain(10 ** -decimals / 1e8, 8)} ${quote}`),
  quoteTickEv: text(({ decimals }) => Math.round(10 ** -decimals)),
  basePrecision: text((market) => amountsOf(market) + market.lot),
  leastValue: text(({ quote }) => `10 ${quote}`),
  mostBase: text(({ symbol }) => `1000 ${symbol}`),
  mostBaseEv: text((market) => 1000 * 10 ** amountsOf(market)),
  mostValue: text(({ quote }) => `5,000,000 ${quote}`),
  inverseTitle: text(({ symbol }) => `${symbol} / USD`),
  inverseTick: text(({ decimals, scale }) => 10 ** -decimals / scale),
  inversePrecision: text(({ decimals }) => 4 + decimals),
  name: text(nameOf),
  linearTitle: text((market) => `${nameOf(market)} / ${market.quote}`),
  subType: text(subType),
  ...indices('own', ({ id }) => id),
  ...indices('coin', ({ symbol }) => symbol),
});

const common = (type: string) => `
  symbol=id code type='${type}' status quoteCurrency=quote listTime=listed description`;
const contract = (of: string) => `
  indexSymbol=${of}Index markSymbol=${of}Mark fundingRateSymbol=${of}Rate
  fundingRate8hSymbol=${of}Rate8 majorSymbol=true defaultLeverage='-10' fundingInterval=interval
  maxLeverage=100`;
const spot = row(`
  ${common('Spot')} displaySymbol=spotTitle priceScale=8 ratioScale=8
  pricePrecision=spotPrecision baseCurrency=symbol baseTickSize=baseTick baseTickSizeEv=baseTickEv
  quoteTickSize=quoteTick quoteTickSizeEv=quoteTickEv baseQtyPrecision=basePrecision
  quoteQtyPrecision=2 minOrderValue=leastValue minOrderValueEv=1000000000
  maxBaseOrderSize=mostBase maxBaseOrderSizeEv=mostBaseEv maxOrderValue=mostValue
  maxOrderValueEv=500000000000000 defaultTakerFee='0.001' defaultTakerFeeEr=100000
  defaultMakerFee='0.001' defaultMakerFeeEr=100000 tipOrderQty=2 buyPriceUpperLimitPct=110
  sellPriceLowerLimitPct=90 leverage=5`);
const inverse = row(`
  ${common('Perpetual')} ${contract('coin')} displaySymbol=inverseTitle
  contractUnderlyingAssets='USD' settleCurrency=symbol contractSize=@contract lotSize=1
  tickSize=inverseTick priceScale=4 ratioScale=8 pricePrecision=inversePrecision minPriceEp=5000
  maxPriceEp=10000000000 maxOrderQty=1000000 tipOrderQty=1000000`);
const linear = row(`
  ${common('PerpetualV2')} ${contract('own')} displaySymbol=linearTitle
  contractUnderlyingAssets=name settleCurrency=quote tickSize=tick priceScale=0 ratioScale=0
  pricePrecision=decimals baseCurrency=name tipOrderQty=0 maxOrderQtyRq='1000000'
  maxPriceRp='2000000000' minOrderValueRv='1' minPriceRp=tick qtyPrecision=lot qtyStepSize=step
  tipOrderQtyRq='200' maxOpenPosLeverage=100 perpProductSubType=subType`);
const risk = row(`
  symbol=id steps='50' riskLimits[ { limit=100 initialMargin='1.0%' initialMarginEr=1000000
  maintenanceMargin='0.5%' maintenanceMarginEr=500000 } ]`);
const riskV2 = row(`
  symbol=id steps='2000K'
  riskLimits[ { limit=2000000 initialMarginRr='0.01' maintenanceMarginRr='0.005' } ]`);

/** Everything the venue lists, delisted products included. */
export function products(ask: Ask) {
  const { model } = ask;
  const of = (made: Row, group: string) => marketRows(made, ask, { venue: 'phemex', group });
  const coins = model.assets.filter(({ kind }) => kind !== 'equity');
  const currencies = coins.map(({ symbol, price }, i) =>
    currency(symbol, i + 1, valueScale(price)),
  );
  return {
    code: 0,
    msg: '',
    data: {
      currencies: [...currencies, currency('USD', 1000, 4)],
      products: [...of(inverse, 'inverse'), ...of(spot, 'spot')],
      perpProductsV2: of(linear, 'linear'),
      riskLimits: of(risk, 'inverse'),
      leverages: [
        {
          initialMargin: '1.0%',
          initialMarginEr: 1_000_000,
          options: [1, 2, 3, 5, 10, 25, 50, 100],
        },
      ],
      riskLimitsV2: of(riskV2, 'linear'),
      leveragesV2: [{ options: [1, 2, 3, 5, 10, 25, 50, 100], initialMarginRr: '0.01' }],
      ratioScale: 8,
      md5Checksum: '5c6604814d3c1bafbe602c3d11a7e8bf',
    },
  };
}
