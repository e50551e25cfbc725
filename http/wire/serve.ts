import type { HttpRequest, HttpResponse } from 'uWebSockets.js';
import { acceptedEncoding } from '../accept-encoding.ts';
import type { Answer, Endpoint, Run } from '../endpoint.ts';
import { apiError, isApiError } from '../errors.ts';
import { collectBody, noBody } from './body.ts';
import { Admission, anonymousLines, clientOf, Door } from './door.ts';
import { names } from './names.ts';
import { type Place, Sender, type Visit } from './sender.ts';
import { type Handler, hasBody, headOf, leaving, type Shared, segmentsOf } from './shared.ts';

/** One row in one method at work. */
interface Service {
  shared: Shared;
  endpoint: Endpoint;
  sender: Sender;
  door: Door;
  method: Place['method'];
}

type Handling<K extends string> = Extract<Run, Record<K, unknown>>;

/** A request while it is being answered; `signal` aborts when its client has gone. */
interface Request {
  res: HttpResponse;
  req: HttpRequest;
  signal: AbortSignal;
}

/** Reads what it needs of `req` at once; what it gives makes the answer when it is known who asks. Never rejects. */
type Start = (request: Request) => (admitted: Admission) => Promise<Answer>;

/** Answers the requests of one row; `method` is HEAD for the same answers without their bodies. */
export function serve(shared: Shared, endpoint: Endpoint, method: Place['method']): Handler {
  const { row, slot, run } = endpoint;
  const sender = new Sender(shared, { slot, method, access: row.access });
  const service = { shared, endpoint, sender, door: new Door(shared.guard, row), method };
  if ('now' in run) return serveNow(service, run);
  const start = 'act' in run ? errand(service, run) : question(service, run);
  return serveLater(service, start);
}

/** What a request says of the form of its answer. */
type Wishes = Pick<Visit, 'head' | 'tag' | 'encoding'>;

function wishesOf(shared: Shared, req: HttpRequest, method: Place['method']): Wishes {
  const head = headOf(shared, req);
  if (method === 'other') return { head, tag: '', encoding: null };
  const encoding = acceptedEncoding(req.getHeader(names.acceptEncoding));
  return { head, tag: req.getHeader(names.ifNoneMatch), encoding };
}

// The query is undefined when the URL has no question mark, whatever its type says.
const queryOf = (req: HttpRequest): string => req.getQuery() ?? '';

/** Answers from memory: on the spot, unless Redis must be asked who makes the request or whether it may. */
function serveNow(
  { shared, endpoint, sender, door, method }: Service,
  run: Handling<'now'>,
): Handler {
  const finish = (res: HttpResponse, visit: Visit, query: string, segments: readonly string[]) => {
    const { refusal } = visit.admission;
    if (refusal !== null) return sender.error(res, visit, refusal);
    const checked = endpoint.check(query, segments);
    sender.answer(res, visit, isApiError(checked) ? checked : run.now(checked.values));
  };
  return (res, req) => {
    const admission = door.admit(res, req);
    const known = !(admission instanceof Promise);
    // Refusals come in floods: what they do not need is not read.
    if (known && admission.refusal !== null) {
      return sender.error(res, { head: headOf(shared, req), admission }, admission.refusal);
    }
    const { head, tag, encoding } = wishesOf(shared, req, method);
    const segments = segmentsOf(req, endpoint.segments);
    const query = queryOf(req);
    if (known) return finish(res, { head, tag, encoding, admission }, query, segments);
    const signal = leaving(res, () => shared.counters.left(endpoint.slot));
    shared.counters.inFlight.add(1);
    void admission.then((admitted) => {
      shared.counters.inFlight.add(-1);
      if (signal.aborted) return;
      res.cork(() => finish(res, { head, tag, encoding, admission: admitted }, query, segments));
    });
  };
}

const crowded = apiError(
  'too_many_requests',
  'too many requests of your address are waiting for their answers',
  { retryAfter: 1 },
);

/** Answers that take their time. */
function serveLater({ shared, endpoint, sender, door, method }: Service, start: Start): Handler {
  const { counters, crowd, guard } = shared;
  return (res, req) => {
    const wishes = wishesOf(shared, req, method);
    const client = clientOf(guard, res, req);
    if (!crowd.enter(client)) {
      const admission = new Admission(crowded, null, anonymousLines(guard, res, req));
      return sender.error(res, { ...wishes, admission }, crowded);
    }
    const admission = door.admit(res, req);
    const signal = leaving(res, () => counters.left(endpoint.slot));
    const answer = start({ res, req, signal });
    counters.inFlight.add(1);
    const work = async () => {
      const admitted = await admission;
      const answered = await answer(admitted);
      counters.inFlight.add(-1);
      crowd.leave(client);
      if (signal.aborted) return;
      res.cork(() => sender.answer(res, { ...wishes, admission: admitted }, answered));
    };
    void work();
  };
}

/** A question that the row's own handler answers. */
const question =
  ({ endpoint }: Service, run: Handling<'later'>): Start =>
  ({ req, signal }) => {
    const segments = segmentsOf(req, endpoint.segments);
    const query = queryOf(req);
    return async ({ refusal }) => {
      if (refusal !== null) return refusal;
      const checked = endpoint.check(query, segments);
      return isApiError(checked) ? checked : run.later(checked.values, signal);
    };
  };

/** Something to do, with a body perhaps. It is read even when the caller is refused, who is then done sending. */
const errand =
  ({ shared, endpoint }: Service, run: Handling<'act'>): Start =>
  ({ res, req, signal }) => {
    const segments = segmentsOf(req, endpoint.segments);
    const query = queryOf(req);
    const type = req.getHeader('content-type');
    const idempotencyKey = req.getHeader('idempotency-key');
    const declared = Number(req.getHeader('content-length'));
    const { bodies } = shared;
    const bytes = hasBody(req)
      ? collectBody(res, bodies, { cap: endpoint.bodyCap, declared, signal })
      : Promise.resolve(noBody);
    return async ({ refusal, caller }) => {
      const read = await bytes;
      if (refusal !== null) return refusal;
      const checked = endpoint.check(query, segments);
      if (isApiError(checked)) return checked;
      if (isApiError(read)) return read;
      const body = endpoint.checkBody(type, read);
      if (isApiError(body)) return body;
      return run.act({ values: checked.values, body: body.value, caller, idempotencyKey }, signal);
    };
  };
