import type { HttpRequest, HttpResponse } from 'uWebSockets.js';
import { Snapshot } from '../answers/snapshots.ts';
import { accountIdOf } from '../auth/caller.ts';
import { isLinked, linkLines } from '../auth/link.ts';
import type { Endpoint, Values } from '../endpoints/endpoint.ts';
import type { Format } from '../endpoints/format.ts';
import { type Freshness, withinMaxAge } from '../endpoints/freshness.ts';
import { targetOf } from '../live/paths.ts';
import { type ApiError, isApiError } from '../wire/errors.ts';
import { startAct } from './act.ts';
import { Admission } from './admission.ts';
import { anonymousLines, clientOf } from './admission-check.ts';
import { OpenFile, sent } from './files.ts';
import { type Handler, headOf, pending, type Shared } from './handling.ts';
import { type CheckedParameters, checkParameters } from './parameters.ts';
import type { RequestFacts, SenderRow } from './sender.ts';
import { type Handling, type Service, type Start, serviceOf } from './service.ts';
import { visitOf } from './visit.ts';
import { enterForAccount, enterForAddress, waitForNext } from './wait.ts';

/** Stands in a visit until its admission is decided. */
const undecided = new Admission(null, null, '');

/** Answers the requests of one row; `method` is HEAD for the same answers without their bodies. */
export function serve(
  shared: Shared,
  endpoint: Endpoint,
  method: SenderRow['method'],
  run = endpoint.run,
): Handler {
  const service = serviceOf(shared, endpoint, method);
  if ('now' in run) return serveNow(service, run);
  return 'act' in run ? serveLater(service, startAct(service, run)) : serveAsk(service, run);
}

type Outcome = CheckedParameters['outcome'];

/** A request, with the address that it counts for where it may wait. */
interface CheckedRequest {
  outcome: Outcome;
  client: string;
}

const formatIn = (outcome: Outcome): Format | null => (isApiError(outcome) ? null : outcome.format);

const waits = (outcome: Outcome): boolean =>
  !isApiError(outcome) && (outcome.freshness?.wait ?? null) !== null;

/** A request that limits the age of its answer, or waits for the next. */
interface Fresh {
  res: HttpResponse;
  visit: RequestFacts;
  client: string;
  values: Values;
  freshness: Freshness;
}

/** Answers once the answer is young enough, or another than the client has. */
function finishFresh(
  { shared, endpoint, sender }: Service,
  run: Handling<'now'>,
  { res, visit, client, values, freshness }: Fresh,
): void {
  const read = () => {
    const found = run.now(values);
    return isApiError(found) ? found : withinMaxAge(found, freshness, shared.clock.now());
  };
  const found = read();
  const { wait } = freshness;
  if (wait === null || isApiError(found) || !sender.isKnown(visit, found)) {
    sender.answer(res, visit, found);
    return;
  }
  const { admission } = visit;
  const waiting = { res, client, admission, target: targetOf(endpoint, values), wait };
  const refusal = waitForNext(shared, waiting, () => sender.answer(res, visit, read()));
  if (refusal === null) return;
  sender.error(res, { ...visit, admission: admission.refused(refusal) }, refusal);
}

/** A request whose answer is in memory; `asked` is what it asks for. */
interface Arrived<A> {
  res: HttpResponse;
  req: HttpRequest;
  notes: string;
  unknown: readonly string[];
  format: Format | null;
  asked: A;
}

/**
 * Calls `finish`, corked, once the request is admitted: at once, unless Redis must be asked for the caller or the quota.
 * `finish` is one function for all requests of a row: a new one for each would cost more than its call.
 */
function whenAdmitted<A>(
  service: Service,
  admission: Admission | Promise<Admission>,
  { res, req, notes, unknown, format, asked }: Arrived<A>,
  finish: (res: HttpResponse, visit: RequestFacts, asked: A) => void,
): void {
  if (!(admission instanceof Promise)) {
    finish(res, visitOf(service, req, { admission, notes, unknown, format, now: null }), asked);
    return;
  }
  const visit = visitOf(service, req, { admission: undecided, notes, unknown, format, now: null });
  const { answer } = pending(service.shared, res, service.endpoint.slot);
  void admission.then((admitted) =>
    answer(() => finish(res, { ...visit, admission: admitted }, asked)),
  );
}

/** The answer that equal requests were given, unless its data have changed; else the one of now. */
function answerNow(run: Handling<'now'>, checked: Exclude<Outcome, ApiError>): Snapshot | ApiError {
  const { answer } = checked.kept;
  if (answer !== null) return answer;
  const found = run.now(checked.values);
  if (found instanceof Snapshot) checked.kept = found.kept;
  return found;
}

/** The lines of a request that is refused before its parameters are read. */
const notesOf = (req: HttpRequest): string => (isLinked(req.getQuery() ?? '') ? linkLines : '');

