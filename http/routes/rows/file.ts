/** The rows of a request as a file: all pages of its range, some rows at a time. */
import { intervals } from '../../../actors/topics/index.ts';
import type { AskQuestion, RowsFile, TableColumn } from '../../answers/tables/file.ts';
import { apiError, isApiError, type kit } from '../kit.ts';
import type { RowsContext } from './columns.ts';
import { questionAbout, type RowsRequest, repliesOf, requestOf } from './question.ts';
import { most, pagesFrom, type RowsValues } from './request.ts';
import { type RowsReader, type RowsReplies, readerOf } from './table.ts';

/** Rows that are made at a time: about two milliseconds of the event loop. */
const part = 1_000;

/** The type of a column of `/v1/rows`. */
const typeOf = (name: string): TableColumn['type'] => {
  if (name === 'timestamp') return 'ms';
  return name === 'exchange' || name === 'symbol' ? 'text' : 'number';
};

const incomplete = apiError('upstream_failed', 'an exchange or the history did not answer');

/** The file of a request, or what is wrong with it. Pages of a whole range are as long as they may be. `now` in Unix ms. */
export function rowsFile(
  context: RowsContext,
  given: RowsValues,
  now: number,
): RowsFile | kit.ApiError {
  const isNewest = given.from === undefined && given.cursor === undefined;
  const values = isNewest ? given : { ...given, limit: most.rows };
  const first = requestOf(context, values, now);
  if (isApiError(first)) return first;
  const { names, wanted } = first;
  const step = intervals[values.interval];
  const { page } = wanted;
  return {
    name: `rows-${values.interval}`,
    columns: names.map((name) => ({ name, type: typeOf(name) })),
    pages: pagesFrom(page, step, Math.min(values.to ?? now, now)),
    async *parts(ask) {
      let cursor = values.cursor;
      do {
        const asked = { ...values, cursor };
        const request = requestOf(context, asked, now);
        const page = isApiError(request) ? request : await readerFor(request, asked, ask);
        if (isApiError(page)) return yield page;
        for (let rows = page.next(part); rows.length > 0; rows = page.next(part)) yield rows;
        cursor = page.cursor;
      } while (cursor !== undefined);
    },
  };
}

/** Reads the rows of a page; `cursor` is that of the next one. */
async function readerFor(
  { wanted, asks }: RowsRequest,
  { symbols, exchanges }: RowsValues,
  ask: AskQuestion,
): Promise<(RowsReader & { cursor: string | undefined }) | kit.ApiError> {
  const nothing = { next: () => [], missing: [], cursor: undefined };
  if (wanted.markets.length === 0) return nothing;
  const question = questionAbout<RowsReplies>(asks, {
    what: `the rows of ${symbols} on ${exchanges}`,
    answer: (series, candles) =>
      [...series, ...candles].includes(null) ? incomplete : repliesOf(asks, series, candles),
  });
  const replies = isApiError(question) ? question : await ask(question);
  if (isApiError(replies)) return replies;
  const { next } = wanted.page;
  return { ...readerOf(wanted, replies), cursor: next === null ? undefined : String(next) };
}
