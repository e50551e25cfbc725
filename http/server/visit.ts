/** What a request asks for, as its head states it. */
import type { HttpRequest } from 'uWebSockets.js';
import { Snapshot } from '../answers/snapshots.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import type { Format } from '../endpoints/format.ts';
import { prefersCsv } from '../wire/accept.ts';
import { acceptedEncoding } from '../wire/accept-encoding.ts';
import type { ApiError } from '../wire/errors.ts';
import { names } from '../wire/header-names.ts';
import { headOf, type Shared } from './handling.ts';
import type { RequestFacts, SenderRow } from './sender.ts';

/** What a request is answered by, whatever its head says; `format` is that of its query, null without one. */
type Decided = Pick<RequestFacts, 'admission' | 'notes' | 'unknown' | 'now'> & {
  format: Format | null;
};

/** The handler that visits are of. */
interface Visited {
  shared: Shared;
  endpoint: Pick<Endpoint, 'table'>;
  method: SenderRow['method'];
}

/**
 * The form that a request asks for, with the decision about it. `found` is the answer, null where that is not known yet: the
 * coding is only read for what has compressed forms.
 */
export function visitOf(
  { shared, endpoint, method }: Visited,
  req: HttpRequest,
  { admission, notes, unknown, now, format }: Decided,
  found: Snapshot | ApiError | null = null,
): RequestFacts {
  const head = headOf(shared, req);
  const named = format !== null;
  if (method === 'other')
    return { head, tag: '', encoding: null, csv: false, named, admission, notes, unknown, now };
  const csv = named
    ? format === 'csv'
    : endpoint.table !== null && prefersCsv(req.getHeader(names.accept));
  const isPlain = found instanceof Snapshot && !csv && !found.hasForms;
  const encoding = isPlain ? null : acceptedEncoding(req.getHeader(names.acceptEncoding));
  const tag = req.getHeader(names.ifNoneMatch);
  return { head, tag, encoding, csv, named, admission, notes, unknown, now };
}
