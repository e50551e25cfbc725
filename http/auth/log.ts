import type { BusLog } from '../../actors/bus/log.ts';

/**
 * The log of keys and identities; a pino logger fits. The fields never contain a key, token or claim: a key is named by
 * its id, a refused token by the error code of jose.
 */
export interface AuthLog extends BusLog {
  debug(fields: object, message: string): void;
}
