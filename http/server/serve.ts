import type { HttpRequest, HttpResponse } from 'uWebSockets.js';
import { Snapshot } from '../answers/snapshots.ts';
import { accountIdOf } from '../auth/caller.ts';
import type { Endpoint, Values } from '../endpoints/endpoint.ts';
import { type Freshness, withinMaxAge } from '../endpoints/freshness.ts';
import type { Checked } from '../endpoints/validate.ts';
import { targetOf } from '../live/paths.ts';
import { acceptedEncoding, prefersCsv } from '../wire/accept.ts';
import { type ApiError, isApiError } from '../wire/errors.ts';
import { names } from '../wire/header-names.ts';
import { startAct } from './act.ts';
import { Admission } from './admission.ts';
import { anonymousLines, clientOf } from './admission-check.ts';
import { type Handler, headOf, pending, type RequestFacts, type Shared } from './handling.ts';
import { FileReading } from './made-file.ts';
import { afterBody } from './refuse.ts';
import type { SenderRow } from './sender.ts';
import {
  type Answering,
  checkedOf,
  type Handling,
  linkNotes,
  type Service,
  type Start,
  serviceOf,
} from './service.ts';
import { enterForAccount, enterForAddress, waitForNext } from './wait.ts';

/** Stands in the facts of a request until its admission is decided. */
const undecided = new Admission(null, null, '');

/** Answers the requests of one row; `method` is HEAD for the same answers without their bodies. */
export function serve(shared: Shared, endpoint: Endpoint, method: SenderRow['method']): Handler {
  const service = serviceOf(shared, endpoint, method);
  const { run, past } = endpoint;
  const ofPast = past === null ? null : serveAsk(service, past);
  if ('now' in run) return serveNow(service, run, ofPast);
  if ('act' in run) return serveLater(service, startAct(service, run));
  return serveAsk(service, run);
}

/** A handler of requests that may be admitted already. */
type Admitting = (
  res: HttpResponse,
  req: HttpRequest,
  admitted?: Admission | Promise<Admission>,
) => void;

/**
 * The facts of a request, in the one object that its row has for them: whoever waits copies them. `found` is the answer, null where
 * that is not known yet: the coding is only read for what has compressed forms.
 */
function factsOf(
  { shared, endpoint, method, facts }: Answering,
  req: HttpRequest,
  {
    res,
    admission,
    checked,
    now,
  }: { res: HttpResponse; admission: Admission; checked: Checked; now: number | null },
  found: Snapshot | ApiError | null = null,
): RequestFacts {
  const format = isApiError(checked) ? null : checked.format;
  facts.head = headOf(shared, req);
  facts.admission = admission;
  facts.notes = checked.notes;
  facts.unknown = checked.unknown;
  facts.now = now;
  facts.named = format !== null;
  if (shared.guard.isProxied) facts.client = clientOf(shared.guard, res, req);
  if (method === 'other') return facts;
  facts.csv = facts.named
    ? format === 'csv'
    : endpoint.table !== null && prefersCsv(req.getHeader(names.accept));
  const isPlain = found instanceof Snapshot && !facts.csv && !found.hasForms;
  facts.encoding = isPlain ? null : acceptedEncoding(req.getHeader(names.acceptEncoding));
  facts.tag = req.getHeader(names.ifNoneMatch);
  return facts;
}

/** A request that limits the age of its answer, or waits for the next. */
interface Fresh {
  res: HttpResponse;
  facts: RequestFacts;
  client: string;
  values: Values;
  freshness: Freshness;
}

/** Answers once the answer is young enough, or another than the client has. */
function finishFresh(
  { shared, endpoint, sender }: Service,
  run: Handling<'now'>,
  { res, facts, client, values, freshness }: Fresh,
): void {
  const read = () => {
    const found = run.now(values);
    return isApiError(found) ? found : withinMaxAge(found, freshness, shared.clock.now());
  };
  const found = read();
  const { wait } = freshness;
  if (wait === null || isApiError(found) || !sender.isKnown(facts, found)) {
    sender.answer(res, facts, found);
    return;
  }
  const mine = { ...facts };
  const { admission } = mine;
  const waiting = { res, client, admission, target: targetOf(endpoint, values), wait };
  const refusal = waitForNext(shared, waiting, () => sender.answer(res, mine, read()));
  if (refusal) sender.error(res, { ...mine, admission: admission.refused(refusal) }, refusal);
}

