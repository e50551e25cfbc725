import type { HttpRequest, HttpResponse } from 'uWebSockets.js';
import { prefersCsv } from '../accept.ts';
import { acceptedEncoding } from '../accept-encoding.ts';
import { accountIdOf } from '../caller.ts';
import type { Answer, Endpoint, Run } from '../endpoint.ts';
import { type ApiError, apiError, isApiError } from '../errors.ts';
import { Admission, AdmissionCheck, anonymousLines, clientOf } from './admission.ts';
import { collectBody, noBody } from './body.ts';
import { names } from './names.ts';
import { type CheckedParameters, checkParameters } from './parameters.ts';
import { type Place, type RequestFacts, Sender } from './sender.ts';
import { type Handler, hasBody, headOf, onDisconnect, type Shared } from './shared.ts';

/** What serves one row in one method. */
interface Service {
  shared: Shared;
  endpoint: Endpoint;
  sender: Sender;
  access: AdmissionCheck;
  method: Place['method'];
}

type Handling<K extends string> = Extract<Run, Record<K, unknown>>;

/** A request that is being answered; `signal` aborts when the client disconnects. */
interface Request {
  res: HttpResponse;
  req: HttpRequest;
  /** The address that it counts for. */
  client: string;
  signal: AbortSignal;
}

/**
 * Reads everything that it needs from `req` before it returns. The returned function makes the answer once the
 * admission is decided, and never rejects.
 */
type Start = (
  request: Request,
  outcome: CheckedParameters['outcome'],
) => (admitted: Admission) => Promise<Answer>;

/** Answers the requests of one row; `method` is HEAD for the same answers without their bodies. */
export function serve(shared: Shared, endpoint: Endpoint, method: Place['method']): Handler {
  const { row, slot, run } = endpoint;
  const { table } = endpoint;
  const sender = new Sender(shared, { slot, method, access: row.access, table });
  const service = {
    shared,
    endpoint,
    sender,
    access: new AdmissionCheck(shared.guard, row),
    method,
  };
  if ('now' in run) return serveNow(service, run);
  const start = 'act' in run ? startAct(service, run) : startAsk(run);
  return serveLater(service, start);
}

/** The headers of a request about the form of its answer. */
type Wishes = Pick<RequestFacts, 'head' | 'tag' | 'encoding' | 'csv'>;

function wishesOf({ shared, endpoint, method }: Service, req: HttpRequest): Wishes {
  const head = headOf(shared, req);
  if (method === 'other') return { head, tag: '', encoding: null, csv: false };
  const encoding = acceptedEncoding(req.getHeader(names.acceptEncoding));
  const csv = endpoint.table !== null && prefersCsv(req.getHeader(names.accept));
  return { head, tag: req.getHeader(names.ifNoneMatch), encoding, csv };
}

/** Answers from memory: synchronously, unless Redis must be asked for the caller or the quota. */
function serveNow(service: Service, run: Handling<'now'>): Handler {
  const { shared, endpoint, sender, access } = service;
  const finish = (
    res: HttpResponse,
    visit: RequestFacts,
    outcome: CheckedParameters['outcome'],
  ) => {
    const { refusal } = visit.admission;
    if (refusal !== null) return sender.error(res, visit, refusal);
    sender.answer(res, visit, isApiError(outcome) ? outcome : run.now(outcome.values));
  };
  return (res, req) => {
    const admission = access.admit(res, req);
    const known = !(admission instanceof Promise);
    // Reject before parsing anything else: under attack most requests are rejected here.
    if (known && admission.refusal !== null) {
      const refused = { head: headOf(shared, req), admission, notes: '' };
      return sender.error(res, refused, admission.refusal);
    }
    const { head, tag, encoding, csv } = wishesOf(service, req);
    const { outcome, notes } = checkParameters(endpoint, req);
    if (known) return finish(res, { head, tag, encoding, csv, admission, notes }, outcome);
    const signal = onDisconnect(res, () => shared.counters.left(endpoint.slot));
    shared.counters.inFlight.add(1);
    void admission.then((admitted) => {
      shared.counters.inFlight.add(-1);
      if (signal.aborted) return;
      res.cork(() =>
        finish(res, { head, tag, encoding, csv, admission: admitted, notes }, outcome),
      );
    });
  };
}

