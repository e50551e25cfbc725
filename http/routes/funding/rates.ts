/** Funding rates of all perpetuals on all exchanges. */
import { day } from '../../../config/time.ts';
import * as fundingRates from '../../../indicators/derivatives/funding-rates.ts';
import { jsonText } from '../../answers/json.ts';
import { type Explanation, explained } from '../../views/explanation.ts';
import type { PerpetualsView } from '../../views/perpetuals.ts';
import * as recordedContracts from '../analytics/recorded-contracts.ts';
import { kit, params, s } from '../kit.ts';
import { asset_class } from '../markets/common.ts';
import { cells, fundingInputs } from './common.ts';

const { exchange, contract, annualized } = cells;

/** One perpetual. */
const rate = kit.columns<fundingRates.Funding>()({
  exchange,
  contract,
  quote: s.quote,
  funding_rate: cells.funding_rate,
  predicted_rate: [
    s.numberOrNull('Of the next interval, a fraction per `interval_hours`; null if none stated.'),
    'predicted',
  ],
  interval_hours: cells.interval_hours,
  funding_rate_8h: cells.funding_rate_8h,
  annualized,
  next_funding_time: cells.next_funding_time,
  mark_price: cells.mark_price,
  index_price: [s.numberOrNull('In `quote`.'), 'index'],
  open_interest_usd: cells.open_interest_usd,
  volume_24h_usd: cells.volume_24h_usd,
  updated_at: [s.unixMs('When it was received.'), 'received'],
});

const extreme = kit.columns<fundingRates.Funding>()({ exchange, contract, annualized });
const extremeOf = (description: string) =>
  s.named('FundingRateExtreme', s.object(extreme.properties, description));

const summary = kit.columns<fundingRates.AssetFundings>()({
  symbol: s.symbol,
  class: [asset_class, 'asset_class'],
  exchange_count: [s.integer('Exchanges with a rate of it.'), 'exchanges'],
  contract_count: [s.integer('Contracts of the means.'), ({ falling }) => falling.length],
  average_rate_8h: [s.number('Plain mean of `funding_rate_8h`, a fraction.'), 'mean8Hours'],
  median_rate_8h: [s.number('Median of `funding_rate_8h`, a fraction.'), 'median8Hours'],
  annualized: [s.number('The mean per 365 days, a fraction.'), 'annual'],
  highest: [extremeOf('Contract with the highest rate.'), ({ highest }) => extreme.read(highest)],
  lowest: [extremeOf('Contract with the lowest rate.'), ({ lowest }) => extreme.read(lowest)],
});

const ofSymbol = s.named(
  'FundingRatesOfSymbol',
  s.object({
    ...summary.properties,
    rates: s.list(rate.schema, 'Highest first.'),
    stale_exchanges: s.list(s.string(), 'Exchanges left out: what they stated is too old.'),
    ...explained,
  }),
);
const item = s.object({
  ...summary.properties,
  rates: s.optional(s.list(rate.schema, 'With `detail=full`; highest first.')),
});
const page = s.named(
  'FundingRatesPage',
  s.object({
    total: s.integer('Symbols that there are.'),
    offset: s.integer('Symbols before the first item, as asked.'),
    limit: s.integer('Most items, as asked.'),
    count: s.count,
    items: s.list(item, 'One row a symbol, in the order of `sort`.'),
  }),
);

const pageParams = {
  symbol: params.symbolOrAll,
  class: {
    ...params.assetClass,
    description: `Without \`symbol\`. ${params.assetClass.description}`,
  },
  limit: params.limit(50, 500, 'Without `symbol`: most symbols.'),
  offset: params.offset('Without `symbol`: symbols to leave out at the start.'),
  sort: params.wordOr(
    ['rate', 'exchanges', 'annualized', 'open_interest'],
    'exchanges',
    'Without `symbol`, largest first: mean rate, number of exchanges, largest annual rate of any contract, of either sign, or open interest of all contracts.',
  ),
  detail: params.wordOr(['summary', 'full'], 'summary', 'Without `symbol`: full adds all rates.'),
};

type PageQuery = kit.Values<typeof pageParams>;

function pageOf(view: PerpetualsView, { limit, offset, detail, ...wanted }: PageQuery) {
  const found = fundingRates.fundingsInOrder(view.fundings(), wanted);
  const items = found.slice(offset, offset + limit).map((one) => ({
    ...summary.read(one),
    ...(detail === 'full' && { rates: rate.all(one.falling) }),
  }));
  return { total: found.length, offset, limit, count: items.length, items };
}

/** The rates that the mean is of. */
const explanationOf = (fundings: readonly fundingRates.Funding[], result: number): Explanation => ({
  field: 'average_rate_8h',
  result,
  method: 'weighted_sum',
  rule: 'The rate of every perpetual that is not too old, for eight hours, each counted once.',
  inputs: fundingInputs(fundings.map((funding) => ({ funding, weight: 1 / fundings.length }))),
});

function symbolOf(view: PerpetualsView, symbol: string, isExplained: boolean) {
  const fundings = view.fundingsOf(symbol);
  const found = fundingRates.fundingSummary(fundings);
  if (found === null) return null;
  const answer = {
    ...summary.read({ symbol, ...found }),
    rates: rate.all(found.falling),
    stale_exchanges: view.staleOn(symbol),
    ...(isExplained && { explanation: explanationOf(fundings, found.mean8Hours) }),
  };
  return jsonText(answer, Math.max(...fundings.map(({ received }) => received)));
}

const ratesAt = kit.columns<kit.Sample<recordedContracts.Contract>>()({
  ...recordedContracts.contractCells,
  sampled_at: s.unixMs('Hour in which it was settled.'),
  backfilled: kit.sampledCells.backfilled,
  funding_rate: [s.numberOrNull('A fraction per `interval_hours`.'), kit.recordedAs('rate')],
  interval_hours: [s.numberOrNull('Hours that it is for.'), kit.recordedAs('hours')],
});

export function ratesRoute(context: recordedContracts.RecordedContext & kit.Needs<'clock'>) {
  const { perpetuals, clock } = context;
  return kit.single({
    path: '/v1/funding-rates',
    summary: 'Funding rates of every perpetual on every exchange, one symbol, several or all',
    params: pageParams,
    what: 'funding rate',
    title: 'FundingRates',
    one: ofSymbol,
    list: ['rates', 'symbols', 'items'],
    all: page,
    choice:
      'With `symbol`, its perpetuals; with `symbols`, several of them; without, a page of symbols. With `at`, the settled rates.',
    view: {
      source: perpetuals.source,
      isEmpty: () => perpetuals.isEmpty(),
      has: (symbol) => perpetuals.hasFunding(symbol),
      one: (symbol) => symbolOf(perpetuals, symbol, false),
      explained: (symbol) => symbolOf(perpetuals, symbol, true),
      all: (query) => (perpetuals.isEmpty() ? null : pageOf(perpetuals, query)),
    },
    clock,
    // The last settled rate of the leading contract of each exchange.
    past: {
      series: 'funding',
      tiers: [{ step: '1h', keep: 400 * day }],
      settled: day,
      keys: (symbol) => recordedContracts.contractLabels(context, symbol),
      columns: ratesAt,
    },
  });
}
