/** The page of the limits of clients, from the code that enforces them. */
import { defaultPlans } from '../../config/plans.ts';
import { roomy } from '../../http/auth/key-cache.ts';
import { longestName } from '../../http/auth/keys.ts';
import { mostBatchBytes } from '../../http/endpoints/batch.ts';
import { defaultBodyCap } from '../../http/endpoints/endpoint.ts';
import { longestWait } from '../../http/endpoints/freshness.ts';
import { mostFollowed } from '../../http/live/topics.ts';
import { searchLimits } from '../../http/mcp/catalogue.ts';
import { mostData } from '../../http/mcp/result.ts';
import { answerBytes } from '../../http/mcp/tool.ts';
import { mostBatchPaths } from '../../http/routes/batch.ts';
import { limits, mostOfMarkets, mostValues } from '../../http/routes/compute-body.ts';
import { symbolLimits } from '../../http/routes/factory/symbol-list.ts';
import { mostFiles } from '../../http/server/files.ts';
import { serverDefaults } from '../../http/server/server.ts';
import { mostPerAddress, patience } from '../../http/server/streams/live.ts';
import { longestPath, mostPaths } from '../../http/server/streams/request.ts';
import { mostSubscriptions } from '../../http/server/streams/session.ts';
import { socketLimits } from '../../http/server/streams/socket.ts';
import { bodyPatience } from '../../http/wire/request-body.ts';
import { ownRows } from '../../indicators/job-columns.ts';
import { routes } from './routes.ts';

const bytes = (count: number): string =>
  count < 2 ** 20 ? `${count / 2 ** 10} KiB` : `${count / 2 ** 20} MiB`;
const number = (count: number): string => count.toLocaleString('en');
const seconds = (ms: number): string => `${ms / 1_000} s`;

/** What, how much of it, and what follows beyond that. */
type Row = readonly [what: string, most: string, beyond: string];

/** A limit that may be absent. */
const optional = (what: string, most: number | null | undefined, beyond: string): Row[] =>
  typeof most === 'number' ? [[what, number(most), beyond]] : [];

const bodies = routes.flatMap(({ method, path, bodyCap }): Row[] =>
  bodyCap === undefined ? [] : [[`body of \`${method} ${path}\``, bytes(bodyCap), '413']],
);

const planRows = (name: string): Row[] => {
  const { requestsPerMinute, keys, connections, subscriptions, alerts } = defaultPlans.of(name);
  const of = `plan \`${name}\`, of an account:`;
  return [
    ...optional(`${of} requests a minute`, requestsPerMinute, '429'),
    ...optional(`${of} active keys`, keys, '403'),
    ...optional(`${of} requests that wait, or streams, in a process`, connections, '429'),
    ...optional(`${of} subscriptions in a process`, subscriptions, '`too_many_requests`'),
    ...optional(`${of} alerts`, alerts, '403'),
  ];
};

const requestRows: readonly Row[] = [
  ['body of a request', bytes(defaultBodyCap), '413'],
  ...bodies,
  ['time without a byte of a body', seconds(bodyPatience), '408, closed'],
  ['bodies that a process reads at once', bytes(serverDefaults.bodies.most), '503'],
  ['those of one client among them', bytes(serverDefaults.bodies.ofClient), '503'],
  [
    'requests of an address that wait, in a process (`IN_FLIGHT_PER_ADDRESS`)',
    number(serverDefaults.inFlightPerAddress),
    '429',
  ],
  [
    'unknown keys and tickets of an address that are looked up at once',
    number(roomy.perAddress),
    '503',
  ],
  ['characters of the name of a key', number(longestName), '400'],
  ['paths of a batch', number(mostBatchPaths), '400'],
  ['all answers of a batch', bytes(mostBatchBytes), '413 in the place of the answer'],
  [
    '`symbols` of one request',
    `${symbolLimits.symbols}, each of ${symbolLimits.characters} characters`,
    '400',
  ],
  ['candles of your own', `${ownRows.least} to ${number(ownRows.most)}`, '400'],
  ['`limit` of computed indicators', number(limits.most), '400'],
  ['`markets` of computed indicators', number(mostOfMarkets.markets), '400'],
  ['numbers in one answer of computed series', number(mostValues), '400'],
  ['`wait` for a change', seconds(longestWait), '400'],
  [
    'answers and messages of its own that a client does not read',
    bytes(serverDefaults.unsent.ofClient),
    'closed',
  ],
  ['the same of a process', bytes(serverDefaults.unsent.most), 'closed'],
  ['files that a process sends at once', number(mostFiles), '503'],
];

