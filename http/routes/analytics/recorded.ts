/** What the rows share that answer recorded series. */
import {
  type Coverage,
  historySource,
  type Margin,
  type Recorded,
  type RecordedParams,
} from '../../../actors/topics/index.ts';
import * as s from '../../../actors/topics/schema.ts';
import type { Perpetual, Perpetuals } from '../../../indicators/derivatives/perpetuals.ts';
import type { QuestionOf } from '../../answers/queries.ts';
import type { Param } from '../../endpoints/route.ts';
import { assetAmong } from '../../views/markets.ts';
import { type ApiError, apiError, warmingUp } from '../../wire/errors.ts';
import type { RoutesContext } from '../context.ts';

const source = historySource;

/** A question to the store. */
type SeriesQuestion<D> = Omit<QuestionOf<'series', D>, 'source' | 'name' | 'also'> & {
  /** Further questions of the same kind. */
  also?: readonly RecordedParams[];
};

/** The question about a recorded series; any failure of the store is 503. */
export const recordedQuestion = <D>({
  also = [],
  ...asked
}: SeriesQuestion<D>): QuestionOf<'series', D> => ({
  ...asked,
  source,
  name: 'series',
  also: also.map((params) => ({ source, params })),
});

export const coverage = s.named(
  'RecordCoverage',
  s.object(
    {
      from: s.integerOrNull('First interval that was asked for, Unix ms.'),
      to: s.integerOrNull('Last interval that was asked for, Unix ms.'),
      expected: s.integer('Rows of an unbroken record.'),
      present: s.integer('Rows that there are.'),
      complete: s.boolean('At least 95 % of the expected rows are there.'),
      backfilled: s.boolean('Some rows are from the history that the exchange itself keeps.'),
    },
    'How much of what was asked for is recorded.',
  ),
);

/** The fields of an answer about its record. */
export const recordFields = {
  coverage,
  note: s.optional(s.string('Why there are no points.')),
};

/** The coverage of several series together. */
export function coverageOf(all: readonly Coverage[]): s.Static<typeof coverage> {
  const sum = (of: (one: Coverage) => number) => all.reduce((total, one) => total + of(one), 0);
  const [expected, present] = [sum((one) => one.expected), sum((one) => one.present)];
  return {
    from: all.length === 0 ? null : Math.min(...all.map(({ from }) => from)),
    to: all.length === 0 ? null : Math.max(...all.map(({ to }) => to)),
    ...{ expected, present },
    complete: present >= 0.95 * expected,
    backfilled: all.some(({ backfilled }) => backfilled),
  };
}

/** The coverage of an answer, and why it has no points where it has none. */
export function recordOf({ rows }: Recorded, points: number) {
  const begun = rows[0]?.recorded_from;
  return {
    coverage: coverageOf(rows.map((row) => row.coverage)),
    ...(points === 0 &&
      begun !== undefined && { note: `recording started at ${new Date(begun).toISOString()}` }),
  };
}

/** Several exchanges; all when absent. */
export const exchangesParam = {
  type: 'string',
  maxLength: 400,
  pattern: '^[A-Za-z0-9-]+(,[A-Za-z0-9-]+)*$',
  description: 'Exchange ids, separated by commas. All that have such contracts when absent.',
  example: 'binance,okx',
} as const satisfies Param;

/** What choosing the exchanges of an asset takes. */
export interface RecordedContext extends Pick<RoutesContext, 'perpetuals'> {
  registry: readonly Pick<RoutesContext['registry'][number], 'id' | 'kinds'>[];
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
): { symbol: string; contracts: readonly Contracts[] } | ApiError {
  const ids = registry.filter(({ kinds }) => kinds.includes('perpetual')).map(({ id }) => id);
  const asked = exchange === undefined ? ids : [...new Set(exchange.toLowerCase().split(','))];
  const unknown = asked.find((id) => !ids.includes(id));
  if (unknown !== undefined) {
    return apiError('bad_parameter', `exchange '${unknown}' is none of ${ids.join(', ')}`);
  }
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
