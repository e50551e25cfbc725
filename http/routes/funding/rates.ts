/** Funding rates of all perpetuals on all exchanges. */
import * as s from '../../../actors/topics/schema.ts';
import {
  type Funding,
  type FundingSummary,
  fundingSummary,
  per8Hours,
  perYear,
} from '../../../indicators/derivatives/funding-rates.ts';
import { jsonText } from '../../answers/json.ts';
import type { JsonText } from '../../answers/json-text.ts';
import { type Route, route } from '../../endpoints/route.ts';
import { assetAmong, meaningsOf } from '../../views/markets.ts';
import type { PerpetualsView } from '../../views/perpetuals.ts';
import { type ApiError, apiError, isApiError, warmingUp } from '../../wire/errors.ts';
import { assetOf, symbolOrAll } from '../analytics/common.ts';
import type { RoutesContext } from '../context.ts';
import * as params from '../params.ts';
import {
  meantBy,
  type Several,
  severalOf,
  severalText,
  symbols,
  symbolsOf,
} from '../symbol-list.ts';
import { annualized, common, open_interest_usd, volume_24h_usd } from './common.ts';

/** One perpetual. */
const rate = s.object({
  exchange: s.exchange,
  contract: s.contract,
  quote: s.quote,
  funding_rate: s.number('As the exchange states it, a fraction per `interval_hours`.'),
  predicted_rate: s.numberOrNull(
    'Expected for the next interval, a fraction per `interval_hours`; null where the exchange states none.',
  ),
  interval_hours: s.intervalHours,
  funding_rate_8h: s.number('Fraction: the rate x 8 / `interval_hours`.'),
  annualized,
  next_funding_time: s.integerOrNull('Unix ms; null where it is not known.'),
  mark_price: s.numberOrNull('In `quote`.'),
  index_price: s.numberOrNull('In `quote`.'),
  open_interest_usd,
  volume_24h_usd,
  updated_at: s.unixMs('When it was received, Unix ms.'),
});
type Rate = s.Static<typeof rate>;

const extreme = (description: string) =>
  s.named(
    'FundingRateExtreme',
    s.object({ exchange: s.exchange, contract: s.contract, annualized }, description),
  );

const summary = {
  symbol: s.symbol,
  exchange_count: s.integer('Exchanges with a rate of it.'),
  contract_count: s.integer('Contracts that the means are of.'),
  average_rate_8h: s.number('Mean of `funding_rate_8h`, each contract counted once, a fraction.'),
  median_rate_8h: s.number('Median of `funding_rate_8h`, a fraction.'),
  annualized: s.number('The mean per 365 days, a fraction.'),
  highest: extreme('Contract with the highest rate.'),
  lowest: extreme('Contract with the lowest rate.'),
};
const summaryItem = s.object({
  ...summary,
  rates: s.optional(s.list(rate, 'With `detail=full`; highest first.')),
});
const ofSymbol = s.named(
  'FundingRatesOfSymbol',
  s.object({
    ...summary,
    rates: s.list(rate, 'Highest first.'),
    stale_exchanges: s.list(s.string(), 'Exchanges left out: what they stated is too old.'),
  }),
);
const page = s.named(
  'FundingRatesPage',
  s.object({
    total: s.integer('Symbols that there are.'),
    offset: s.integer('Symbols before the first item, as asked.'),
    limit: s.integer('Most items, as asked.'),
    count: s.count,
    items: s.list(summaryItem, 'One row a symbol, in the order of `sort`.'),
  }),
);
type Page = s.Static<typeof page>;
type OfSymbol = s.Static<typeof ofSymbol>;

const rateOf = (funding: Funding): Rate => ({
  exchange: funding.exchange,
  contract: funding.contract,
  quote: funding.quote,
  funding_rate: funding.rate,
  predicted_rate: funding.predicted,
  interval_hours: funding.hours,
  funding_rate_8h: per8Hours(funding),
  annualized: perYear(funding),
  next_funding_time: funding.next,
  mark_price: funding.mark,
  index_price: funding.index,
  open_interest_usd: funding.open_interest_usd,
  volume_24h_usd: funding.volume_24h_usd,
  updated_at: funding.received,
});

const highestFirst = (fundings: readonly Funding[]): Rate[] =>
  fundings.map(rateOf).sort((a, b) => b.annualized - a.annualized);

const extremeOf = (funding: Funding) => {
  const { exchange, contract } = funding;
  return { exchange, contract, annualized: perYear(funding) };
};

/** One symbol with its perpetuals, of which there is at least one. */
interface SymbolFundings {
  symbol: string;
  fundings: readonly Funding[];
  summary: FundingSummary;
}

const summaryOf = ({ symbol, fundings, summary }: SymbolFundings) => ({
  symbol,
  exchange_count: summary.exchanges,
  contract_count: fundings.length,
  average_rate_8h: summary.mean8Hours,
  median_rate_8h: summary.median8Hours,
  annualized: summary.annual,
  highest: extremeOf(summary.highest),
  lowest: extremeOf(summary.lowest),
});

