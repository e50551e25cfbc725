/** The format of an answer where the query of a request states it, which spreadsheets and browsers can do without a header. */
import type { TableFormatName } from '../answers/tables/formats.ts';
import { preferredFormat } from '../wire/accept.ts';
import { type TabledRow, tableOf } from './csv-rows.ts';
import type { Param, Params, Route } from './route.ts';

/** The properties of a row that decide in which formats its answers are. */
type FormedRow = TabledRow & Partial<Pick<Route, 'file'>>;

const formats = ['json', 'csv', 'parquet'] as const satisfies ('json' | TableFormatName)[];
export type Format = (typeof formats)[number];

/** The format that a checked value names; null without one. */
export const formatOf = (word: string | number | undefined): Format | null =>
  formats.find((one) => one === word) ?? null;

const inMemory = {
  type: 'string',
  enum: ['json', 'csv'],
  description: 'Of the answer, whatever `Accept` says.',
} as const satisfies Param;

const ofFiles = {
  type: 'string',
  enum: formats,
  description:
    'Of the answer, whatever `Accept` says. All but JSON are files that with `from` have all rows of the range; each page of them counts as a request.',
} as const satisfies Param;

/** The parameter of a row whose answers are tables too. */
export function formatParams(row: FormedRow): Params {
  if (row.file) return { format: ofFiles };
  return tableOf(row) === null ? {} : { format: inMemory };
}

/** The file that a request asks for, by the format in its query, else by its `Accept`; null for JSON. */
export function fileFormat(format: Format | null, accept: string): TableFormatName | null {
  const chosen = format ?? preferredFormat(accept);
  return chosen === 'json' ? null : chosen;
}