/** Answers from memory. */
function serveNow(service: Service, run: Handling<'now'>): Handler {
  const { shared, endpoint, sender, access } = service;
  const finish = (res: HttpResponse, visit: RequestFacts, { outcome, client }: CheckedRequest) => {
    const { refusal } = visit.admission;
    if (refusal !== null) return sender.error(res, visit, refusal);
    if (isApiError(outcome)) return sender.error(res, visit, outcome);
    const { values, freshness } = outcome;
    if (freshness === undefined) return sender.answer(res, visit, answerNow(run, outcome));
    return finishFresh(service, run, { res, visit, client, values, freshness });
  };
  return (res, req) => {
    const admission = access.admit(res, req, shared.counters.began);
    // Reject before parsing anything else: under attack most requests are rejected here.
    if (!(admission instanceof Promise) && admission.refusal !== null) {
      const notes = notesOf(req);
      const refused = { head: headOf(shared, req), admission, notes };
      return sender.error(res, refused, admission.refusal);
    }
    const { outcome, notes, unknown } = checkParameters(endpoint, req);
    if (!(admission instanceof Promise) && !isApiError(outcome) && !outcome.freshness) {
      const found = answerNow(run, outcome);
      // The clock is read again where the answer may have been made just now, which takes time.
      const isReady = found instanceof Snapshot && found.plain.wasStamped;
      const now = isReady ? shared.counters.began : shared.clock.now();
      const { format } = outcome;
      const visit = visitOf(service, req, { admission, notes, unknown, format, now }, found);
      return sender.answer(res, visit, found);
    }
    const client = waits(outcome) ? clientOf(shared.guard, res, req) : '';
    const asked = { outcome, client };
    const arrived = { res, req, notes, unknown, format: formatIn(outcome), asked };
    whenAdmitted(service, admission, arrived, finish);
  };
}

/** An answer in memory, and the limits of the request on its age. */
interface Known {
  ready: Snapshot;
  freshness: Freshness | undefined;
}

/** Answers a query: from memory where that has the answer, else later. */
function serveAsk(service: Service, run: Handling<'ready'>): Handler {
  const { shared, endpoint, sender, access } = service;
  const later = serveLater(service, startAsk(service, run), true);
  const finish = (res: HttpResponse, visit: RequestFacts, { ready, freshness }: Known) => {
    const { refusal } = visit.admission;
    if (refusal !== null) return sender.error(res, visit, refusal);
    if (freshness === undefined) return sender.snapshot(res, visit, ready);
    sender.answer(res, visit, withinMaxAge(ready, freshness, shared.clock.now()));
  };
  return (res, req) => {
    const { outcome, notes, unknown } = checkParameters(endpoint, req);
    const { began } = shared.counters;
    const ready = isApiError(outcome) ? null : run.ready(outcome.kept, began);
    if (isApiError(outcome) || ready === null) return later(res, req);
    const { freshness, format } = outcome;
    const admission = access.admit(res, req, began);
    if (!(admission instanceof Promise) && admission.refusal === null && !freshness) {
      const visit = visitOf(service, req, { admission, notes, unknown, format, now: began }, ready);
      return sender.snapshot(res, visit, ready);
    }
    const asked = { ready, freshness };
    whenAdmitted(service, admission, { res, req, notes, unknown, format, asked }, finish);
  };
}

/** Answers that wait for something: another process, Redis, the rest of a body. */
export function serveLater(service: Service, start: Start, asked?: true): Handler {
  const { shared, endpoint, sender, access } = service;
  const { guard } = shared;
  return (res, req) => {
    const { outcome, notes, unknown } = checkParameters(endpoint, req);
    const format = formatIn(outcome);
    const undecidedVisit = { admission: undecided, notes, unknown, format, now: null };
    const visit = { ...visitOf(service, req, undecidedVisit), asked };
    const client = clientOf(guard, res, req);
    const leaveAddress = enterForAddress(shared, client);
    if (isApiError(leaveAddress)) {
      const admission = new Admission(leaveAddress, null, anonymousLines(guard, res, req));
      return sender.error(res, { ...visit, admission, notes: '' }, leaveAddress);
    }
    const admission = access.admit(res, req, shared.counters.began);
    const { signal, answer } = pending(shared, res, endpoint.slot);
    const make = start({ res, req, client, signal }, outcome);
    const work = async () => {
      const decided = await admission;
      const leaveAccount = enterForAccount(shared, decided);
      const admitted = isApiError(leaveAccount) ? decided.refused(leaveAccount) : decided;
      const made = await make(admitted);
      answer(() => sender.answer(res, { ...visit, admission: admitted }, made));
      if (made instanceof OpenFile) await sent(made, { res, signal, waiting: shared.waiting });
      leaveAddress();
      if (!isApiError(leaveAccount)) leaveAccount();
    };
    void work();
  };
}

/** A query: the handler of the row answers it. */
const startAsk =
  ({ shared: { clock } }: Service, run: Handling<'ready'>): Start =>
  ({ client }, outcome) =>
  async ({ refusal, caller }) => {
    if (refusal !== null) return refusal;
    if (isApiError(outcome)) return outcome;
    const found = await run.later(outcome.values, accountIdOf(caller, client));
    if (!(found instanceof Snapshot)) return found;
    outcome.kept = found.kept;
    const { freshness } = outcome;
    if (freshness === undefined) return found;
    return withinMaxAge(found, freshness, clock.now());
  };
