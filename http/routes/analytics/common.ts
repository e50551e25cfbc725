/** What the rows of exchange analytics share. */
import { type ApiError, apiError } from '../../wire/errors.ts';

/** Where the documentation has these rows. */
export const group = 'Exchange analytics' as const;

/** The error while nothing of an exchange has been received. `what` names it. */
export const notYet = (what: string): ApiError =>
  apiError('upstream_failed', `no answer with ${what} has been received yet`);
