/** What clients of streams send: messages over a WebSocket, and the query of a stream by Server-Sent Events. */

import { hour } from '../../../config/time.ts';
import { isRecord } from '../../../config/values.ts';
import { type Format, formats, type Id } from '../../live/message.ts';
import type { SubscriptionOptions } from '../../live/subscription.ts';
import { type Mode, modes } from '../../live/topic.ts';
import { type ApiError, apiError, isApiError } from '../../wire/errors.ts';
import type { Credential } from './credential.ts';

/** A message of a client. */
export type Request =
  | { op: 'subscribe'; id: Id; path: string; options: SubscriptionOptions }
  | { op: 'unsubscribe'; id: Id }
  | { op: 'auth'; id: Id | null; credential: Credential }
  | { op: 'ping'; id: Id | null };

/** Longest wish for `every`, ms. */
const longest = hour;
export const longestPath = 2_048;
const longestKey = 256;

/** Why a message is refused; `id` is its own, null where it has none that is valid. */
export interface Refusal extends ApiError {
  id: Id | null;
}

type Fields = Readonly<Record<string, unknown>>;

/** An error about one member of a message. */
const bad = (name: string, allowed: string): ApiError =>
  apiError('bad_parameter', `${name} must be ${allowed}`);

const isSecret = (text: unknown): text is string =>
  typeof text === 'string' && text.length <= longestKey;

const isId = (id: unknown): id is Id =>
  (typeof id === 'string' && id.length > 0 && id.length <= 64) || Number.isSafeInteger(id);

const isMode = (mode: unknown): mode is Mode => modes.some((known) => known === mode);

const isFormat = (format: unknown): format is Format => formats.some((known) => known === format);

/** The options in `mode`, `every`, `resume` and `format`, as a message or a query string has them. */
export function optionsOf({
  mode = 'full',
  every = 0,
  resume,
  format,
}: Fields): SubscriptionOptions | ApiError {
  if (!isMode(mode)) return bad('mode', `one of ${modes.join(', ')}`);
  if (typeof every !== 'number' || !(every >= 0 && every <= longest)) {
    return bad('every', `a number from 0 to ${longest}, in milliseconds`);
  }
  if (resume !== undefined && typeof resume !== 'string')
    return bad('resume', 'a position, as text');
  if (format !== undefined && !isFormat(format)) {
    return bad('format', `one of ${formats.join(', ')}`);
  }
  return { mode, every, resume, format };
}

function subscribe(fields: Fields, id: Id): Request | ApiError {
  const { path } = fields;
  if (typeof path !== 'string' || !path.startsWith('/') || path.length > longestPath) {
    return bad('path', 'the path of an answer with its query, such as /v1/prices?symbol=BTC');
  }
  const options = optionsOf(fields);
  return 'error' in options ? options : { op: 'subscribe', id, path, options };
}

/** The members of a message; a null stands for an absent member, as typed clients write it. */
function fieldsOf(text: string): Fields | null {
  try {
    const parsed: unknown = JSON.parse(text);
    if (!isRecord(parsed)) return null;
    return Object.fromEntries(Object.entries(parsed).filter(([, value]) => value !== null));
  } catch {
    return null;
  }
}

const badId = bad('id', 'a whole number, or text of 1 to 64 characters');

/** The messages by `op`; their `id` has been checked where there is one. */
const readers: Readonly<Record<string, (fields: Fields, id: Id | null) => Request | ApiError>> = {
  subscribe: (fields, id) => (id === null ? badId : subscribe(fields, id)),
  unsubscribe: (_fields, id) => (id === null ? badId : { op: 'unsubscribe', id }),
  ping: (_fields, id) => ({ op: 'ping', id }),
  auth: ({ key, ticket }, id) => {
    if (isSecret(key)) return { op: 'auth', id, credential: { key, ticket: '' } };
    if (isSecret(ticket)) return { op: 'auth', id, credential: { key: '', ticket } };
    return bad('key', 'an API key, or ticket a ticket');
  },
};

/** The message in a text; the error names the member at fault. */
export function requestOf(text: string): Request | Refusal {
  const fields = fieldsOf(text);
  if (fields === null) return { ...bad('a message', 'a JSON object'), id: null };
  const { op, id = null } = fields;
  if (id !== null && !isId(id)) return { ...badId, id: null };
  const read = typeof op === 'string' && Object.hasOwn(readers, op) ? readers[op] : undefined;
  const found = read?.(fields, id) ?? bad('op', `one of ${Object.keys(readers).join(', ')}`);
  return isApiError(found) ? { ...found, id } : found;
}

/** Most paths of one stream. */
export const mostPaths = 20;
/** A request for a stream. */
export interface StreamQuery {
  paths: readonly string[];
  options: SubscriptionOptions;
  /** Versions that the client has, in the order of the paths. */
  versions: readonly string[];
}

/** `header`: the id of the last event, which a new EventSource can only send in the query. */
export function queryOf(query: string, header: string): StreamQuery | ApiError {
  const given = new URLSearchParams(query);
  const lastEventId = header || (given.get('resume') ?? '');
  const paths = given.getAll('path');
  if (
    paths.length === 0 ||
    paths.length > mostPaths ||
    paths.some((path) => !path.startsWith('/'))
  ) {
    const example = '/v1/stream?path=/v1/prices%3Fsymbol%3DBTC';
    return apiError(
      'bad_parameter',
      `path must be given 1 to ${mostPaths} times, such as ${example}`,
    );
  }
  const every = given.get('every');
  const options = optionsOf({
    mode: given.get('mode') ?? 'full',
    every: every === null ? 0 : every.trim() === '' ? Number.NaN : Number(every),
  });
  if (isApiError(options)) return options;
  const versions = lastEventId === '' ? [] : lastEventId.split(',');
  return { paths, options, versions: versions.length === paths.length ? versions : [] };
}
