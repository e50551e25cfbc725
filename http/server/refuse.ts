import type { HttpRequest, HttpResponse } from 'uWebSockets.js';
import { defaultBodyCap } from '../endpoints/endpoint.ts';
import type { NoEnvelope, Route } from '../endpoints/route.ts';
import { allowOf, grantOf } from '../endpoints/route-table.ts';
import { endBare } from '../wire/ends.ts';
import { type ApiError, apiError } from '../wire/errors.ts';
import { firstHeader } from '../wire/head.ts';
import { skipBody, tooLarge } from '../wire/request-body.ts';
import { Admission } from './admission.ts';
import { anonymousLines } from './admission-check.ts';
import { type Handler, hasBody, headOf, type Refused, type Shared } from './handling.ts';
import { Sender, type SenderRow } from './sender.ts';

/** Refuses requests that no row takes: of one method, or of all methods but GET and HEAD (`other`). */
export function refuse(
  shared: Shared,
  error: ApiError,
  method: SenderRow['method'],
  noEnvelope?: NoEnvelope,
): Handler {
  const slot = shared.counters.unmatched;
  const sender = new Sender(shared, { slot, method, access: 'open', noEnvelope });
  const visit = (res: HttpResponse, req: HttpRequest): Refused => {
    const admission = new Admission(error, null, anonymousLines(shared.guard, res, req));
    return { head: headOf(shared, req), admission, notes: '' };
  };
  return (res, req) => {
    const refused = visit(res, req);
    if (method !== 'other') return sender.error(res, refused, error);
    afterBody(shared, { res, req, cap: defaultBodyCap }, (fault) =>
      sender.error(res, refused, fault ?? error),
    );
  };
}

/**
 * Calls `answer` once the body of a refused request has come, up to `cap` bytes, so that the client has finished sending; with an error
 * where it is larger or stops coming. Nothing of it is kept, and it takes no place of those that wait.
 */
export function afterBody(
  { clock, counters }: Shared,
  { res, req, cap }: { res: HttpResponse; req: HttpRequest; cap: number },
  answer: (fault: ApiError | null) => void,
): void {
  const isTooLarge = Number(req.getHeader('content-length')) > cap;
  if (!hasBody(req) || isTooLarge) {
    answer(isTooLarge ? tooLarge(cap) : null);
    return;
  }
  const { began, visit } = counters;
  skipBody(res, { cap, clock }, (fault) => {
    counters.resume(began, visit);
    answer(fault);
  });
}

/** The error for a method that a path does not take. */
export const otherMethod = (rows: readonly Pick<Route, 'method'>[]): ApiError =>
  apiError('method_not_allowed', undefined, { allow: allowOf(rows) });

/** Answers OPTIONS for a path. */
export function preflight(shared: Shared, rows: readonly Pick<Route, 'method'>[]): Handler {
  const allow = allowOf(rows);
  const grant = grantOf(rows, shared.heads.any !== null);
  return (res, req) => {
    const block = headOf(shared, req).preflight + anonymousLines(shared.guard, res, req);
    res.writeStatus('204 No Content').writeHeader(firstHeader, block);
    res.writeHeader('allow', allow).writeHeader('access-control-allow-methods', grant);
    endBare(res, shared.stopping);
    shared.counters.answered(shared.counters.preflight, 204, 0);
  };
}