/** A request whose answer is in memory; `asked` is what it asks for. */
interface Arrived<A> {
  res: HttpResponse;
  req: HttpRequest;
  checked: Checked;
  asked: A;
}

/**
 * Calls `finish`, corked, once the request is admitted: at once, unless Redis must be asked for the caller or the quota.
 * `finish` is one function for all requests of a row: a new one for each would cost more than its call.
 */
function whenAdmitted<A>(
  service: Service,
  admission: Admission | Promise<Admission>,
  { res, req, checked, asked }: Arrived<A>,
  finish: (res: HttpResponse, facts: RequestFacts, asked: A) => void,
): void {
  if (!(admission instanceof Promise)) {
    finish(res, factsOf(service, req, { res, admission, checked, now: null }), asked);
    return;
  }
  const facts = { ...factsOf(service, req, { res, admission: undecided, checked, now: null }) };
  const { answer } = pending(service.shared, res, service.endpoint.slot);
  void admission.then((admitted) =>
    answer(() => finish(res, { ...facts, admission: admitted }, asked)),
  );
}

type Good = Exclude<Checked, ApiError>;

/** The answer that equal requests were given, unless its data have changed; else the one of now. */
function answerNow(run: Handling<'now'>, checked: Good): Snapshot | ApiError {
  const { answer } = checked.kept;
  if (answer !== null) return answer;
  const found = run.now(checked.values);
  if (found instanceof Snapshot) checked.kept = found.kept;
  return found;
}

const mayWait = (checked: Checked): boolean =>
  !isApiError(checked) && (checked.freshness?.wait ?? null) !== null;

/** Answers from memory; requests about the past by `past`, where the row has one. */
function serveNow(service: Service, run: Handling<'now'>, past: Admitting | null): Handler {
  const { shared, sender, access } = service;
  const finish = (
    res: HttpResponse,
    facts: RequestFacts,
    { checked, client }: { checked: Checked; client: string },
  ) => {
    const { refusal } = facts.admission;
    if (refusal !== null) return sender.error(res, facts, refusal);
    if (isApiError(checked)) return sender.error(res, facts, checked);
    const { values, freshness } = checked;
    if (freshness === undefined) return sender.answer(res, facts, answerNow(run, checked));
    return finishFresh(service, run, { res, facts, client, values, freshness });
  };
  const refuse = (res: HttpResponse, req: HttpRequest, admission: Admission, error: ApiError) =>
    sender.error(res, { head: headOf(shared, req), admission, notes: linkNotes(req) }, error);
  const answer = (res: HttpResponse, req: HttpRequest, admission: Admission, checked: Good) => {
    const found = answerNow(run, checked);
    // The clock is read again where the answer may have been made just now, which takes time.
    const isReady = found instanceof Snapshot && found.plain.wasStamped;
    const now = isReady ? shared.counters.began : shared.clock.now();
    sender.answer(res, factsOf(service, req, { res, admission, checked, now }, found), found);
  };
  const arrive = (
    res: HttpResponse,
    req: HttpRequest,
    admission: Admission | Promise<Admission>,
    checked: Checked,
  ) => {
    if (past !== null && !isApiError(checked) && checked.isPast) return past(res, req, admission);
    const client = mayWait(checked) ? clientOf(shared.guard, res, req) : '';
    whenAdmitted(service, admission, { res, req, checked, asked: { checked, client } }, finish);
  };
  const isNow = (checked: Checked): checked is Good =>
    !isApiError(checked) && checked.freshness === undefined && !checked.isPast;
  return (res, req) => {
    const admission = access.admit(res, req, shared.counters.began);
    if (admission instanceof Promise) return arrive(res, req, admission, checkedOf(service, req));
    // Reject before parsing anything else: under attack most requests are rejected here.
    if (admission.refusal !== null) return refuse(res, req, admission, admission.refusal);
    const checked = checkedOf(service, req);
    if (isNow(checked)) return answer(res, req, admission, checked);
    arrive(res, req, admission, checked);
  };
}

