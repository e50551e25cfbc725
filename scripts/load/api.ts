/** Requests of the service's API, as its clients make them. */

export interface Call {
  method?: 'GET' | 'POST' | 'DELETE';
  headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  body?: object;
}

/** Milliseconds: a question to an exchange has seconds. */
const patience = 15_000;

/** The answer, with `data` of the form that its endpoint has; rejects where none comes in time. */
export async function callApi<T>(url: URL | string, { method = 'GET', headers, body }: Call = {}) {
  const reply = await fetch(url, {
    method,
    signal: AbortSignal.timeout(patience),
    headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  const { data, message } = (await reply.json()) as { data?: T; message?: string };
  return { status: reply.status, data, message };
}
