/** POST /mcp: the Model Context Protocol with keys, quotas and bounds as everywhere (docs/mcp.md). */

import type { TemplatedApp } from 'uWebSockets.js';
import type { BudgetName } from '../../config/plans.ts';
import { accountIdOf } from '../auth/caller.ts';
import { isJson } from '../endpoints/body-check.ts';
import { type Answer, defaultBodyCap } from '../endpoints/endpoint.ts';
import { createCheck } from '../endpoints/validate.ts';
import { codes, errorReply, type Reply, rpcError } from '../mcp/json-rpc.ts';
import { type Caller, type McpOptions, McpServer } from '../mcp/mcp-server.ts';
import { type ApiError, apiError, isApiError, kindOf } from '../wire/errors.ts';
import { names } from '../wire/header-names.ts';
import { Admission } from './admission.ts';
import { AdmissionCheck, anonymousLines, shareUsedUp } from './admission-check.ts';
import { wellFramed } from './framing.ts';
import { bodyOf, type Handler, type Shared } from './handling.ts';
import { otherMethod, preflight, refuse } from './refuse.ts';
import { Sender } from './sender.ts';
import { serveLater } from './serve.ts';
import { type Answering, factsFor, type Start } from './service.ts';
import { enter } from './wait.ts';

const path = '/mcp';
const rows = [{ method: 'POST' }] as const;

const strangeOrigin = apiError(
  'forbidden',
  'web pages of this origin may not use /mcp; CORS_ORIGINS names those that may',
);

const local = /^https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/;

/**
 * Whether a request may come from this origin: not from a browser, from a page on the machine of the user, or from one that
 * the configuration names. `*` names none: a page that has bound its name to a local address (DNS rebinding) is any origin.
 */
export const mayAsk = (origin: string, origins: readonly string[]): boolean =>
  origin === '' || local.test(origin) || origins.includes(origin);

/** An error of the service as one of the protocol; its code is the status, outside of the range that JSON-RPC reserves. */
function errorBodyOf(error: ApiError): { status: number; body: string } {
  const { status } = kindOf(error);
  const code = error.error === 'internal' ? codes.internal : status;
  const data = { code: error.error };
  return { status, body: errorReply(status, rpcError(code, error.message, data)).body ?? '' };
}

/** Counts a request against a budget of the caller's account. */
async function spend(
  { guard }: Shared,
  { caller }: Admission,
  name: BudgetName,
): Promise<ApiError | null> {
  if (guard.quota === undefined || caller === null) return null;
  const bucket = guard.quota.budget(name, caller);
  return (await bucket.take(caller.key ?? '')) ? null : shareUsedUp(bucket.limit, name);
}

/** What the call of an admitted request may do. */
function callerOf(shared: Shared, admission: Admission, client: string): Caller {
  const { topics, clock } = shared;
  let isFirst = true;
  return {
    find: topics.find,
    account: accountIdOf(admission.caller, client),
    now: () => clock.now(),
    count: (times) => admission.more(times),
    spend: (budget) => spend(shared, admission, budget),
    enter() {
      // The request itself counts for the first one.
      const leave = isFirst ? () => {} : enter(shared, client, admission);
      isFirst = false;
      return leave;
    },
  };
}

/** Makes an answer. Never rejects. */
async function made({ counters, log }: Shared, make: () => Promise<Reply>): Promise<Answer> {
  try {
    const { status, body } = await make();
    return { status, json: body ?? '', cookie: undefined };
  } catch (error) {
    counters.threw(counters.mcp);
    log.error({ route: `POST ${path}`, err: error }, 'handler threw');
    return apiError('internal');
  }
}

/** A message: its body is read, and answered when its admission is decided. */
const startMessage =
  ({ shared, endpoint }: Answering, server: McpServer): Start =>
  (asked, checked) => {
    const { req, client } = asked;
    const type = req.getHeader('content-type');
    const headers = {
      version: req.getHeader('mcp-protocol-version'),
      method: req.getHeader('mcp-method'),
      name: req.getHeader('mcp-name'),
    };
    const bytes = bodyOf(shared, asked, endpoint.bodyCap);
    return async (admitted) => {
      const read = await bytes;
      if (admitted.refusal !== null) return admitted.refusal;
      if (isApiError(checked)) return checked;
      if (isApiError(read)) return read;
      if (!isJson(type)) return apiError('unsupported_media_type');
      return made(shared, () => server.answer(read, headers, callerOf(shared, admitted, client)));
    };
  };

/** What answers POST /mcp. */
function answering(shared: Shared): Answering {
  const { guard, counters } = shared;
  const noEnvelope = { error: errorBodyOf, errors: {}, keyHeader: names.authorization };
  const row = {
    method: 'POST',
    path,
    params: {},
    answer: null,
    access: 'key',
    noEnvelope,
  } as const;
  const slot = counters.mcp;
  const check = createCheck(row);
  return {
    shared,
    endpoint: { row, slot, segments: 0, check, bodyCap: defaultBodyCap, table: null },
    sender: new Sender(shared, { slot, method: 'other', access: 'bearer', noEnvelope }),
    access: new AdmissionCheck(guard, row),
    method: 'other',
    facts: factsFor(shared),
  };
}

export interface MountOptions extends McpOptions {
  /** Those that the configuration names. */
  origins: readonly string[];
}

/** Serves POST /mcp; other methods are refused: there is no stream of the server's own, and no session to end. */
export function mountMcp(app: TemplatedApp, shared: Shared, options: MountOptions): void {
  const { origins, ...more } = options;
  const service = answering(shared);
  const answer = serveLater(service, startMessage(service, new McpServer(more)));
  const serve: Handler = (res, req) => {
    const isStrange = !mayAsk(req.getHeader('origin'), origins);
    const refused = () =>
      new Admission(strangeOrigin, null, anonymousLines(shared.guard, res, req));
    answer(res, req, isStrange ? refused() : undefined);
  };
  const error = otherMethod(rows);
  app.post(path, wellFramed(shared, 'other', serve));
  app.get(path, wellFramed(shared, 'GET', refuse(shared, error, 'GET')));
  app.head(path, wellFramed(shared, 'HEAD', refuse(shared, error, 'HEAD')));
  app.options(path, wellFramed(shared, 'other', preflight(shared, rows)));
  app.any(path, wellFramed(shared, 'other', refuse(shared, error, 'other')));
}
