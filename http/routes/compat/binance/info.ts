/** `ping`, `time` and `exchangeInfo`. */
import type { Steps } from '../../../../actors/topics/index.ts';
import { snapshotOf } from '../../../answers/snapshots.ts';
import { isApiError, kit, s } from '../../kit.ts';
import { decimal, form } from './form.ts';
import {
  type Api,
  anySymbol,
  type Context,
  type Listed,
  type Listing,
  spot,
  symbols,
} from './markets.ts';

/** What a client asks to see whether there is somebody. */
function connectivityRoutes(api: Api, { clock }: Context): kit.Route[] {
  const row = {
    params: {},
    access: 'open',
    free: true,
    noEnvelope: form,
  } as const;
  const neverChanges = () => () => {};
  return [
    kit.route({
      ...row,
      path: `${api.at}/ping`,
      summary: 'An empty answer',
      answer: s.object({}),
      from: { view: () => snapshotOf({}), listen: neverChanges },
    }),
    kit.route({
      ...row,
      path: `${api.at}/time`,
      summary: 'The time of this service',
      answer: s.object({ serverTime: s.integer('Unix ms.') }),
      from: { view: () => snapshotOf({ serverTime: clock.now() }), listen: neverChanges },
    }),
  ];
}

/** The far future, which states that a contract does not end. */
const never = 4_133_404_800_000;

const filter = s.unchecked<Readonly<Record<string, string>>>({
  type: 'object',
  properties: { filterType: { type: 'string', description: 'Which rule it is.' } },
  additionalProperties: { type: 'string' },
  required: ['filterType'],
  description: 'PRICE_FILTER, LOT_SIZE, MARKET_LOT_SIZE or NOTIONAL, as the exchange states it.',
});

const digits = s.integer('Digits after the point.');
const common = {
  symbol: s.ownId,
  status: s.literal('TRADING', 'Markets that are not traded are left out.'),
  baseAsset: s.string('Base asset.'),
  baseAssetPrecision: digits,
  quoteAsset: s.string('Quote asset.'),
  quotePrecision: digits,
  filters: s.list(filter, 'Empty where they are not known.'),
};
const spotMarket = s.named(
  'BinanceSpotMarket',
  s.object({
    ...common,
    quoteAssetPrecision: digits,
    isSpotTradingAllowed: s.literal(true, 'Others are left out.'),
    isMarginTradingAllowed: s.boolean('Traded on margin as well.'),
    permissions: s.list(s.string(), 'Empty, as at the exchange.'),
    permissionSets: s.list(
      s.list(s.string(), 'Any of them is enough.'),
      'What an account needs: SPOT, or MARGIN where it is traded on margin. Those of groups of traders are left out.',
    ),
  }),
);
const contract = s.named(
  'BinanceContract',
  s.object({
    ...common,
    pair: s.string('As `symbol`.'),
    contractType: s.literal('PERPETUAL', 'Others are left out.'),
    deliveryDate: s.integer(
      'When the exchange ends the contract, Unix ms; in the year 2100 where it has announced no end.',
    ),
    onboardDate: s.integerOrNull('When it was listed, Unix ms.'),
    marginAsset: s.string('What it is settled in.'),
    pricePrecision: s.integerOrNull('Digits after the point.'),
    quantityPrecision: s.integerOrNull('Digits after the point.'),
  }),
);
const schemaOf = (market: s.TSchema) =>
  s.object({
    timezone: s.literal('UTC', 'Of days.'),
    serverTime: s.integer('When the answer was made, Unix ms.'),
    rateLimits: s.list(s.object({}), 'Empty: limits are those of the account at this service.'),
    exchangeFilters: s.list(s.object({}), 'Empty.'),
    symbols: s.list(market, 'Those that are traded.'),
  });

/** Spot states all assets with as many digits. */
const assetDigits = 8;

const lot = (filterType: string, { step, min, max }: Steps, written: Write) => ({
  filterType,
  minQty: written(min),
  maxQty: written(max),
  stepSize: written(step),
});

