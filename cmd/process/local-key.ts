/** API keys of the operator, who has access to the Redis of the service and needs no token. */
import type { Logger } from '../../config/log.ts';
import { firstKey, type IssuedKey, issueCode, issueKey } from '../../http/auth/issue.ts';

/** Of the account to which these keys belong. */
const owner = { account: 'local', plan: 'local', name: 'npm start' } as const;

/** The key of the first start, or the prefix of a key that was made before. */
export const firstLocalKey = (redisUrl: string, log: Logger): Promise<IssuedKey> =>
  firstKey({ ...owner, redisUrl, log });

/** The address that signs a browser in to the account of these keys, once and within an hour. Waits for Redis for `patience` ms. */
export async function signInLink(
  url: string,
  { redisUrl, log, patience }: { redisUrl: string; log: Logger; patience?: number },
): Promise<string> {
  // Behind the sign of a fragment, which a browser sends to nobody and writes into no log of a server.
  return `${url}/app#code=${await issueCode({ ...owner, redisUrl, log, patience })}`;
}

/** Another key. Waits for Redis for `patience` ms. */
export const anotherLocalKey = (redisUrl: string, log: Logger, patience: number): Promise<string> =>
  issueKey({ ...owner, name: 'npm run key', redisUrl, patience, log });
