import pino, { type Logger } from 'pino';
import type { Config } from './config.ts';

export type { Logger } from 'pino';

/** Field names whose values never reach a log line, at any depth of two. */
const secretFields = [
  'password',
  'token',
  'authorization',
  'apiKey',
  'key',
  'secret',
  'redisUrl',
  'url',
];

/** The process's logger: JSON lines on standard error unless told otherwise, secrets redacted by field name. */
export function createLogger(
  config: Pick<Config, 'logLevel'>,
  role: string,
  to: pino.DestinationStream = pino.destination({ dest: 2, sync: true }),
): Logger {
  const paths = secretFields.flatMap((field) => [field, `*.${field}`, `*.*.${field}`]);
  return pino(
    {
      level: config.logLevel,
      base: { role, pid: process.pid },
      redact: { paths, censor: '[redacted]' },
    },
    to,
  );
}
