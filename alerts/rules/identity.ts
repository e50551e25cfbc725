/** The ids of firings. */
import { hash } from 'node:crypto';

/** The id of a firing: the same in every process that comes to it, and for every attempt to deliver it. */
export const eventIdOf = (rule: { id: string; revision: number }, subject: string, seq: number) =>
  `evt_${hash('sha256', JSON.stringify([rule.id, rule.revision, subject, seq]), 'base64url').slice(0, 24)}`;