const sorts = {
  rate: ({ summary }: SymbolFundings) => summary.mean8Hours,
  exchanges: ({ summary }: SymbolFundings) => summary.exchanges,
  annualized: ({ summary }: SymbolFundings) =>
    Math.max(Math.abs(perYear(summary.highest)), Math.abs(perYear(summary.lowest))),
} as const;
const sortNames = ['rate', 'exchanges', 'annualized'] as const satisfies (keyof typeof sorts)[];

interface PageQuery {
  limit: number;
  offset: number;
  sort: keyof typeof sorts;
  detail: 'summary' | 'full';
}

/** The summaries of lists that have not changed since. */
const summaries = new WeakMap<readonly Funding[], FundingSummary | null>();

function knownSummary(fundings: readonly Funding[]): FundingSummary | null {
  const known = summaries.get(fundings);
  if (known !== undefined) return known;
  const summary = fundingSummary(fundings);
  summaries.set(fundings, summary);
  return summary;
}

function pageOf(view: PerpetualsView, { limit, offset, sort, detail }: PageQuery): Page {
  const found = [...view.fundings()].flatMap(([symbol, fundings]): SymbolFundings[] => {
    const summary = knownSummary(fundings);
    return summary === null ? [] : [{ symbol, fundings, summary }];
  });
  const by = sorts[sort];
  // Equal ones by name, so that pages do not overlap.
  found.sort((a, b) => by(b) - by(a) || (a.symbol < b.symbol ? -1 : 1));
  const items = found.slice(offset, offset + limit).map((one) => ({
    ...summaryOf(one),
    ...(detail === 'full' && { rates: highestFirst(one.fundings) }),
  }));
  return { total: found.length, offset, limit, count: items.length, items };
}

/** The symbol that a name means: one that there is, else its base asset. */
const named = (view: PerpetualsView, name: string): string =>
  assetAmong((symbol) => view.fundingsOf(symbol).length > 0, name);

function symbolOf(view: PerpetualsView, symbol: string): JsonText<OfSymbol> | ApiError {
  const fundings = view.fundingsOf(symbol);
  const stale_exchanges = view.staleOn(symbol);
  const summary = fundingSummary(fundings);
  if (summary !== null) {
    const rates = highestFirst(fundings);
    const newest = Math.max(...rates.map(({ updated_at }) => updated_at));
    return jsonText(
      { ...summaryOf({ symbol, fundings, summary }), rates, stale_exchanges },
      newest,
    );
  }
  return stale_exchanges.length === 0
    ? apiError('unknown_symbol', `no exchange has a funding rate of ${symbol}`)
    : apiError('warming_up', `every exchange's funding rate of ${symbol} is too old`);
}

function symbolsText(view: PerpetualsView, names: readonly string[]) {
  return severalText(
    names,
    names.map((name) => symbolOf(view, named(view, name))),
  );
}

export function ratesRoute({ perpetuals }: Pick<RoutesContext, 'perpetuals'>): Route {
  const readPage = perpetuals.answers<PageQuery, Page>(
    ({ limit, offset, sort, detail }) => `${sort} ${detail} ${offset} ${limit}`,
    pageOf,
  );
  const readSymbol = perpetuals.answersBySymbol<string, OfSymbol>((symbol) => [symbol], symbolOf);
  const readSymbols = perpetuals.answersBySymbol<readonly string[], Several<OfSymbol>>(
    (names) => names.flatMap(meaningsOf),
    symbolsText,
  );
  return route({
    ...common,
    path: '/v1/funding-rates',
    summary: 'Funding rates of every perpetual on every exchange, one symbol, several or all',
    params: {
      symbol: symbolOrAll,
      symbols,
      limit: params.limit(50, 500, 'Without `symbol`: most symbols.'),
      offset: {
        type: 'integer',
        default: 0,
        minimum: 0,
        description: 'Without `symbol`: symbols to leave out at the start.',
      },
      sort: {
        type: 'string',
        enum: sortNames,
        default: 'exchanges',
        description:
          'Without `symbol`, largest first: mean rate, number of exchanges, or largest annual rate of any contract, of either sign.',
      },
      detail: {
        type: 'string',
        enum: ['summary', 'full'],
        default: 'summary',
        description: 'Without `symbol`: full adds the rates of every exchange.',
      },
    },
    answer: s.chosenBy(
      { symbol: ofSymbol, symbols: severalOf('FundingRatesOfSymbols', ofSymbol) },
      page,
      'With `symbol`, its perpetuals; with `symbols`, several of them; without, a page of symbols.',
    ),
    from: {
      view({ symbol, symbols: list, ...query }) {
        if (list !== undefined) {
          const names = symbolsOf(list, symbol);
          return isApiError(names) ? names : (readSymbols(names) ?? warmingUp);
        }
        const asset = assetOf(symbol);
        return (
          (asset === undefined ? readPage(query) : readSymbol(named(perpetuals, asset))) ??
          warmingUp
        );
      },
      listen({ symbol, symbols: list, ...query }, listener) {
        const meant = meantBy(list, symbol);
        if (meant === undefined) return readPage.listen(query, listener);
        return perpetuals.listen(meant, listener);
      },
    },
  });
}
