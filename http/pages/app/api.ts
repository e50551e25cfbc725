/** Requests to the public API. */
import type { Path, Sending } from './request.ts';

/** Where the service is, with a slash at the end: a proxy may serve it under a prefix. */
export const base = new URL('.', document.baseURI).href;

/** Longest wait for an answer, ms. */
const patience = 20_000;

/** An answer that is an error, or that did not come (status 0). */
export class Refusal extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** An answer: its data, and when the newest reading in it was received, Unix ms by this machine; null where there is none. */
export interface Answer<D> {
  data: D;
  at: number | null;
}

/** A moment of the service by the clock of this machine: `now` is what the service says that it is. Both Unix ms. */
export const momentOf = (asOf: number | undefined, now = Date.now()): number | null =>
  asOf === undefined ? null : Date.now() - Math.max(0, now - asOf);

/** One request; `headers` carry the credential. Rejects with a Refusal. */
export async function call<D>(
  asked: Path<D> | Sending<D>,
  init: { headers?: Record<string, string>; signal?: AbortSignal },
): Promise<Answer<D>> {
  const { headers = {}, signal } = init;
  const get: Sending<D> = typeof asked === 'string' ? { method: 'GET', path: asked } : asked;
  const { method, path, body } = get;
  const late = AbortSignal.timeout(patience);
  const sent: RequestInit = {
    method,
    headers: body === undefined ? headers : { ...headers, 'content-type': 'application/json' },
    signal: signal === undefined ? late : AbortSignal.any([signal, late]),
  };
  if (body !== undefined) sent.body = body;
  const response = await fetch(base + path.slice(1), sent).catch((error: unknown) => {
    throw new Refusal(0, 'away', error instanceof Error ? error.message : String(error));
  });
  const answer = await response.json().catch((error: unknown) => {
    // An answer whose end did not come.
    if (response.ok) throw new Refusal(0, 'away', String(error));
    return {};
  });
  const { data, as_of, timestamp, code = '', message = response.statusText } = answer;
  if (!response.ok) throw new Refusal(response.status, code, message);
  return { data, at: momentOf(as_of, timestamp) };
}

/** The same request for a shell, a POST with a body. The key stays out of it: it is in the variable KEY there. */
export function curlOf(path: string, needsKey: boolean, body?: string): string {
  const key = needsKey ? '-H "x-api-key: $KEY" ' : '';
  const sent = body === undefined ? '' : `-H 'content-type: application/json' -d ${shell(body)} `;
  return `curl ${key}${sent}${shell(base + path.slice(1))}`;
}

/** A text as one word of a POSIX shell, which evaluates nothing in it. */
export const shell = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
