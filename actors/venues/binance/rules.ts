/** What orders of a market must keep to. https://developers.binance.com/docs/binance-spot-api-docs/filters */
import { asRow, isRecord, positive, required, text, time, type WireRow } from '../../read.ts';
import type { Steps, TradingRules } from '../../topics/index.ts';

const stepsOf = (step: unknown, min: unknown, max: unknown): Steps | null => {
  const steps = { step: required(step), min: required(min), max: required(max) };
  return steps.step >= 0 && steps.min >= 0 && steps.max >= 0 ? steps : null;
};

const quantityOf = ({ stepSize, minQty, maxQty }: WireRow): Steps | null =>
  stepsOf(stepSize, minQty, maxQty);

/** The filters in a row, by their types. */
function filtersIn({ filters }: WireRow): (...types: string[]) => WireRow {
  const all = (Array.isArray(filters) ? filters : []).filter(isRecord);
  return (...types) => asRow(all.find(({ filterType }) => types.includes(text(filterType))));
}

const priceFilter = 'PRICE_FILTER';

/** The smallest step of a price in a row of `exchangeInfo`. */
export const tickIn = (row: WireRow): unknown => filtersIn(row)(priceFilter).tickSize;

/** The `deliveryDate` of perpetuals that do not end, in the year 2100. */
const never = 4_133_404_800_000;

/** The rules in a row of `exchangeInfo`; undefined without those of prices and quantities. */
export function rulesOf(row: WireRow): TradingRules | undefined {
  const filter = filtersIn(row);
  const { tickSize, minPrice, maxPrice } = filter(priceFilter);
  const price = stepsOf(tickSize, minPrice, maxPrice);
  const quantity = quantityOf(filter('LOT_SIZE'));
  if (price === null || quantity === null) return undefined;
  const rules: TradingRules = { base: text(row.baseAsset), price, quantity };
  const ofMarketOrders = quantityOf(filter('MARKET_LOT_SIZE'));
  if (ofMarketOrders !== null) rules.market_quantity = ofMarketOrders;
  // Spot calls it `minNotional`, contracts `notional`.
  const { minNotional, notional } = filter('NOTIONAL', 'MIN_NOTIONAL');
  const least = positive(minNotional ?? notional);
  if (least > 0) rules.least_value = least;
  if (row.isMarginTradingAllowed === true) rules.margin = true;
  const listed = time(row.onboardDate);
  if (listed !== null) rules.listed = listed;
  const ends = time(row.deliveryDate);
  if (ends !== null && ends < never && text(row.contractType).endsWith('PERPETUAL')) {
    rules.ends = ends;
  }
  return rules;
}
