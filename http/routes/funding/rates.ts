/** Funding rates of all perpetuals on all exchanges. */
import { day } from '../../../config/time.ts';
import * as fundingRates from '../../../indicators/derivatives/funding-rates.ts';
import { jsonText } from '../../answers/json.ts';
import { type Explanation, explained } from '../../views/explanation.ts';
import type { PerpetualsView } from '../../views/perpetuals.ts';
import * as recordedContracts from '../analytics/recorded-contracts.ts';
import { kit, params, s } from '../kit.ts';
import { asset_class } from '../markets/common.ts';
import { cells, fundingInputs, group } from './common.ts';

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

/** One symbol with its perpetuals, of which there is at least one. */
interface SymbolFundings extends fundingRates.FundingSummary {
  symbol: string;
  fundings: readonly fundingRates.Funding[];
}

const summary = kit.columns<SymbolFundings>()({
  symbol: s.symbol,
  class: [asset_class, ({ fundings }) => fundings[0]?.asset_class ?? 'unknown'],
  exchange_count: [s.integer('Exchanges with a rate of it.'), 'exchanges'],
  contract_count: [s.integer('Contracts of the means.'), ({ fundings }) => fundings.length],
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

const highestFirst = (fundings: readonly fundingRates.Funding[]) =>
  rate.all(fundings.toSorted((a, b) => fundingRates.perYear(b) - fundingRates.perYear(a)));

const sorts = {
  rate: ({ mean8Hours }: SymbolFundings) => mean8Hours,
  exchanges: ({ exchanges }: SymbolFundings) => exchanges,
  annualized: ({ highest, lowest }: SymbolFundings) =>
    Math.max(Math.abs(fundingRates.perYear(highest)), Math.abs(fundingRates.perYear(lowest))),
  open_interest: ({ fundings }: SymbolFundings) =>
    fundings.reduce((sum, { open_interest_usd: usd }) => sum + (usd ?? 0), 0),
} as const;

const pageParams = {
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

/** The summaries of lists that have not changed since. */
const summaries = new WeakMap<
  readonly fundingRates.Funding[],
  fundingRates.FundingSummary | null
>();

function knownSummary(
  fundings: readonly fundingRates.Funding[],
): fundingRates.FundingSummary | null {
  const known = summaries.get(fundings);
  if (known !== undefined) return known;
  const summary = fundingRates.fundingSummary(fundings);
  summaries.set(fundings, summary);
  return summary;
}

function pageOf(view: PerpetualsView, query: PageQuery) {
  const { class: of, limit, offset, sort, detail } = query;
  const found = [...view.fundings()].flatMap(([symbol, fundings]): SymbolFundings[] => {
    if (of !== undefined && fundings[0]?.asset_class !== of) return [];
    const summary = knownSummary(fundings);
    return summary === null ? [] : [{ symbol, fundings, ...summary }];
  });
  const by = sorts[sort];
  // Equal ones by name, so that pages do not overlap.
  found.sort((a, b) => by(b) - by(a) || (a.symbol < b.symbol ? -1 : 1));
  const items = found.slice(offset, offset + limit).map((one) => ({
    ...summary.read(one),
    ...(detail === 'full' && { rates: highestFirst(one.fundings) }),
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

function symbolOf(view: PerpetualsView, symbol: string, isExplained = false) {
  const fundings = view.fundingsOf(symbol);
  const found = fundingRates.fundingSummary(fundings);
  if (found === null) return null;
  const answer = {
    ...summary.read({ symbol, fundings, ...found }),
    rates: highestFirst(fundings),
    stale_exchanges: view.staleOn(symbol),
    ...(isExplained && { explanation: explanationOf(fundings, found.mean8Hours) }),
  };
  return jsonText(answer, Math.max(...fundings.map(({ received }) => received)));
}

/** The perpetuals as answers by symbol. */
const bySymbol = (
  view: PerpetualsView,
): kit.BySymbol<s.Static<typeof ofSymbol>, s.Static<typeof page>, PageQuery> => ({
  source: view.source,
  isEmpty: () => view.isEmpty(),
  has: (symbol) => view.hasFunding(symbol),
  one: (symbol) => symbolOf(view, symbol),
  explained: (symbol) => symbolOf(view, symbol, true),
  all: (query) => (view.isEmpty() ? null : pageOf(view, query)),
});

const ratesAt = kit.columns<kit.Sample<recordedContracts.Contract>>()({
  ...recordedContracts.contractCells,
  sampled_at: s.unixMs('Hour in which it was settled.'),
  backfilled: kit.sampledCells.backfilled,
  funding_rate: [s.numberOrNull('A fraction per `interval_hours`.'), kit.recordedAs('rate')],
  interval_hours: [s.numberOrNull('Hours that it is for.'), kit.recordedAs('hours')],
});

/** The last settled rate of the leading contract of each exchange. */
const pastRates = (context: Context) =>
  kit.pastOf(
    'FundingRatesAt',
    {
      series: 'funding',
      what: 'the funding rate',
      tiers: [{ step: '1h', keep: 400 * day }],
      settled: day,
      keys: (symbol) => recordedContracts.contractLabels(context, symbol),
      columns: ratesAt,
    },
    {
      clock: context.clock,
      find: kit.found({ has: (symbol) => context.perpetuals.hasFunding(symbol) }),
    },
  );

type Context = recordedContracts.RecordedContext & kit.Needs<'clock'>;

export const ratesRoute = (context: Context) =>
  kit.single({
    group,
    path: '/v1/funding-rates',
    summary: 'Funding rates of every perpetual on every exchange, one symbol, several or all',
    params: {
      symbol: params.symbolOrAll,
      symbols: kit.symbols,
      explain: params.explain,
      at: kit.at,
      ...pageParams,
    },
    what: 'funding rate',
    one: ofSymbol,
    list: ['rates', 'symbols', 'items'],
    several: 'FundingRatesOfSymbols',
    all: page,
    choice:
      'With `symbol`, its perpetuals; with `symbols`, several of them; without, a page of symbols. With `at`, the settled rates.',
    view: bySymbol(context.perpetuals),
    past: pastRates(context),
  });