type Write = (value: number) => string;

/** How prices, quantities and values are written. */
interface Writing {
  price: Write;
  quantity: Write;
  value: Write;
}

function filtersOf({ instrument: { rules } }: Listed, isSpot: boolean, written: Writing) {
  if (rules === undefined) return [];
  const { price, quantity, market_quantity: ofMarketOrders, least_value: least } = rules;
  const bounds = {
    filterType: 'PRICE_FILTER',
    minPrice: written.price(price.min),
    maxPrice: written.price(price.max),
    tickSize: written.price(price.step),
  };
  const filters: Readonly<Record<string, string>>[] = [
    bounds,
    lot('LOT_SIZE', quantity, written.quantity),
  ];
  if (ofMarketOrders) filters.push(lot('MARKET_LOT_SIZE', ofMarketOrders, written.quantity));
  if (least === undefined) return filters;
  const value = written.value(least);
  filters.push(
    isSpot
      ? { filterType: 'NOTIONAL', minNotional: value }
      : { filterType: 'MIN_NOTIONAL', notional: value },
  );
  return filters;
}

/** The exchange's own name of the base asset. */
const baseOf = ({ instrument: { rules, market, quote } }: Listed): string =>
  rules?.base ?? market.slice(0, -quote.length);

const eight: Write = (value) => decimal(value, assetDigits);

function marketOf(listed: Listed, api: Api) {
  const { instrument } = listed;
  const { rules, quote, decimals } = instrument;
  const isSpot = api === spot;
  const market = {
    symbol: listed.id,
    status: 'TRADING',
    baseAsset: baseOf(listed),
    baseAssetPrecision: assetDigits,
    quoteAsset: quote,
    quotePrecision: assetDigits,
  };
  if (isSpot) {
    return {
      ...market,
      quoteAssetPrecision: assetDigits,
      isSpotTradingAllowed: true,
      isMarginTradingAllowed: rules?.margin === true,
      permissions: [],
      permissionSets: [rules?.margin === true ? ['SPOT', 'MARGIN'] : ['SPOT']],
      filters: filtersOf(listed, true, { price: eight, quantity: eight, value: eight }),
    };
  }
  const { price, quantity } = decimals ?? {};
  const written = {
    price: (value: number) => decimal(value, price),
    quantity: (value: number) => decimal(value, quantity),
    value: (value: number) => decimal(value),
  };
  return {
    ...market,
    pair: listed.id,
    contractType: 'PERPETUAL',
    deliveryDate: rules?.ends ?? never,
    onboardDate: rules?.listed ?? null,
    marginAsset: quote,
    pricePrecision: price ?? null,
    quantityPrecision: quantity ?? null,
    filters: filtersOf(listed, false, written),
  };
}

function exchangeInfo({ instruments, clock }: Context, api: Api, listing: Listing): kit.Route {
  const isSpot = api === spot;
  const params: kit.Params = isSpot ? { symbol: anySymbol, symbols } : {};
  return kit.document<kit.Params, s.TSchema>({
    noEnvelope: form,
    path: `${api.at}/exchangeInfo`,
    summary: 'The markets with the rules of their orders',
    params,
    answer: schemaOf(isSpot ? spotMarket : contract),
    source: instruments.source,
    build({ symbol: name, symbols: list }) {
      const wanted = name ?? list;
      const listed =
        wanted === undefined ? [...listing.all().values()] : listing.several(String(wanted));
      if (isApiError(listed)) return listed;
      if (listed.length === 0) return null;
      return {
        timezone: 'UTC',
        serverTime: clock.now(),
        rateLimits: [],
        exchangeFilters: [],
        symbols: listed.map((one) => marketOf(one, api)),
      };
    },
  });
}

/** What a client asks of an API before anything else. */
export const infoRoutes = (context: Context, api: Api, listing: Listing): kit.Route[] => [
  ...connectivityRoutes(api, context),
  exchangeInfo(context, api, listing),
];
