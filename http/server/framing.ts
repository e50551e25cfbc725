import type { HttpRequest } from 'uWebSockets.js';
import { apiError } from '../wire/errors.ts';
import { names } from '../wire/header-names.ts';
import { Admission } from './admission.ts';
import { anonymousLines } from './admission-check.ts';
import { beginVisit, type Handler, headOf, pending, type Shared } from './handling.ts';
import { Sender, type SenderRow } from './sender.ts';

/**
 * Whether a request states the end of its body in one valid way, or not at all (RFC 9112, 6.3). uWebSockets.js uses
 * the first line of a name, and `transfer-encoding` whatever its value; a proxy in front may use another line.
 */
function isWellFramed(req: HttpRequest): boolean {
  let [lines, valid] = [0, true];
  req.forEach((name, value) => {
    const length = name === 'content-length';
    if (!length && name !== 'transfer-encoding') return;
    lines++;
    valid &&= length ? /^\d+$/.test(value) : value.toLowerCase() === 'chunked';
  });
  return valid && lines <= 1;
}

/** Most GET requests state nothing about a body. An empty first line looks like no line here: docs/security.md. */
const saysNothing = (req: HttpRequest): boolean =>
  req.getHeader(names.contentLength) === '' && req.getHeader(names.transferEncoding) === '';

/**
 * Passes on requests whose end is clear; refuses the others with 400 and closes their connection. The answer is sent in
 * the next turn of the event loop: after an answer uWebSockets.js continues with the bytes that it has read of the
 * connection, even when the answer closes it, but it disconnects a client that sends another request before the answer.
 */
export function wellFramed(shared: Shared, method: SenderRow['method'], handler: Handler): Handler {
  const sender = new Sender(shared, { slot: shared.counters.unmatched, method, access: 'open' });
  const error = apiError('bad_request');
  return (res, req) => {
    shared.counters.begin();
    beginVisit(shared, res, req);
    if ((method !== 'other' && saysNothing(req)) || isWellFramed(req)) return handler(res, req);
    const admission = new Admission(error, null, anonymousLines(shared.guard, res, req));
    const refused = { head: headOf(shared, req), admission, notes: '' };
    const { answer } = pending(shared, res, shared.counters.unmatched);
    setImmediate(() => answer(() => sender.error(res, refused, error)));
  };
}
