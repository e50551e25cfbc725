/** Requests to the public API. */
import { shell } from '../shell.js';

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

/** An answer: its data, and when the newest reading in it was received, Unix ms. */
export interface Answer {
  data: unknown;
  asOf: number | null;
}

/** One request; `headers` carry the credential. Rejects with a Refusal. */
export async function call(
  path: string,
  init: { method?: string; body?: string; headers?: Record<string, string>; signal?: AbortSignal },
): Promise<Answer> {
  const { method = 'GET', body, headers = {}, signal } = init;
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
  const { data, as_of, code = '', message = response.statusText } = answer;
  if (!response.ok) throw new Refusal(response.status, code, message);
  return { data, asOf: as_of ?? null };
}

/** The same request for a shell, a POST with a body. The key stays out of it: it is in the variable KEY there. */
export function curlOf(path: string, needsKey: boolean, body?: string): string {
  const key = needsKey ? '-H "x-api-key: $KEY" ' : '';
  const sent = body === undefined ? '' : `-H 'content-type: application/json' -d ${shell(body)} `;
  return `curl ${key}${sent}${shell(base + path.slice(1))}`;
}