/** An answer in memory, and the limits of the request on its age. */
interface Known {
  ready: Snapshot;
  freshness: Freshness | undefined;
}

/** Answers a query: from memory where that has the answer, else later. */
function serveAsk(service: Service, run: Handling<'ready'>): Admitting {
  const { shared, sender, access } = service;
  const later = serveLater(service, startAsk(service, run), true);
  const finish = (res: HttpResponse, facts: RequestFacts, { ready, freshness }: Known) => {
    const { refusal } = facts.admission;
    if (refusal !== null) return sender.error(res, facts, refusal);
    if (freshness === undefined) return sender.snapshot(res, facts, ready);
    sender.answer(res, facts, withinMaxAge(ready, freshness, shared.clock.now()));
  };
  return (res, req, admitted) => {
    const checked = checkedOf(service, req);
    const { began } = shared.counters;
    const ready = isApiError(checked) ? null : run.ready(checked.kept, began);
    if (isApiError(checked) || ready === null) return later(res, req, admitted);
    const { freshness } = checked;
    const admission = admitted ?? access.admit(res, req, began);
    if (!(admission instanceof Promise) && admission.refusal === null && !freshness) {
      const facts = factsOf(service, req, { res, admission, checked, now: began }, ready);
      return sender.snapshot(res, facts, ready);
    }
    whenAdmitted(service, admission, { res, req, checked, asked: { ready, freshness } }, finish);
  };
}

/** Answers that wait for something: another process, Redis, the rest of a body. */
export function serveLater(service: Answering, start: Start, asked?: true): Admitting {
  const { shared, endpoint, sender, access } = service;
  return (res, req, admitted) => {
    const checked = checkedOf(service, req);
    const facts = {
      ...factsOf(service, req, { res, admission: undecided, checked, now: null }),
      asked,
    };
    const admission = admitted ?? access.admit(res, req, shared.counters.began);
    if (!(admission instanceof Promise) && admission.refusal !== null) {
      const { refusal } = admission;
      return afterBody(shared, { res, req, cap: endpoint.bodyCap }, (fault) =>
        sender.error(res, { ...facts, admission }, fault ?? refusal),
      );
    }
    const client = clientOf(shared.guard, res, req);
    const leaveAddress = enterForAddress(shared, client);
    if (isApiError(leaveAddress)) {
      void Promise.resolve(admission).then((one) => one.refund());
      const refused = new Admission(leaveAddress, null, anonymousLines(shared.guard, res, req));
      return sender.error(res, { ...facts, admission: refused, notes: '' }, leaveAddress);
    }
    const { signal, answer } = pending(shared, res, endpoint.slot);
    const make = start({ res, req, client, signal }, checked);
    const work = async () => {
      const decided = await admission;
      const leaveAccount = enterForAccount(shared, decided);
      const final = isApiError(leaveAccount) ? decided.refused(leaveAccount) : decided;
      const made = await make(final);
      answer(() => sender.answer(res, { ...facts, admission: final }, made));
      if (made instanceof FileReading) await sent(made, { res, signal, waiting: shared.waiting });
      leaveAddress();
      if (!isApiError(leaveAccount)) leaveAccount();
    };
    void work();
  };
}

/** Resolves when a file has been sent; the end of the service, by `waiting`, breaks it off. */
async function sent(
  file: FileReading,
  { res, signal, waiting }: { res: HttpResponse; signal: AbortSignal; waiting: Set<() => void> },
): Promise<void> {
  if (signal.aborted) file.drop();
  const stop = () => {
    if (!signal.aborted) res.close();
  };
  waiting.add(stop);
  await file.ended;
  waiting.delete(stop);
}

/** A query: the handler of the row answers it. */
const startAsk =
  ({ shared: { clock } }: Service, run: Handling<'ready'>): Start =>
  ({ client }, checked) =>
  async ({ refusal, caller }) => {
    if (refusal !== null) return refusal;
    if (isApiError(checked)) return checked;
    const found = await run.later(checked.values, accountIdOf(caller, client));
    if (!(found instanceof Snapshot)) return found;
    checked.kept = found.kept;
    const { freshness } = checked;
    return freshness ? withinMaxAge(found, freshness, clock.now()) : found;
  };
