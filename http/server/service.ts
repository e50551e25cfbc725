/** One row as a server answers it. */
import type { Answer, Endpoint, Run } from '../endpoints/endpoint.ts';
import type { Checked } from '../endpoints/validate.ts';
import { Admission } from './admission.ts';
import { AdmissionCheck } from './admission-check.ts';
import type { OpenFile, WholeFile } from './files.ts';
import type { Request, Shared } from './handling.ts';
import { type RequestFacts, Sender, type SenderRow } from './sender.ts';

/** The handler of one row in one method. */
export interface Service {
  shared: Shared;
  endpoint: Endpoint;
  sender: Sender;
  access: AdmissionCheck;
  method: SenderRow['method'];
  /** The facts of the request that is handled now: whoever waits copies them. */
  facts: RequestFacts;
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
) => (admitted: Admission) => Promise<Answer | WholeFile | OpenFile>;

/** The facts of a request before it comes. */
const factsFor = ({ heads }: Shared): RequestFacts => ({
  head: heads.of(''),
  tag: '',
  encoding: null,
  csv: false,
  named: false,
  admission: new Admission(null, null, ''),
  notes: '',
  unknown: [],
  now: null,
});

/** The handler of a row in a method. */
export function serviceOf(
  shared: Shared,
  endpoint: Endpoint,
  method: SenderRow['method'],
): Service {
  const { row, slot, table } = endpoint;
  const sender = new Sender(shared, { slot, method, access: row.access, table, bare: row.bare });
  const access = new AdmissionCheck(shared.guard, row);
  return { shared, endpoint, sender, access, method, facts: factsFor(shared) };
}
