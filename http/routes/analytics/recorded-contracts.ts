/** The perpetuals of an asset whose series are recorded: one of each margin on each exchange. */
import { type Margin, recordedKey } from '../../../actors/topics/index.ts';
import { assetAmong } from '../../views/markets.ts';
import { apiError, isApiError, type kit, params, s, warmingUp } from '../kit.ts';

const allMargins = ['stable', 'coin'] as const;

/** What choosing the exchanges of an asset takes. */
export interface RecordedContext extends kit.Needs<'perpetuals'> {
  registry: kit.Registry;
}

/** The parts of the key of a series of contracts. */
export interface Contract {
  exchange: string;
  margin: Margin;
}

/** The contracts of an asset of one margin on an exchange, with its own id of the most traded one. */
export interface Contracts extends Contract {
  contract: string;
}

/** An asset with its contracts. */
export interface AssetContracts {
  symbol: string;
  contracts: readonly Contracts[];
}

/** What a client asks about. */
interface ContractsQuery {
  symbol: string;
  exchange?: string | undefined;
  margins: readonly Margin[];
}

/** The asset that a client names with the exchanges and margins of its perpetuals, or why there are none. */
export function contractsOf(
  { perpetuals, registry }: RecordedContext,
  { symbol: given, exchange, margins }: ContractsQuery,
): AssetContracts | kit.ApiError {
  const asked = params.exchangesIn(params.exchangesWith(registry, 'perpetual'), exchange);
  if (isApiError(asked)) return asked;
  const leading = (symbol: string, of: readonly Margin[]): Contracts[] =>
    asked.flatMap((id) =>
      of.flatMap((margin) => {
        const found = perpetuals.leading(id, symbol, margin);
        return found ? [{ exchange: id, margin, contract: found.contract }] : [];
      }),
    );
  const symbol = assetAmong((name) => leading(name, allMargins).length > 0, given);
  const contracts = leading(symbol, margins);
  if (contracts.length > 0) return { symbol, contracts };
  if (asked.every((id) => perpetuals.of(id) === undefined)) return warmingUp;
  const where = exchange === undefined ? '' : ` for ${exchange}`;
  return apiError('unknown_symbol', `unknown symbol '${given}'${where}`);
}

/** The asset and the exchanges that a client names, which resolve to its contracts of these margins. */
export const contractParams = (context: RecordedContext, margins: readonly Margin[]) => ({
  symbol: {
    ...params.symbolOrBitcoin,
    resolve: ({ symbol, exchange }: kit.CheckedValues) =>
      contractsOf(context, {
        symbol: String(symbol),
        exchange: exchange === undefined ? exchange : String(exchange),
        margins,
      }),
  },
  exchange: params.severalExchanges('All that have such contracts when absent.'),
});

/** The keys of the series of these contracts. */
export const contractKeys = ({ symbol, contracts }: AssetContracts): string[] =>
  contracts.map(({ exchange, margin }) => recordedKey(exchange, margin, symbol));

export const contractCells = {
  exchange: s.exchange,
  margin: s.oneOf(allMargins, 'Settled in a dollar currency or in the base asset.'),
};

/** The keys of the contracts of an asset with their parts; those of all exchanges with perpetuals for one that is not listed. */
export function contractLabels(context: RecordedContext, symbol: string) {
  const listed = contractsOf(context, { symbol, margins: allMargins });
  const ids = params.exchangesWith(context.registry, 'perpetual');
  const all: readonly Contract[] = isApiError(listed)
    ? ids.flatMap((exchange) => allMargins.map((margin) => ({ exchange, margin })))
    : listed.contracts;
  return all.map(({ exchange, margin }) => ({
    key: recordedKey(exchange, margin, symbol),
    labels: { exchange, margin },
  }));
}
