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
  'redisBusUrl',
  'redisReadUrl',
  'url',
];

/** Where log lines go: a file descriptor, standard output when there is none. Each line is written before the call returns. */
export const logStream = (fd?: number | null): pino.DestinationStream =>
  pino.destination({ dest: fd ?? 1, sync: true });

/** The process's logger: JSON lines, by default on standard output, with secrets redacted by field name. */
export function createLogger(
  config: Pick<Config, 'logLevel'>,
  role: string,
  to: pino.DestinationStream = logStream(),
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
