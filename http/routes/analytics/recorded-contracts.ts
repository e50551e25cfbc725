/** The perpetuals of an asset whose series are recorded: one of each margin on each exchange. */
import { type Margin, recordedKey } from '../../../actors/topics/index.ts';
import * as s from '../../../actors/topics/schema.ts';
import type { Perpetual, Perpetuals } from '../../../indicators/derivatives/perpetuals.ts';
import type { CheckedValues } from '../../endpoints/route.ts';
import { assetAmong } from '../../views/markets.ts';
import { type ApiError, apiError, isApiError, warmingUp } from '../../wire/errors.ts';
import type { Registry, RoutesContext } from '../context.ts';
import * as params from '../params.ts';

/** What choosing the exchanges of an asset takes. */
export interface RecordedContext extends Pick<RoutesContext, 'perpetuals'> {
  registry: Registry;
}

/** The most traded contract of an asset of one margin, by margin. */
type Leading = ReadonlyMap<Margin, Perpetual>;
const listed = new WeakMap<Perpetuals, ReadonlyMap<string, Leading>>();

/** The assets with perpetuals on an exchange; made once for each change of its perpetuals. */
function assetsOf(perpetuals: Perpetuals): ReadonlyMap<string, Leading> {
  const known = listed.get(perpetuals);
  if (known) return known;
  const found = new Map<string, Map<Margin, Perpetual>>();
  for (const row of perpetuals.rows) {
    const margin = row.inverse === true ? 'coin' : 'stable';
    const leading = found.get(row.symbol) ?? new Map<Margin, Perpetual>();
    found.set(row.symbol, leading);
    const most = leading.get(margin);
    if (!most || (row.volume ?? 0) > (most.volume ?? 0)) leading.set(margin, row);
  }
  listed.set(perpetuals, found);
  return found;
}

/** The contracts of an asset of one margin on an exchange. */
export interface Contracts {
  exchange: string;
  margin: Margin;
  /** The exchange's own id of the most traded one. */
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
): AssetContracts | ApiError {
  const asked = params.exchangesIn(params.exchangesWith(registry, 'perpetual'), exchange);
  if (isApiError(asked)) return asked;
  const assets = asked.map((id) => {
    const own = perpetuals.of(id);
    return { id, assets: own && assetsOf(own) };
  });
  if (assets.every((one) => one.assets === undefined)) return warmingUp;
  const symbol = assetAmong((name) => assets.some((one) => one.assets?.has(name)), given);
  const contracts = assets.flatMap((one) =>
    margins.flatMap((margin) => {
      const leading = one.assets?.get(symbol)?.get(margin);
      return leading ? [{ exchange: one.id, margin, contract: leading.contract }] : [];
    }),
  );
  if (contracts.length > 0) return { symbol, contracts };
  const where = exchange === undefined ? '' : ` for ${exchange}`;
  return apiError('unknown_symbol', `unknown symbol '${given}'${where}`);
}

/** The asset and the exchanges that a client names, which resolve to its contracts of these margins. */
export const contractParams = (context: RecordedContext, margins: readonly Margin[]) => ({
  symbol: {
    ...params.symbolOrBitcoin,
    resolve: ({ symbol, exchange }: CheckedValues) =>
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

const margins = ['stable', 'coin'] as const;

/** The parts of the key of a series of contracts. */
export interface Contract {
  exchange: string;
  margin: Margin;
}
export const contractCells = {
  exchange: s.exchange,
  margin: s.oneOf(margins, 'Settled in a dollar currency or in the base asset.'),
};

/** The keys of the contracts of an asset with their parts; those of all exchanges with perpetuals for one that is not listed. */
export function contractLabels(context: RecordedContext, symbol: string) {
  const listed = contractsOf(context, { symbol, margins });
  const ids = params.exchangesWith(context.registry, 'perpetual');
  const all: readonly Contract[] = isApiError(listed)
    ? ids.flatMap((exchange) => margins.map((margin) => ({ exchange, margin })))
    : listed.contracts;
  return all.map(({ exchange, margin }) => ({
    key: recordedKey(exchange, margin, symbol),
    labels: { exchange, margin },
  }));
}
