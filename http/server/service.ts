/** One row as a server answers it. */
import type { HttpRequest } from 'uWebSockets.js';
import { isLinked, linkLines } from '../auth/link.ts';
import type { CheckedRow } from '../endpoints/common-params.ts';
import type { Answer, Endpoint, Run } from '../endpoints/endpoint.ts';
import { type Checked, strictly } from '../endpoints/validate.ts';
import { Admission } from './admission.ts';
import { AdmissionCheck } from './admission-check.ts';
import { type Request, type RequestFacts, type Shared, segmentsOf } from './handling.ts';
import type { FileReading } from './made-file.ts';
import { Sender, type SenderRow } from './sender.ts';

/** What answers, in one method, the requests of a row, or of a path that is none. */
export interface Answering {
  shared: Shared;
  endpoint: Pick<Endpoint, 'slot' | 'segments' | 'check' | 'bodyCap' | 'table'> & {
    row: CheckedRow;
  };
  sender: Sender;
  access: AdmissionCheck;
  method: SenderRow['method'];
  /** The facts of the request that is handled now: whoever waits copies them. */
  facts: RequestFacts;
}

/** The handler of one row in one method. */
export interface Service extends Answering {
  endpoint: Endpoint;
}

/** The handling of a row that has the property `K`. */
export type Handling<K extends string> = Extract<Run, Record<K, unknown>>;

/**
 * Reads everything that it needs from `req` before it returns. The returned function makes the answer once the
 * admission is decided, and never rejects.
 */
export type Start = (
  request: Request,
  checked: Checked,
) => (admitted: Admission) => Promise<Answer | FileReading>;

/** The facts of a request before it comes. */
export const factsFor = ({ heads }: Shared): RequestFacts => ({
  head: heads.of(''),
  tag: '',
  encoding: null,
  csv: false,
  named: false,
  admission: new Admission(null, null, ''),
  notes: '',
  unknown: [],
  now: null,
  client: '',
});

/** The handler of a row in a method. */
export function serviceOf(
  shared: Shared,
  endpoint: Endpoint,
  method: SenderRow['method'],
): Service {
  const { row, slot, table } = endpoint;
  const sender = new Sender(shared, {
    slot,
    method,
    access: row.access,
    table,
    noEnvelope: row.noEnvelope,
  });
  const access = new AdmissionCheck(shared.guard, row);
  return { shared, endpoint, sender, access, method, facts: factsFor(shared) };
}

/** The lines of a request whose parameters are not read, or are refused. */
export const linkNotes = (req: HttpRequest): string =>
  isLinked(req.getQuery() ?? '') ? linkLines : '';

/** The preference for an error in place of ignored parameters (RFC 7240, 4.4). */
const handling = /(?:^|,)\s*handling\s*=([^,;]*)/i;
const strict = /^\s*"?strict\b/i;

/** The checked parameters of the request that uWebSockets.js handles now. */
export function checkedOf({ endpoint }: Answering, req: HttpRequest): Checked {
  // The query is undefined when the URL has no question mark, whatever its type says.
  const checked = endpoint.check(req.getQuery() ?? '', segmentsOf(req, endpoint.segments));
  if (checked.unknown.length === 0) return checked;
  if (!strict.test(handling.exec(req.getHeader('prefer'))?.[1] ?? '')) return checked;
  const refused = strictly(checked, endpoint.row);
  return { ...refused, notes: linkNotes(req) + refused.notes };
}
