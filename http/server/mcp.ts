/** POST /mcp: the Model Context Protocol with keys, quotas and bounds as everywhere (docs/mcp.md). */

import type { HttpRequest, HttpResponse, TemplatedApp } from 'uWebSockets.js';
import { STATUS_CODES } from 'node:http';
import type { BudgetName } from '../../config/plans.ts';
import { accountIdOf } from '../auth/caller.ts';
import { defaultBodyCap } from '../endpoints/endpoint.ts';
import { codes, errorReply, type Reply, rpcError } from '../mcp/json-rpc.ts';
import { type Caller, type McpOptions, McpServer } from '../mcp/mcp-server.ts';
import { corkable, endLarge } from '../wire/ends.ts';
import { type ApiError, apiError, errors, isApiError, kindOf } from '../wire/errors.ts';
import { firstHeader, type Head } from '../wire/head.ts';
import { names } from '../wire/header-names.ts';
import { collectBody, noBody } from '../wire/request-body.ts';
import { Admission } from './admission.ts';
import { AdmissionCheck, anonymousLines, clientOf, shareUsedUp } from './admission-check.ts';
import { wellFramed } from './framing.ts';
import { hasBody, headOf, pending, type Shared } from './handling.ts';
import { afterBody, otherMethod, preflight, refuse } from './refuse.ts';
import { Sender } from './sender.ts';
import { enter, enterForAccount, enterForAddress } from './wait.ts';

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
  const data = { code: error.error };
  return { status, body: errorReply(status, rpcError(status, error.message, data)).body ?? '' };
}

/** What is read of a request before its handler returns. */
interface McpRequest {
  type: string;
  headers: { version: string; method: string; name: string };
}

const askedOf = (req: HttpRequest): McpRequest => ({
  type: req.getHeader('content-type'),
  headers: {
    version: req.getHeader('mcp-protocol-version'),
    method: req.getHeader('mcp-method'),
    name: req.getHeader('mcp-name'),
  },
});

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

const jsonType = /^application\/json\s*(?:;|$)/i;

/** Serves the requests of one server. */
class Service {
  readonly #shared: Shared;
  readonly #server: McpServer;
  readonly #origins: readonly string[];
  readonly #access: AdmissionCheck;
  readonly #sender: Sender;

  constructor(shared: Shared, { origins, ...options }: MountOptions) {
    this.#shared = shared;
    this.#origins = origins;
    this.#server = new McpServer(options);
    const row = {
      method: 'POST',
      access: 'key',
      noEnvelope: { keyHeader: names.authorization },
    } as const;
    this.#access = new AdmissionCheck(shared.guard, row);
    const noEnvelope = { error: errorBodyOf, errors: {} };
    const slot = shared.counters.mcp;
    this.#sender = new Sender(shared, { slot, method: 'other', access: 'bearer', noEnvelope });
  }

  readonly serve = (res: HttpResponse, req: HttpRequest): void => {
    const shared = this.#shared;
    const { guard, counters, bodies, clock } = shared;
    const head = headOf(shared, req);
    const client = clientOf(guard, res, req);
    const refused = (error: ApiError) =>
      new Admission(error, null, anonymousLines(guard, res, req));
    const admission = mayAsk(req.getHeader('origin'), this.#origins)
      ? this.#access.admit(res, req, counters.began)
      : refused(strangeOrigin);
    if (!(admission instanceof Promise) && admission.refusal !== null) {
      const { refusal } = admission;
      afterBody(shared, { res, req, cap: defaultBodyCap }, (fault) =>
        this.#sender.error(res, { head, admission, notes: '' }, fault ?? refusal),
      );
      return;
    }
    const leaveAddress = enterForAddress(shared, client);
    if (isApiError(leaveAddress)) {
      void Promise.resolve(admission).then((one) => one.refund());
      const full = refused(leaveAddress);
      this.#sender.error(res, { head, admission: full, notes: '' }, leaveAddress);
      return;
    }
    const asked = askedOf(req);
    const declared = Number(req.getHeader('content-length'));
    const isRead = hasBody(req);
    const { signal, answer } = pending(shared, res, counters.mcp);
    // The body is read even when the caller is refused, so that the client can finish sending.
    const bytes = isRead
      ? collectBody(res, bodies, { cap: defaultBodyCap, declared, client, signal, clock })
      : Promise.resolve(noBody);
    const work = async () => {
      const decided = await admission;
      const leaveAccount = enterForAccount(shared, decided);
      const admitted = isApiError(leaveAccount) ? decided.refused(leaveAccount) : decided;
      const made = await this.#made(await bytes, asked, { admitted, client });
      leaveAddress();
      if (!isApiError(leaveAccount)) leaveAccount();
      answer(() => this.#write(res, { head, admission: admitted, client }, made));
    };
    void work();
  };

  /** Never rejects. */
  async #made(
    bytes: Buffer | ApiError,
    { type, headers }: McpRequest,
    { admitted, client }: { admitted: Admission; client: string },
  ): Promise<Reply | ApiError> {
    if (admitted.refusal !== null) return admitted.refusal;
    if (isApiError(bytes)) return bytes;
    if (!jsonType.test(type.trim())) return apiError('unsupported_media_type');
    const { log, counters } = this.#shared;
    try {
      const caller = callerOf(this.#shared, admitted, client);
      return await this.#server.answer(bytes, headers, caller);
    } catch (error) {
      counters.threw(counters.mcp);
      log.error({ route: `POST ${path}`, err: error }, 'handler threw');
      return errorReply(500, rpcError(codes.internal, errors.internal.message));
    }
  }

  #write(
    res: HttpResponse,
    { head, admission, client }: { head: Head; admission: Admission; client: string },
    made: Reply | ApiError,
  ): void {
    if ('error' in made) {
      this.#sender.error(res, { head, admission, notes: '' }, made);
      return;
    }
    const { counters, stopping, unsent } = this.#shared;
    if (counters.visit !== null) counters.visit.caller = admission.caller;
    const { status, body } = made;
    const bytes = Buffer.from(body ?? '');
    res.writeStatus(`${status} ${STATUS_CODES[status]}`);
    res.writeHeader(firstHeader, (body === null ? head.page : head.unkept) + admission.lines());
    counters.answered(counters.mcp, status, bytes.length);
    // Without a body too it states a length: a client reads what has none until the connection ends (RFC 9112, 6.3).
    if (bytes.length > corkable)
      endLarge(res, bytes, { closing: stopping, sharing: 'none', unsent, clientOf: () => client });
    else res.end(bytes, stopping);
  }
}

export interface MountOptions extends McpOptions {
  /** Those that the configuration names. */
  origins: readonly string[];
}

/** Serves POST /mcp; other methods are refused: there is no stream of the server's own, and no session to end. */
export function mountMcp(app: TemplatedApp, shared: Shared, options: MountOptions): void {
  const { serve } = new Service(shared, options);
  const error = otherMethod(rows);
  app.post(path, wellFramed(shared, 'other', serve));
  app.get(path, wellFramed(shared, 'GET', refuse(shared, error, 'GET')));
  app.head(path, wellFramed(shared, 'HEAD', refuse(shared, error, 'HEAD')));
  app.options(path, wellFramed(shared, 'other', preflight(shared, rows)));
  app.any(path, wellFramed(shared, 'other', refuse(shared, error, 'other')));
}
