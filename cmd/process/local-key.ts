/** API keys of the operator, who has access to the Redis of the service and needs no token. */
import type { Logger } from '../../config/log.ts';
import { firstKey, type IssuedKey, issueCode, issueKey } from '../../http/auth/issue.ts';

/** Of the account to which these keys belong. */
const owner = { account: 'local', plan: 'local', name: 'npm start' } as const;

/** The key of the first start, or the prefix of a key that was made before. */
export const firstLocalKey = (redisUrl: string, log: Logger): Promise<IssuedKey> =>
  firstKey({ ...owner, redisUrl, log });

/** The Redis of the service, and how long it is waited for, ms. */
interface Service {
  redisUrl: string;
  log: Logger;
  patience?: number;
}

/** The address that signs a browser in to the account of these keys, once and within an hour. */
export async function signInLink(url: string, service: Service): Promise<string> {
  // Behind the sign of a fragment, which a browser sends to nobody and writes into no log of a server.
  return `${url}/app#code=${await issueCode({ ...owner, ...service })}`;
}

/** Another key; with paths one that stands in URLs and reads these alone. */
export const anotherLocalKey = (service: Service, paths: readonly string[]): Promise<string> =>
  issueKey({
    ...{ ...owner, name: 'npm run key', ...service },
    paths: paths.length === 0 ? undefined : paths,
  });
