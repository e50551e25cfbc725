/** The recorded rates of funding of an asset: of one contract on each exchange. */
import type { RecordedRows } from '../../../actors/topics/index.ts';
import type { Settled } from '../../../indicators/derivatives/funding-history.ts';
import { isApiError } from '../../wire/errors.ts';
import {
  type Contracts,
  contractKeys,
  contractsOf,
  type RecordedContext,
} from '../analytics/recorded-contracts.ts';
import type { RoutesContext } from '../context.ts';
import { type Keys, ofRecord, type RecordedRange } from '../factory/recorded-subject.ts';

export type HistoryContext = RecordedContext & Pick<RoutesContext, 'clock'>;

/** The rates of a key with their hours, settled or running. */
export const ratesOf = ({ times, columns: { rate = [], hours = [] } }: RecordedRows): Settled[] =>
  times.flatMap((time, i) => {
    const [own, length] = [rate[i] ?? null, hours[i] ?? null];
    return own === null || length === null ? [] : [{ time, rate: own, hours: length }];
  });

/** An asset with its contract on each exchange. */
export interface AboutContracts {
  symbol: string;
  contracts: readonly Contracts[];
}

/** The contract of an asset on each exchange: the linear one, or the inverse one where there is no other. */
export const ofContracts = <V extends { symbol: string; exchange?: string | undefined }>(
  context: HistoryContext,
  {
    further = () => [],
    ...series
  }: {
    series: 'funding' | 'running-funding';
    what: string;
    range(values: V): RecordedRange;
    further?(about: AboutContracts): readonly Keys[];
  },
) =>
  ofRecord<V, AboutContracts>({
    ...series,
    find({ symbol: given, exchange }) {
      const found = contractsOf(context, { symbol: given, exchange, margins: ['stable', 'coin'] });
      if (isApiError(found)) return found;
      const { symbol } = found;
      const first = new Map<string, Contracts>();
      for (const one of found.contracts) if (!first.has(one.exchange)) first.set(one.exchange, one);
      const contracts = [...first.values()];
      return {
        symbol,
        contracts,
        keys: contractKeys(symbol, contracts),
        also: further({ symbol, contracts }),
      };
    },
  });
