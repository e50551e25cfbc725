/** Calls of tools: checks the arguments, reads the rows, and gives their answers. */
import { nearestOf } from '../../indicators/words.ts';
import { type Asking, type Find, prepared, young } from '../endpoints/batch.ts';
import { paramsOf } from '../endpoints/common-params.ts';
import type { Param, Params } from '../endpoints/route.ts';
import { pathNames } from '../endpoints/validate.ts';
import { type ApiError, isApiError } from '../wire/errors.ts';
import { isAbsent, jsonIn } from './json-rpc.ts';
import {
  answerOf,
  failure,
  type PageRequest,
  type PartAnswer,
  type ToolResult,
  textOf,
} from './result.ts';
import { answerBytes, type Tool, type View } from './tool.ts';

export type Arguments = Readonly<Record<string, unknown>>;

/** What a call needs of the server and of its caller. */
export interface CallContext extends Asking {
  find: Find;
  /** Unix ms. */
  now(): number;
  /** Counts further requests; the error when the quota does not have them all. */
  count(times: number): Promise<ApiError | null>;
  simulated: boolean;
}

/** Whether a step of a call has ended in an error. */
export const isFailure = <T>(found: T | ToolResult): found is ToolResult =>
  typeof found === 'object' && found !== null && 'isError' in found;

/** A name of the caller's in an error. */
const quoted = (name: string): string => JSON.stringify(name.slice(0, 64).toWellFormed());

/** What n8n puts among the arguments of every call: https://github.com/n8n-io/n8n/issues/21716 */
const ofClients: ReadonlySet<string> = new Set(['action', 'chatInput', 'sessionId', 'toolCallId']);

/** The arguments without those that a client has added on its own: of n8n, and names that begin with an underscore. No tool has such. */
export const ofCaller = (given: Arguments): Arguments =>
  Object.fromEntries(
    Object.entries(given).filter(([name]) => !(ofClients.has(name) || name.startsWith('_'))),
  );

/** Arguments of which 0 leaves nothing to answer. */
const neverZero: ReadonlySet<string> = new Set(['at', 'max_age', 'to']);

/**
 * The arguments without those that a gateway has filled with 0, as the caller left them out: what its least value or its meaning forbids.
 * https://github.com/metatool-ai/metamcp/issues/365
 */
const withoutFilled = (given: Arguments, params: Params): Arguments =>
  Object.fromEntries(
    Object.entries(given).filter(
      ([name, value]) =>
        value !== 0 ||
        !(
          neverZero.has(name) ||
          (params[name]?.minimum ?? 0) > 0 ||
          (name === 'from' && given.to === 0)
        ),
    ),
  );

/** The error of an argument that a tool does not have; null without one. */
export function unknownArgument(given: Arguments, names: readonly string[]): ToolResult | null {
  const unknown = Object.keys(given).find((name) => !names.includes(name));
  if (unknown === undefined) return null;
  const nearest = nearestOf(unknown, names);
  return failure(
    `there is no argument ${quoted(unknown)}, the nearest is ${nearest}; the arguments are ${names.join(', ')}`,
  );
}

/** A list that was sent as JSON text, as some clients do; any other value as it is. */
function listIn(value: unknown): unknown {
  const found = typeof value === 'string' && value.startsWith('[') ? jsonIn(value) : value;
  return Array.isArray(found) ? found : value;
}

/** The text of an argument, as in a query; null for what has none. */
function plain(value: unknown): string | null {
  // Half a character has no place in a path.
  if (typeof value === 'string') return value.toWellFormed();
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : null;
  if (typeof value === 'boolean') return value ? '1' : '0';
  if (!Array.isArray(value)) return null;
  const parts = value.map((part: unknown) => (Array.isArray(part) ? null : plain(part)));
  return parts.some((part) => part === null) ? null : parts.join(',');
}

/** The arguments as texts, without those that are absent. */
export function textsOf(given: Arguments): Record<string, string> | ToolResult {
  const texts: Record<string, string> = {};
  for (const [name, value] of Object.entries(given)) {
    const found = listIn(value);
    if (isAbsent(found)) continue;
    const text = plain(found);
    if (text === null) return failure(`${name} must be text, a number, or a list of them`);
    texts[name] = text;
  }
  return texts;
}

