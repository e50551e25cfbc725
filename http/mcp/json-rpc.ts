/** JSON-RPC 2.0 as the Model Context Protocol uses it: one message a request, ids that are never null, no batches. */

import { isRecord } from '../../config/values.ts';

/** The error of a message. */
export interface RpcError {
  code: number;
  message: string;
  data?: unknown;
}

export type RpcId = string | number;

/** A request, or a notification where `id` is absent. */
export interface RpcMessage {
  id?: RpcId;
  method: string;
  params: Readonly<Record<string, unknown>>;
}

/** An answer in HTTP; `body` is null for 202. */
export interface Reply {
  status: number;
  body: string | null;
}

export const codes = {
  parse: -32700,
  request: -32600,
  method: -32601,
  params: -32602,
  internal: -32603,
  /** Of the versions before 2026-07-28. */
  resource: -32002,
  header: -32020,
  version: -32022,
} as const;

export const rpcError = (code: number, message: string, data?: unknown): RpcError => ({
  ...{ code, message },
  ...(data !== undefined && { data }),
});

export const isRpcError = (found: object): found is RpcError =>
  'code' in found && 'message' in found;

/** An error as the body of an answer; `id` is null where the message has none that could be read. */
export const errorReply = (status: number, error: RpcError, id: RpcId | null = null): Reply => ({
  status,
  body: JSON.stringify({ jsonrpc: '2.0', id, error }),
});

/** The value, an object where it is an empty list: clients in PHP write an object without members so. */
export const objectOf = (value: unknown): unknown =>
  Array.isArray(value) && value.length === 0 ? {} : value;

/**
 * An object, also as JSON text, as some clients send it; none is empty, an empty list too (`objectOf`), and members that are absent
 * (`isAbsent`) are left out. Null for all else.
 */
export function objectIn(value: unknown): Readonly<Record<string, unknown>> | null {
  const found = typeof value === 'string' ? jsonIn(value) : value;
  if (isAbsent(found)) return {};
  if (!isRecord(found)) return null;
  return Object.fromEntries(Object.entries(found).filter(([, member]) => !isAbsent(member)));
}

/** Whether an argument has no value: null, also as text and in a list, as some clients send it, an empty text and an empty list. */
export const isAbsent = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === '' ||
  value === 'null' ||
  (Array.isArray(value) && value.every(isAbsent));

/** The value of a JSON text; the text itself where it is none. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

const isId = (id: unknown): id is RpcId =>
  typeof id === 'string' || (typeof id === 'number' && Number.isSafeInteger(id));

const utf8 = new TextDecoder('utf-8', { fatal: true });

function parsed(bytes: Buffer): { value: unknown } | RpcError {
  try {
    return { value: JSON.parse(utf8.decode(bytes)) };
  } catch {
    return rpcError(codes.parse, 'the body is not valid JSON');
  }
}

const badRequest = (message: string): RpcError => rpcError(codes.request, message);

/** The message in a body. */
export function messageOf(bytes: Buffer): RpcMessage | RpcError {
  const found = parsed(bytes);
  if (!('value' in found)) return found;
  const { value } = found;
  if (Array.isArray(value)) return badRequest('batches are not taken: send one message a request');
  if (!isRecord(value) || value.jsonrpc !== '2.0')
    return badRequest('the body must be a JSON-RPC 2.0 message');
  const { id, method } = value;
  const params = objectOf(value.params ?? {});
  if (typeof method !== 'string')
    return badRequest('the message must be a request or a notification: it has no method');
  if ('id' in value && !isId(id)) return badRequest('id must be text or a whole number');
  if (!isRecord(params)) return rpcError(codes.params, 'params must be an object');
  return isId(id) ? { id, method, params } : { method, params };
}

/** The id in a message that is not valid itself. */
export function idIn(bytes: Buffer): RpcId | null {
  const found = parsed(bytes);
  if (!('value' in found) || !isRecord(found.value)) return null;
  const { id } = found.value;
  return isId(id) ? id : null;
}
