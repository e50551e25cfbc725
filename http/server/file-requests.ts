/** Requests for files. */
import { JsonText } from '../answers/json-text.ts';
import type { AskQuestion } from '../answers/tables/file.ts';
import type { TableFormatName } from '../answers/tables/formats.ts';
import { accountIdOf } from '../auth/caller.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import { fileFormat } from '../endpoints/format.ts';
import type { Checked } from '../endpoints/validate.ts';
import { type ApiError, apiError, isApiError } from '../wire/errors.ts';
import { names } from '../wire/header-names.ts';
import { rangeOf } from '../wire/range.ts';
import type { Admission } from './admission.ts';
import { type Handler, type Shared, segmentsOf } from './handling.ts';
import { FileReading } from './made-file.ts';
import type { SenderRow } from './sender.ts';
import { serveLater } from './serve.ts';
import { type Service, type Start, serviceOf } from './service.ts';

/** Gives requests for a file to the second handler. */
export function byFormat({ check, segments }: Endpoint, json: Handler, file: Handler): Handler {
  return (res, req) => {
    const checked = check(req.getQuery() ?? '', segmentsOf(req, segments));
    const named = isApiError(checked) ? 'json' : checked.format;
    const isFile = fileFormat(named, req.getHeader(names.accept)) !== null;
    return isFile ? file(res, req) : json(res, req);
  };
}

/** Answers the requests of a row for files. */
export const serveFiles = (
  shared: Shared,
  endpoint: Endpoint,
  method: SenderRow['method'],
): Handler => {
  const service = serviceOf(shared, endpoint, method);
  return serveLater(service, startFile(service));
};

/** The file of a request that is admitted; an error of it, and of its quota. */
async function openFile(
  { shared, endpoint: { row }, method }: Service,
  { checked, format, signal, client, range, ifRange }: FileRequest,
  admitted: Admission,
): Promise<FileReading | ApiError> {
  if (isApiError(checked)) return checked;
  const file = row.file?.(checked.values);
  if (file === undefined || format === null) return apiError('internal');
  if (isApiError(file)) return file;
  const account = accountIdOf(admitted.caller, client);
  const key = JSON.stringify([account, row.path, format, checked.values]);
  // A reader of parts, and one that comes back, gets what was made for it.
  const mayBeKept = range !== '' || method === 'HEAD' || file.pages > 1;
  const tooMany = shared.files.isMade({ key, mayBeKept })
    ? null
    : await admitted.more(file.pages - 1);
  if (tooMany !== null) return tooMany;
  const ask: AskQuestion = async (question) => {
    const found = await shared.queries.once(question, account);
    if (found instanceof JsonText) throw new TypeError('rows are made of data, not of text');
    return found;
  };
  const made = await shared.files.open({ key, file, format, ask, mayBeKept });
  if (isApiError(made)) return made;
  const isPart = method === 'GET' && (ifRange === '' || ifRange === made.tag);
  const wanted = isPart ? rangeOf(range, made.size) : null;
  if (wanted === 'outside') return apiError('range_not_satisfiable');
  return new FileReading(made, wanted, { clock: shared.clock, signal });
}

/** A request for a file; null for a format that is none. */
interface FileRequest {
  checked: Checked;
  format: TableFormatName | null;
  signal: AbortSignal;
  client: string;
  /** The headers `Range` and `If-Range`; empty without one. */
  range: string;
  ifRange: string;
}

const startFile =
  (service: Service): Start =>
  ({ req, client, signal }, checked) => {
    const named = isApiError(checked) ? null : checked.format;
    const format = fileFormat(named, req.getHeader(names.accept));
    const [range, ifRange] = [req.getHeader(names.range), req.getHeader(names.ifRange)];
    const asked = { checked, format, signal, client, range, ifRange };
    return async (admitted) => admitted.refusal ?? openFile(service, asked, admitted);
  };
