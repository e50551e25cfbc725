/**
 * Which version of the protocol a message speaks. From 2026-07-28 on each request says so itself, in `_meta` and in headers that
 * repeat parts of the body; before, the first request is `initialize`. Both are answered without a session.
 * https://modelcontextprotocol.io/specification/2026-07-28/basic/versioning
 */
import { isRecord } from '../../config/values.ts';
import { codes, objectOf, type RpcError, type RpcMessage, rpcError } from './json-rpc.ts';

/** The version without a handshake. */
const modern = '2026-07-28';
/** Those with `initialize`, the newest first. */
const legacy = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'] as const;

export const supportedVersions: readonly string[] = [modern, ...legacy];

const prefix = 'io.modelcontextprotocol/';
const required = [`${prefix}protocolVersion`, `${prefix}clientCapabilities`] as const;
export const serverInfoKey = `${prefix}serverInfo`;

/** The headers of a request that repeat its body; empty where they are absent. */
export interface RpcHeaders {
  version: string;
  method: string;
  name: string;
}

/** How a message is answered. */
export interface Era {
  modern: boolean;
}

/** An error with its status in HTTP. */
export interface Refusal {
  status: 400;
  error: RpcError;
}

const refused = (code: number, message: string, data?: unknown): Refusal => ({
  status: 400,
  error: rpcError(code, message, data),
});

const unsupported = (requested: string): Refusal =>
  refused(codes.version, 'Unsupported protocol version', {
    supported: supportedVersions,
    requested,
  });

const mismatch = (what: string): Refusal => refused(codes.header, `Header mismatch: ${what}`);

/** The parameter whose value `Mcp-Name` repeats, by method. */
const named: ReadonlyMap<string, string> = new Map([
  ['tools/call', 'name'],
  ['prompts/get', 'name'],
  ['resources/read', 'uri'],
]);

/** A header value as it is meant: `=?base64?…?=` around what plain ASCII cannot have; null where that is broken. */
function decoded(value: string): string | null {
  const [, base64] = /^=\?base64\?(.*)\?=$/s.exec(value) ?? [];
  if (base64 === undefined) return value;
  const bytes = Buffer.from(base64, 'base64');
  return bytes.toString('base64') === base64 ? bytes.toString() : null;
}

/** What a header can have as it is: printable ASCII without blanks around it, and not the mark of what `decoded` undoes. */
const plain = /^(?!=\?base64\?)[!-~](?:[ -~]*[!-~])?$/;

const encoded = (value: string): string =>
  plain.test(value) ? value : `=?base64?${Buffer.from(value).toString('base64')}?=`;

/** The headers with which a message is sent by HTTP; `negotiated` is the version that `initialize` agreed upon, if any. */
export function headersOf({ method, params }: RpcMessage, negotiated: string): RpcHeaders {
  const { _meta: meta } = params;
  const own = isRecord(meta) ? meta[required[0]] : undefined;
  if (typeof own !== 'string') return { version: negotiated, method: '', name: '' };
  const value = params[named.get(method) ?? ''];
  return { version: own, method, name: typeof value === 'string' ? encoded(value) : '' };
}

/** The fault of the headers of a request of `modern`. */
function headerFault({ method, params }: RpcMessage, headers: RpcHeaders): Refusal | null {
  if (headers.version === '') return mismatch('MCP-Protocol-Version is missing');
  if (headers.method === '') return mismatch('Mcp-Method is missing');
  if (headers.method !== method) return mismatch('Mcp-Method is not the method of the body');
  const field = named.get(method);
  const value = field === undefined ? undefined : params[field];
  if (field === undefined || typeof value !== 'string') return null;
  if (headers.name === '') return mismatch('Mcp-Name is missing');
  return decoded(headers.name) === value ? null : mismatch(`Mcp-Name is not ${field} of the body`);
}

/** A message that says its own version, or whose header names one that must. */
function modernEra(
  message: RpcMessage,
  meta: Readonly<Record<string, unknown>>,
  headers: RpcHeaders,
): Era | Refusal {
  const [versionKey] = required;
  const version = meta[versionKey];
  if (typeof version === 'string' && headers.version !== '' && headers.version !== version)
    return mismatch('MCP-Protocol-Version is not the version of the body');
  if (typeof version === 'string' && version !== modern) return unsupported(version);
  const missing = required.filter((key) => !(key in meta));
  if (missing.length > 0) return refused(codes.params, `_meta lacks ${missing.join(' and ')}`);
  const wrong = typeof version !== 'string' ? versionKey : required[1];
  if (typeof version !== 'string' || !isRecord(objectOf(meta[required[1]])))
    return refused(codes.params, `_meta has no valid ${wrong}`);
  // The specification names no headers for notifications.
  const fault = message.id === undefined ? null : headerFault(message, headers);
  return fault ?? { modern: true };
}

/** The era of a message, or why it is refused. A request without the header is of 2025-03-26, which had none. */
export function eraOf(message: RpcMessage, headers: RpcHeaders): Era | Refusal {
  const { _meta: given } = message.params;
  const meta = isRecord(given) ? given : {};
  const claims = required.some((key) => key in meta);
  if (claims || headers.version === modern) return modernEra(message, meta, headers);
  if (headers.version === '' || supportedVersions.includes(headers.version))
    return { modern: false };
  return unsupported(headers.version);
}

/** The version that the answer to `initialize` names: the one that is asked for, or else the newest. */
export const negotiated = (requested: unknown): string =>
  legacy.find((version) => version === requested) ?? legacy[0];