const addressBusy = apiError(
  'too_many_requests',
  'too many requests of your address are waiting for their answers',
  { retryAfter: 1 },
);

const accountBusy = (most: number): ApiError =>
  apiError(
    'too_many_requests',
    `${most} requests of your account are waiting for their answers, as many as your plan allows`,
    { retryAfter: 1 },
  );

const noop = () => {};

/** Counts a waiting request for its account until `leave`; refuses it when the plan allows no more. */
function countForAccount({ inFlight, guard }: Shared, admitted: Admission) {
  const { caller, refusal } = admitted;
  if (caller === null || refusal !== null || guard.quota === undefined) {
    return { admitted, leave: noop };
  }
  const name = `account:${caller.account}`;
  const most = guard.quota.connections(caller);
  if (inFlight.enter(name, most)) return { admitted, leave: () => inFlight.leave(name) };
  return { admitted: admitted.refused(accountBusy(most)), leave: noop };
}

/** Answers that wait for something: another process, Redis, the rest of a body. */
function serveLater(service: Service, start: Start): Handler {
  const { shared, endpoint, sender, access } = service;
  const { counters, inFlight, guard } = shared;
  return (res, req) => {
    const wishes = wishesOf(service, req);
    const client = clientOf(guard, res, req);
    if (!inFlight.enter(client, shared.inFlightPerAddress)) {
      const admission = new Admission(addressBusy, null, anonymousLines(guard, res, req));
      return sender.error(res, { ...wishes, admission, notes: '' }, addressBusy);
    }
    const admission = access.admit(res, req);
    const signal = onDisconnect(res, () => counters.left(endpoint.slot));
    const { outcome, notes } = checkParameters(endpoint, req);
    const answer = start({ res, req, client, signal }, outcome);
    counters.inFlight.add(1);
    const work = async () => {
      const { admitted, leave } = countForAccount(shared, await admission);
      const answered = await answer(admitted);
      counters.inFlight.add(-1);
      inFlight.leave(client);
      leave();
      if (signal.aborted) return;
      res.cork(() => sender.answer(res, { ...wishes, admission: admitted, notes }, answered));
    };
    void work();
  };
}

/** A query: the handler of the row answers it. */
const startAsk =
  (run: Handling<'later'>): Start =>
  ({ client }, outcome) =>
  async ({ refusal, caller }) => {
    if (refusal !== null) return refusal;
    if (isApiError(outcome)) return outcome;
    return run.later(outcome.values, accountIdOf(caller, client));
  };

/**
 * An act, which may have a body. The body is read even when the caller is refused, so that the client can finish
 * sending.
 */
const startAct =
  ({ shared, endpoint }: Service, run: Handling<'act'>): Start =>
  ({ res, req, client, signal }, outcome) => {
    const type = req.getHeader('content-type');
    const idempotencyKey = req.getHeader('idempotency-key');
    const declared = Number(req.getHeader('content-length'));
    const { bodies, clock } = shared;
    const bytes = hasBody(req)
      ? collectBody(res, bodies, { cap: endpoint.bodyCap, declared, signal, clock })
      : Promise.resolve(noBody);
    return async ({ refusal, caller }) => {
      const read = await bytes;
      if (refusal !== null) return refusal;
      if (isApiError(outcome)) return outcome;
      if (isApiError(read)) return read;
      const body = endpoint.checkBody(type, read);
      if (isApiError(body)) return body;
      const account = accountIdOf(caller, client);
      const call = { values: outcome.values, body: body.value, caller, account, idempotencyKey };
      return run.act(call, signal);
    };
  };
