/** What a request for `/v1/rows` is about: its columns, markets and page. */
import { type Interval, intervals } from '../../../actors/topics/index.ts';
import { contractsOf } from '../analytics/recorded-contracts.ts';
import { apiError, isApiError, kit, params } from '../kit.ts';
import {
  type MarketKind,
  type RowColumn,
  type RowMarket,
  type RowsContext,
  rowColumns,
} from './columns.ts';

/** Most markets of a request, each a question to an exchange where candles are asked for, and most rows and intervals of a page. */
export const most = { markets: 60, symbols: 20, rows: 20_000, intervals: 1_000 } as const;

export interface RowsValues {
  columns: string;
  symbols: string;
  exchanges: string;
  kind: MarketKind;
  interval: Interval;
  limit: number;
  from?: number | undefined;
  to?: number | undefined;
  cursor?: string | undefined;
}

/** A part of the answer that is not there, and why. */
export interface MissingPart {
  exchange: string;
  /** Null: all of the request. */
  symbol: string | null;
  column: string | null;
  reason: string;
}

/** A column of an answer. */
export interface AskedColumn {
  name: string;
  form: RowColumn;
}

/** The names of a list with commas, each once. */
const namesIn = (list: string): string[] => [...new Set(list.split(',').map((one) => one.trim()))];

/** The columns that are asked for. */
export function columnsIn(list: string): AskedColumn[] | kit.ApiError {
  const names = namesIn(list.toLowerCase());
  const found = names.flatMap((name) => {
    const form = Object.hasOwn(rowColumns, name) ? rowColumns[name] : undefined;
    return form === undefined ? [] : [{ name, form }];
  });
  if (found.length === names.length) return found;
  const unknown = names.find((name) => !Object.hasOwn(rowColumns, name));
  const known = Object.keys(rowColumns).join(', ');
  return apiError('bad_parameter', `columns: '${unknown}' is none of ${known}`);
}

/** The market of an asset on an exchange; of perpetuals the one with its margin. */
function marketOn(
  context: RowsContext,
  { exchange, symbol, kind }: { exchange: string; symbol: string; kind: MarketKind },
): RowMarket | kit.ApiError {
  const found = context.markets.resolve(symbol, { kind, exchanges: [exchange] });
  if (isApiError(found)) return found;
  const market = { exchange, symbol: found.symbol, kind, market: found.market };
  if (kind === 'spot') return { ...market, margin: 'stable' };
  const margins = ['stable', 'coin'] as const;
  const own = contractsOf(context, { symbol: found.symbol, exchange, margins });
  const [leading] = isApiError(own) ? [] : own.contracts;
  return { ...market, margin: leading?.margin ?? 'stable' };
}

/** Whether any exchange lists a market of an asset. */
const isListed = ({ markets, registry }: RowsContext, symbol: string): boolean =>
  !isApiError(markets.resolve(symbol, { exchanges: registry.map(({ id }) => id) }));

/** The markets of a request by exchange and symbol, and those that are not listed. */
export function marketsIn(
  context: RowsContext,
  values: Pick<RowsValues, 'symbols' | 'exchanges' | 'kind'>,
): { markets: RowMarket[]; missing: MissingPart[] } | kit.ApiError {
  const { kind } = values;
  const symbols = kit.symbolsOf(values.symbols, undefined);
  if (isApiError(symbols)) return symbols;
  const ids = params.exchangesWith(context.registry, kind);
  const exchanges = params.exchangesIn(ids, values.exchanges);
  if (isApiError(exchanges)) return exchanges;
  if (symbols.length > most.symbols || symbols.length * exchanges.length > most.markets) {
    const asked = `${symbols.length} symbols on ${exchanges.length} exchanges`;
    return apiError(
      'bad_parameter',
      `symbols: at most ${most.symbols}, and ${most.markets} markets together, not ${asked}`,
    );
  }
  const pairs = symbols.flatMap((symbol) => exchanges.map((exchange) => ({ symbol, exchange })));
  const found = pairs.map((pair) => marketOn(context, { ...pair, kind }));
  const markets = found.flatMap((one) => (isApiError(one) ? [] : [one]));
  const refused = found.filter(isApiError).find(({ error }) => error !== 'unknown_symbol');
  if (markets.length === 0 && refused) return refused;
  if (markets.length === 0 && !symbols.some((symbol) => isListed(context, symbol))) {
    return apiError('unknown_symbol', `unknown symbol '${symbols.join("', '")}'`);
  }
  const missing = pairs.flatMap(({ symbol, exchange }, i): MissingPart[] => {
    const one = found[i];
    return one && isApiError(one) ? [{ exchange, symbol, column: null, reason: one.message }] : [];
  });
  return { markets, missing };
}

/** A page: the first and last start of an interval, Unix ms. */
export interface RowsPage {
  first: number;
  last: number;
  /** Most intervals. */
  limit: number;
  /** Whether it begins where the request says, else it ends there. */
  isForward: boolean;
  /** Where the next page begins; null where there is none. */
  next: number | null;
}

/** Pages from one on to the end of the range. */
export const pagesFrom = ({ first, isForward, limit }: RowsPage, step: number, end: number) =>
  isForward ? Math.max(1, Math.ceil((end - first + step) / (step * limit))) : 1;

/** The page of a request about so many markets. A page has whole intervals. */
export function pageOf(values: RowsValues, markets: number, now: number): RowsPage | kit.ApiError {
  const { cursor, to = now } = values;
  if (cursor !== undefined && !/^\d{1,15}$/.test(cursor)) {
    return apiError('bad_parameter', 'cursor must be the `next` of an answer');
  }
  const from = cursor === undefined ? values.from : Number(cursor);
  const step = intervals[values.interval];
  if (values.limit < markets) {
    return apiError(
      'bad_parameter',
      `limit must be ${markets} at least: an interval has so many rows`,
    );
  }
  const limit = Math.min(Math.floor(values.limit / Math.max(markets, 1)), most.intervals);
  const end = Math.floor(Math.min(to, now) / step) * step;
  if (from === undefined) {
    return { first: end - (limit - 1) * step, last: end, limit, isForward: false, next: null };
  }
  const first = Math.ceil(from / step) * step;
  const last = Math.min(end, first + (limit - 1) * step);
  return { first, last, limit, isForward: true, next: last + step <= end ? last + step : null };
}
