/** What the rows of exchange analytics share. */
import { apiError, type kit } from '../kit.ts';

/** The error while nothing of an exchange has been received. `what` names it. */
export const notYet = (what: string): kit.ApiError =>
  apiError('upstream_failed', `no answer with ${what} has been received yet`);
