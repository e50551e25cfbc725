/** The rules for the settings of each process, beside those of the table. */
import type { Check } from '../../config/config.ts';
import type { Role } from '../../config/uses.ts';
import { redisChecks } from './process.ts';
import { providerCheck } from './provider.ts';
import { liveCheck, sourcesCheck } from './sources.ts';

export const checksOf: Readonly<Record<Role, readonly Check[]>> = {
  web: [sourcesCheck, ...redisChecks, providerCheck],
  feed: [sourcesCheck, liveCheck, ...redisChecks],
  compute: redisChecks,
  history: [sourcesCheck, ...redisChecks],
  alerts: [sourcesCheck, ...redisChecks],
};
