/** One row as a server answers it. */
import type { Answer, Endpoint, Run } from '../endpoints/endpoint.ts';
import type { Admission } from './admission.ts';
import { AdmissionCheck } from './admission-check.ts';
import type { OpenFile, WholeFile } from './files.ts';
import type { Request, Shared } from './handling.ts';
import type { CheckedParameters } from './parameters.ts';
import { Sender, type SenderRow } from './sender.ts';

/** The handler of one row in one method. */
export interface Service {
  shared: Shared;
  endpoint: Endpoint;
  sender: Sender;
  access: AdmissionCheck;
  method: SenderRow['method'];
}

/** The handling of a row that has the property `K`. */
export type Handling<K extends string> = Extract<Run, Record<K, unknown>>;

/**
 * Reads everything that it needs from `req` before it returns. The returned function makes the answer once the
 * admission is decided, and never rejects.
 */
export type Start = (
  request: Request,
  outcome: CheckedParameters['outcome'],
) => (admitted: Admission) => Promise<Answer | WholeFile | OpenFile>;

/** The handler of a row in a method. */
export function serviceOf(
  shared: Shared,
  endpoint: Endpoint,
  method: SenderRow['method'],
): Service {
  const { row, slot, table } = endpoint;
  const sender = new Sender(shared, { slot, method, access: row.access, table, bare: row.bare });
  return { shared, endpoint, sender, access: new AdmissionCheck(shared.guard, row), method };
}
