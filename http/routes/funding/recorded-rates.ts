/** The recorded rates of funding of an asset: of one contract on each exchange. */
import type { RecordedRows } from '../../../actors/topics/index.ts';
import { rowsIn } from '../../../indicators/market/recorded.ts';
import type { Given } from '../../endpoints/route.ts';
import { isApiError } from '../../wire/errors.ts';
import {
  type Contracts,
  contractParams,
  type RecordedContext,
} from '../analytics/recorded-contracts.ts';
import type { RoutesContext } from '../context.ts';

export type HistoryContext = RecordedContext & Pick<RoutesContext, 'clock'>;

/** The rates of a key with their hours, settled or running. */
export const ratesOf = (row: RecordedRows | undefined) =>
  rowsIn(row, { rate: 'rate', hours: 'hours' });

/** The contract of an asset on each exchange: the linear one, or the inverse one where there is no other. */
export const leadingParams = (context: HistoryContext) => {
  const { symbol, exchange } = contractParams(context, ['stable', 'coin']);
  const resolve = (values: Given) => {
    const found = symbol.resolve(values);
    if (isApiError(found)) return found;
    const first = new Map<string, Contracts>();
    for (const one of found.contracts) if (!first.has(one.exchange)) first.set(one.exchange, one);
    return { symbol: found.symbol, contracts: [...first.values()] };
  };
  return { symbol: { ...symbol, resolve }, exchange };
};
