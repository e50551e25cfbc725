/** The page of the limits of requests, from the code that enforces them. */
import { mostBatchBytes } from '../../http/batch.ts';
import { defaultBodyCap } from '../../http/endpoint.ts';
import { longestWait } from '../../http/freshness.ts';
import { mostPaths } from '../../http/live/events.ts';
import { mostSubscriptions } from '../../http/live/session.ts';
import { mostBatchPaths } from '../../http/routes/batch.ts';
import { limits, mostValues } from '../../http/routes/compute-body.ts';
import { symbolLimits } from '../../http/routes/symbol-list.ts';
import { ownRows } from '../../indicators/job-columns.ts';
import { routes } from './routes.ts';

const kibibytes = (bytes: number): string =>
  bytes < 2 ** 20 ? `${bytes / 2 ** 10} KiB` : `${bytes / 2 ** 20} MiB`;

const bodies = routes.flatMap(({ method, path, bodyCap }): [string, string][] =>
  bodyCap === undefined ? [] : [[`body of \`${method} ${path}\``, kibibytes(bodyCap)]],
);

const rows: readonly (readonly [string, string])[] = [
  ['body of a request', kibibytes(defaultBodyCap)],
  ...bodies,
  ['paths of a batch', `${mostBatchPaths}`],
  ['all answers of a batch', kibibytes(mostBatchBytes)],
  [
    '`symbols` of one request',
    `${symbolLimits.symbols}, each of ${symbolLimits.characters} characters`,
  ],
  ['candles of your own', `${ownRows.least} to ${ownRows.most.toLocaleString('en')}`],
  ['`limit` of computed indicators', limits.most.toLocaleString('en')],
  ['numbers in one answer of computed series', mostValues.toLocaleString('en')],
  ['`wait` for a change', `${longestWait / 1_000} s`],
  ['subscriptions of a WebSocket', `${mostSubscriptions}`],
  ['paths of one stream by Server-Sent Events', `${mostPaths}`],
];

/** The text of `docs/limits.md`. */
export const limitsForDocs = (): string => `# Limits

What one request may ask for; beyond it the answer is 400 or 413 and says what is allowed. Requests a minute, subscriptions of an
account and what else a plan limits: [quotas](quotas.md). Limits of the protocol, such as the length of headers:
[security](security.md). Rows of an answer (\`limit\`): [endpoints](endpoints.md). This page is made from the code by
\`npm run docs\`.

| What | At most |
|---|---|
${rows.map(([what, most]) => `| ${what} | ${most} |`).join('\n')}
`;