const streamRows: readonly Row[] = [
  ['subscriptions of a WebSocket', number(mostSubscriptions), '`too_many_requests`'],
  ['paths of one stream by Server-Sent Events', number(mostPaths), '400'],
  ['characters of a path of a WebSocket', number(longestPath), '`bad_parameter`'],
  ['answers of one pattern', number(mostFollowed.ofGlob), 'the others are left out'],
  [
    'answers of all patterns of a process (an account: no more than it leaves free)',
    number(mostFollowed.ofGlobs),
    '`overloaded`',
  ],
  [
    'answers that a process follows (an account: the same)',
    number(mostFollowed.topics),
    '`overloaded`',
  ],
  [
    'answers that a process asks exchanges for again and again (an account: the same)',
    number(mostFollowed.asked),
    '`overloaded`',
  ],
  [
    'streams of an address without a key',
    number(mostPerAddress.connections),
    '`too_many_requests`',
  ],
  [
    'subscriptions of an address without a key',
    number(mostPerAddress.subscriptions),
    '`too_many_requests`',
  ],
  ['WebSockets of an address that follow nothing yet', number(socketLimits.unsubscribed), '429'],
  [
    'time in which a WebSocket must authenticate or subscribe',
    seconds(socketLimits.introduction),
    'closed, 4400',
  ],
  ['a message to a WebSocket', bytes(socketLimits.message), 'closed'],
  [
    'messages of a WebSocket that are worked on at once',
    number(socketLimits.requests),
    '`overloaded`',
  ],
  ['pings of a WebSocket in a second', number(socketLimits.pings), 'closed, 4429'],
  ['messages and pings of a WebSocket that reads nothing', number(socketLimits.unread), 'closed'],
  ['what waits for a WebSocket', bytes(socketLimits.buffered), 'closed'],
  ['time in which a stream reads nothing', seconds(patience), 'closed, 4408'],
];

const mcpRows: readonly Row[] = [
  [
    '`max_bytes` of an answer of an MCP tool',
    `${number(answerBytes.least)} to ${number(answerBytes.most)}, usually ${number(answerBytes.usual)}`,
    '`isError`; rows beyond it follow with `next_cursor`',
  ],
  ['data that one call of an MCP tool reads', bytes(mostData), '`isError`'],
  ['endpoints that `search_endpoints` shows', number(searchLimits.found), '`isError`'],
  ['characters of its `query`', number(searchLimits.characters), '`isError`'],
];

const rows: readonly Row[] = [
  ...defaultPlans.names.flatMap(planRows),
  ...requestRows,
  ...streamRows,
  ...mcpRows,
];

/** The text of `docs/limits.md`. */
export const limitsForDocs = (): string => `# Limits

What clients may ask for. An error says what is allowed. A plan has no other limits, and the plan \`local\` none; \`PLANS\`
sets other ones ([quotas](quotas.md)). What the HTTP server
itself bounds, such as the length of headers, is not in this code: [security](security.md). Rows of an answer (\`limit\`):
[endpoints](endpoints.md). This page is made from the code by \`npm run docs\`.

| What | At most | Beyond it |
|---|---|---|
${rows.map((row) => `| ${row.join(' | ')} |`).join('\n')}
`;