/** What a call says about its page; the rest of its arguments makes the key. */
export function pageRequestOf(tool: string, given: Arguments): PageRequest | ToolResult {
  const { max_bytes, cursor, ...rest } = given;
  const bytes = typeof max_bytes === 'string' ? Number(max_bytes) : max_bytes || answerBytes.usual;
  const { least, most } = answerBytes;
  const isWhole = typeof bytes === 'number' && Number.isSafeInteger(bytes);
  if (!isWhole || bytes < least || bytes > most)
    return failure(`max_bytes must be a whole number from ${least} to ${most}`);
  if (cursor !== undefined && cursor !== null && typeof cursor !== 'string')
    return failure('cursor must be text: next_cursor of the answer before');
  const sorted = Object.entries(rest).sort(([a], [b]) => (a < b ? -1 : 1));
  return { maxBytes: bytes, cursor: cursor ?? undefined, key: JSON.stringify([tool, sorted]) };
}

/** The path of a row with these parameters. */
export function pathOf(path: string, given: Readonly<Record<string, string>>): string {
  const names = pathNames(path);
  const place = names.reduce(
    (text, name) => text.replace(`{${name}}`, encodeURIComponent(given[name] ?? '')),
    path,
  );
  const query = Object.entries(given).filter(([name]) => !names.includes(name));
  return query.length === 0 ? place : `${place}?${new URLSearchParams(query)}`;
}

/** Reads paths, each under a name, and makes the answer of them. */
export async function readPaths(
  paths: readonly { name: string; path: string }[],
  page: PageRequest,
  context: CallContext,
): Promise<ToolResult> {
  const { find, now, simulated } = context;
  const refusal = paths.length > 1 ? await context.count(paths.length - 1) : null;
  if (refusal !== null) return failure(textOf(refusal));
  const readers = await Promise.all(
    paths.map(async ({ name, path }) => {
      const found = find(path);
      return { name, path, found, read: await prepared(found, context) };
    }),
  );
  // All that is in memory is read in one turn: no reading is taken between two parts.
  const at = now();
  const parts = readers.map(({ name, path, found, read }): PartAnswer => {
    const row = isApiError(found) ? null : found.endpoint.row;
    return { name, path, row, answer: young(read(), found, at) };
  });
  return answerOf(parts, page, { now: at, simulated });
}

/** The view that a call names, in any case; the first without a name. */
function viewOf({ views }: Tool, given: Arguments): View | ToolResult {
  const [usual] = views;
  const { view = usual?.name } = given;
  const words = views.map(({ name }) => name);
  const found = views.find(({ name }) => name === String(view).toLowerCase());
  return found ?? failure(`view must be one of ${words.join(', ')}`);
}

/** Whether an argument lacks that the row itself does not ask for; the rows say of others what is allowed. */
const isMissing = (param: Param | undefined, text: string | undefined): boolean =>
  param?.required === true && param.lenient === true && text === undefined;

/** Calls a tool of the table. */
export async function callTool(
  tool: Tool,
  sent: Arguments,
  context: CallContext,
): Promise<ToolResult> {
  const view = viewOf(tool, sent);
  if (isFailure(view)) return view;
  const given = withoutFilled(sent, view.params);
  const page = pageRequestOf(tool.name, given);
  if (isFailure(page)) return page;
  const { view: _, max_bytes: __, cursor: ___, ...asked } = given;
  const own = Object.keys(view.params);
  const unknown = unknownArgument(asked, [
    ...new Set([...own, ...tool.views.flatMap(({ params }) => Object.keys(params))]),
  ]);
  if (unknown !== null) return unknown;
  const leftOut = Object.keys(asked).filter((name) => !own.includes(name));
  const texts = textsOf(Object.fromEntries(own.map((name) => [name, asked[name]])));
  if (isFailure(texts)) return texts;
  const missing = own.find((name) => isMissing(view.params[name], texts[name]));
  if (missing !== undefined) return failure(`${missing} is required`);
  const paths = view.endpoints.map(({ row }) => {
    const own = paramsOf(row);
    const takes = Object.entries({ ...tool.usual, ...texts }).filter(([name]) =>
      Object.hasOwn(own, name),
    );
    return { name: row.path, path: pathOf(row.path, Object.fromEntries(takes)) };
  });
  return readPaths(paths, { ...page, leftOut }, context);
}
