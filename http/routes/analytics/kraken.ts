/** Kraken Futures: views of its perpetuals (specification 4.3). Rates are fractions, an hour or eight hours. */
import * as s from '../../../actors/topics/schema.ts';
import { rateOf8Hours } from '../../../indicators/derivatives/funding.ts';
import type { Perpetual } from '../../../indicators/derivatives/perpetuals.ts';
import { type Route, route, type Values } from '../../endpoints/route.ts';
import type { PerpetualsView } from '../../views/perpetuals.ts';
import { type ApiError, apiError, isApiError } from '../../wire/errors.ts';
import { notYet, type PerpetualContext, symbolOrAll } from './common.ts';

const id = 'kraken';

const symbol = s.string('Base asset.');
const contract = s.string("The exchange's own id.");
const kind = s.oneOf(['perpetual', 'future'], 'Dated futures are not listed.');
const mark_price = s.number('USD.');
const index_price = s.numberOrNull('USD; null where the exchange states none.');

const interestItem = s.object({
  symbol,
  contract,
  margin_type: s.oneOf(['linear', 'inverse'], 'inverse: margined in the base asset.'),
  kind,
  open_interest_base: s.number('Base units, one side.'),
  open_interest_usd: s.number('USD, one side.'),
  volume_24h_usd: s.numberOrNull('Turnover of 24 hours, USD.'),
});
const fundingItem = s.object({
  symbol,
  contract,
  funding_rate_1h: s.numberOrNull('Fraction of the running hour.'),
  funding_rate_8h: s.numberOrNull('The same times eight, a fraction.'),
  predicted_rate_1h: s.numberOrNull('Fraction expected for the next hour.'),
  predicted_rate_8h: s.numberOrNull('The same times eight, a fraction.'),
  mark_price,
  index_price,
  next_funding_time: s.unixMs('When the running rate is charged: the next full hour, Unix ms.'),
});
const markItem = s.object({
  symbol,
  contract,
  kind,
  mark_price,
  index_price,
  last_price: s.numberOrNull('Last trade, USD.'),
  premium_percent: s.numberOrNull('Mark over index, less one, percent; null without an index.'),
});

const list = <I extends s.TProperties, M extends s.TProperties>(item: s.TObject<I>, more: M) =>
  s.object({
    exchange: s.literal(id, 'Exchange id.'),
    updated_at: s.unixMs('When the newest reading was received, Unix ms.'),
    ...more,
    count: s.count,
    items: s.list(item, 'One row a contract.'),
  });

const interestAnswer = list(interestItem, {
  total_open_interest_usd: s.number('Sum of all items, USD.'),
});
const fundingAnswer = list(fundingItem, {});
const markAnswer = list(markItem, {});

function interestOf(row: Perpetual): s.Static<typeof interestItem>[] {
  const { symbol, contract, inverse, units, value, volume } = row;
  if (units === null || value === null || inverse === null) return [];
  return [
    {
      ...{ symbol, contract, margin_type: inverse ? 'inverse' : 'linear', kind: 'perpetual' },
      ...{ open_interest_base: units, open_interest_usd: value, volume_24h_usd: volume },
    },
  ];
}

const per8Hours = (rate: number | null) => (rate === null ? null : rateOf8Hours(rate, 1));

function fundingOf(row: Perpetual): s.Static<typeof fundingItem>[] {
  const { symbol, contract, rate, predicted, mark, index, next } = row;
  if (mark === null || next === null) return [];
  return [
    {
      ...{ symbol, contract, funding_rate_1h: rate, funding_rate_8h: per8Hours(rate) },
      ...{ predicted_rate_1h: predicted, predicted_rate_8h: per8Hours(predicted) },
      ...{ mark_price: mark, index_price: index, next_funding_time: next },
    },
  ];
}

function markOf({ symbol, contract, mark, index, last }: Perpetual): s.Static<typeof markItem>[] {
  if (mark === null) return [];
  const premium_percent = index === null ? null : (mark / index - 1) * 100;
  return [
    {
      ...{ symbol, contract, kind: 'perpetual', mark_price: mark, index_price: index },
      ...{ last_price: last, premium_percent },
    },
  ];
}

/** The items of the perpetuals of Kraken, of one asset or of all. */
function itemsOf<I extends { symbol: string }>(
  view: PerpetualsView,
  asset: string | undefined,
  itemOf: (row: Perpetual) => I[],
) {
  const found = view.of(id);
  if (found === undefined) return notYet('the perpetuals of kraken');
  const all = found.rows.flatMap(itemOf);
  const items = all.filter(({ symbol }) => asset === undefined || symbol === asset);
  if (all.length === 0) return notYet('a fresh reading of kraken');
  if (items.length === 0) return apiError('unknown_symbol', `unknown symbol '${asset}' for kraken`);
  return { exchange: id, updated_at: found.newest, count: items.length, items } as const;
}

const common = {
  method: 'GET',
  group: 'Exchange analytics',
  access: 'key',
  params: { symbol: symbolOrAll },
  fails: ['upstream_failed'],
} as const;

/** The origin of a row: `build` makes the answer for one asset or for all. */
function originOf<T extends object>(
  { perpetuals, markets }: PerpetualContext,
  build: (view: PerpetualsView, asset: string | undefined) => T | ApiError,
) {
  const read = perpetuals.answers<string | undefined, T>((asset = '') => asset, build);
  const named = (name: string): string => {
    const found = markets.resolve(name, { kind: 'perpetual', exchanges: [id] });
    return isApiError(found) ? name.toUpperCase() : found.symbol;
  };
  return {
    answers: read,
    query: ({ symbol }: Values<typeof common.params>) =>
      symbol === undefined ? symbol : named(symbol),
    absent: notYet('kraken'),
  };
}

/** Largest first, with their sum. */
function interestsOf(view: PerpetualsView, asset: string | undefined) {
  const found = itemsOf(view, asset, interestOf);
  if (isApiError(found)) return found;
  const items = found.items.toSorted((a, b) => b.open_interest_usd - a.open_interest_usd);
  const total = items.reduce((sum, { open_interest_usd }) => sum + open_interest_usd, 0);
  return { ...found, total_open_interest_usd: total, items };
}

export const krakenRoutes = (context: PerpetualContext): Route[] => [
  route({
    ...common,
    path: '/v1/analytics/kraken/open-interest',
    summary: 'Open interest of the perpetuals of Kraken Futures',
    answer: interestAnswer,
    from: originOf(context, interestsOf),
  }),
  route({
    ...common,
    path: '/v1/analytics/kraken/funding-rates',
    summary: 'Funding rates of the perpetuals of Kraken Futures',
    answer: fundingAnswer,
    from: originOf(context, (view, asset) => itemsOf(view, asset, fundingOf)),
  }),
  route({
    ...common,
    path: '/v1/analytics/kraken/mark-prices',
    summary: 'Mark, index and last prices of the perpetuals of Kraken Futures',
    answer: markAnswer,
    from: originOf(context, (view, asset) => itemsOf(view, asset, markOf)),
  }),
];
