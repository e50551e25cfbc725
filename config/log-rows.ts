/** Settings of the log. */
import { oneOf, row } from './row.ts';

/** Off, or a share. */
function share(text: string): number | null {
  if (text === 'off') return null;
  const value = Number(text);
  if (!/^[\d.]+$/.test(text) || !(value >= 0 && value <= 1)) {
    throw new Error('off, or a number from 0 to 1');
  }
  return value;
}

export const logRows = {
  logLevel: row({
    env: 'LOG_LEVEL',
    read: oneOf('silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace'),
    fallback: 'info',
    doc: 'Least severe level that is logged: silent, fatal, error, warn, info, debug or trace.',
  }),
  logFormat: row({
    env: 'LOG_FORMAT',
    read: oneOf('auto', 'json'),
    fallback: 'auto',
    doc: 'Log lines are JSON on standard output. With `auto` they go to `logs/tidemark.log` in DATA_DIR instead while `npm start` or `npm run demo` runs on a terminal; with `json` they never do.',
  }),
  accessLog: row<number | null>({
    env: 'ACCESS_LOG',
    read: share,
    fallback: null,
    shown: '`off`',
    doc: 'Share of the requests that web processes log, from 0 to 1, such as `0.01`: a line with the id of the request, method, path without its query, status, bytes, duration, address, account and key. When it is not `off`, each answer states the id in `x-request-id`: that which the request came with, or one of its own; with 0 they have ids alone.',
  }),
};
