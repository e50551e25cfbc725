import type { BusLog } from '../../actors/bus/log.ts';

/**
 * What keys and identities tell their operators; a pino logger fits. No key, token or claim is ever among the
 * fields: a key is named by its id, a refused token by jose's error code.
 */
export interface AuthLog extends BusLog {
  debug(fields: object, message: string): void;
}
