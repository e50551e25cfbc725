/** The format of an answer where the query of a request states it, which spreadsheets and browsers can do without a header. */
import { type TabledRow, tableOf } from './csv-rows.ts';
import type { Param, Params } from './route.ts';

const formats = ['json', 'csv'] as const;
export type Format = (typeof formats)[number];

/** The format that a checked value names; null without one. */
export const formatOf = (word: string | number | undefined): Format | null =>
  formats.find((one) => one === word) ?? null;

const format = {
  type: 'string',
  enum: formats,
  description: 'Of the answer, whatever `Accept` says.',
} as const satisfies Param;

/** The parameter of a row whose answers are tables too. */
export const formatParams = (row: TabledRow): Params => (tableOf(row) === null ? {} : { format });
