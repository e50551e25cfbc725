/** API keys of the operator, who has access to the Redis of the service and needs no token. */
import type { Logger } from '../../config/log.ts';
import { firstKey, type IssuedKey, issueKey } from '../../http/auth/issue.ts';

/** Of the account to which these keys belong. */
const owner = { account: 'local', plan: 'local', name: 'npm start' } as const;

/** The key of the first start, or the prefix of a key that was made before. */
export const firstLocalKey = (redisUrl: string, log: Logger): Promise<IssuedKey> =>
  firstKey({ ...owner, redisUrl, log });

/** Another key. Waits for Redis for `patience` ms. */
export const anotherLocalKey = (redisUrl: string, log: Logger, patience: number): Promise<string> =>
  issueKey({ ...owner, name: 'npm run key', redisUrl, patience, log });
