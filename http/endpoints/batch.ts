/** Several answers as of one moment: those of `POST /v1/batch`. */
import { createHash } from 'node:crypto';
import type { BudgetName } from '../../config/plans.ts';
import { JsonText } from '../answers/json-text.ts';
import { Snapshot } from '../answers/snapshots.ts';
import { type ApiError, apiError, errorMembers, isApiError, kindOf } from '../wire/errors.ts';
import type { Endpoint, Values } from './endpoint.ts';
import { type Freshness, withinMaxAge } from './freshness.ts';
import type { Batch } from './route.ts';

/** The row at a path of the API with its checked values. */
export interface PathRequest {
  endpoint: Endpoint;
  values: Values;
  freshness: Freshness | undefined;
  /** It is answered by `past` of the endpoint. */
  isPast: boolean;
}

/** Finds the GET row at a path with its query. */
export type Find = (path: string) => PathRequest | ApiError;

/** Most bytes of all answers together. */
export const mostBatchBytes = 16 * 2 ** 20;

const notRead = apiError(
  'bad_parameter',
  'a batch takes answers with market data; ask for this path by itself',
);
const notWaited = apiError('bad_parameter', 'wait is for single requests');
const tooMuch = apiError(
  'too_large',
  'it does not fit into what the answers before it leave of the 16 MiB of a batch',
);

/** How one path is answered: from a reply, or from memory at the moment of the batch. */
type Answer = () => Snapshot | ApiError;

/** For whom paths are read. */
export interface Asking {
  account: string;
  /** Counts one more request in flight, until the function is called; the error where the caller has too many. */
  enter(): (() => void) | ApiError;
  /**
   * Counts a request against a budget of the account. With it paths are read that do not belong to one moment: those of rows with
   * a budget, and those about the past.
   */
  spend?: (budget: BudgetName) => Promise<ApiError | null>;
}

/** How a path is answered: out of the records where it asks for the past, if that may be asked. */
const runOf = ({ endpoint, isPast }: PathRequest, mayAskPast: boolean) =>
  (mayAskPast && isPast ? endpoint.past : null) ?? endpoint.run;

/** Sends the queries that are needed; the returned function reads the answer. */
export async function prepared(
  found: PathRequest | ApiError,
  { account, enter, spend }: Asking,
): Promise<Answer> {
  if (isApiError(found)) return () => found;
  const { endpoint, values, freshness } = found;
  const { budget, from } = endpoint.row;
  const run = runOf(found, spend !== undefined);
  if (freshness?.wait) return () => notWaited;
  if ('now' in run) return () => run.now(values);
  if (!('later' in run) || 'raw' in from) return () => notRead;
  const refusal = budget === undefined ? null : spend === undefined ? notRead : await spend(budget);
  if (refusal !== null) return () => refusal;
  const leave = enter();
  if (isApiError(leave)) return () => leave;
  const answer = await run.later(values, account).finally(leave);
  return () => (isApiError(answer) ? answer : answer instanceof Snapshot ? answer : notRead);
}

/** One answer as a member of the list, without its path. */
function membersOf(answer: Snapshot | ApiError): string {
  if (isApiError(answer)) return `"status":${kindOf(answer).status},${errorMembers(answer)}}`;
  const asOf = answer.asOf === null ? '' : `"as_of":${answer.asOf},`;
  return `"status":200,${asOf}"version":"${answer.version}","data":${answer.dataText}}`;
}

/** What a batch needs of the server and of its caller. */
export interface BatchContext extends Asking {
  find: Find;
  /** Unix ms. */
  now(): number;
}

/**
 * The answers of some paths in their order. Those from memory are all read in one turn of the event loop, after those that
 * are asked for have come: no reading is taken between them. `id` is equal for equal answers.
 */
export async function batchText(
  paths: readonly string[],
  { find, account, now, enter }: BatchContext,
): Promise<JsonText<Batch>> {
  const found = paths.map(find);
  let isFirst = true;
  const asking = {
    account,
    // The request itself counts for the first one.
    enter(): (() => void) | ApiError {
      const leave = isFirst ? () => {} : enter();
      isFirst = false;
      return leave;
    },
  };
  const readers = await Promise.all(found.map((one) => prepared(one, asking)));
  const at = now();
  const id = createHash('sha1');
  let room = mostBatchBytes;
  const items = readers.map((read, i) => {
    const answer = young(read(), found[i], at);
    const fits = isApiError(answer) || answer.length <= room;
    if (fits && !isApiError(answer)) room -= answer.length;
    id.update(isApiError(answer) ? answer.message : answer.version).update('\0');
    return `{"path":${JSON.stringify(paths[i])},${membersOf(fits ? answer : tooMuch)}`;
  });
  const head = `{"snapshot_id":"${id.digest('base64url')}","at":${at},"count":${items.length}`;
  return new JsonText(`${head},"answers":[${items.join(',')}]}`);
}

/** The answer, or the error of one that is older than its request takes. */
export function young(
  answer: Snapshot | ApiError,
  found: PathRequest | ApiError | undefined,
  now: number,
) {
  if (isApiError(answer) || found === undefined || isApiError(found)) return answer;
  return found.freshness === undefined ? answer : withinMaxAge(answer, found.freshness, now);
}
