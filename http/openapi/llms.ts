/** `/llms.txt`: the API in a page of text for language models (https://llmstxt.org/). */
import { type Group, groups } from '../endpoints/groups.ts';
import type { Route } from '../endpoints/route.ts';

const opening = `# Tidemark

> Crypto market data and analytics over HTTP: prices, open interest, funding, options, liquidations, order books, indicators, on-chain data.

Answers are JSON: {"status":"ok","timestamp":<Unix ms>,"as_of":<Unix ms>,"data":…}, or {"status":"error","code":"…","message":"…"}.
Send an API key in the header X-API-Key, except where "open" stands. Symbols are base assets in any case (BTC); times are Unix
milliseconds. Each answer has an ETag for If-None-Match. After 429, 502 and 503 wait for the seconds in Retry-After.
Several paths as of one moment: POST /v1/batch with {"paths":["/v1/prices?symbol=BTC"]}. Each new version of an answer:
GET /v1/stream?path=/v1/prices%3Fsymbol%3DBTC (Server-Sent Events).

- [Reference](docs): a page to read and to try
- [OpenAPI](openapi.json): every parameter, schema and an example of each answer
`;

const parameters = ({ params }: Route): string =>
  Object.entries(params)
    .map(([name, { required }]) => (required ? name : `${name}?`))
    .join(', ');

function lineOf(row: Route): string {
  const given = parameters(row);
  const notes = [
    ...(given === '' ? [] : [`Parameters: ${given}.`]),
    ...(row.access === 'open' ? ['Open.'] : row.access === 'bearer' ? ['Bearer token.'] : []),
  ];
  return `- ${row.method} ${row.path}: ${[`${row.summary}.`, ...notes].join(' ')}`;
}

/** The text for a route table. */
export function llmsText(routes: readonly Route[]): string {
  const names = Object.keys(groups) as Group[];
  const sections = names.flatMap((name) => {
    const rows = routes.filter(({ group }) => group === name);
    return rows.length === 0 ? [] : [`## ${name}\n\n${rows.map(lineOf).join('\n')}\n`];
  });
  return [opening, ...sections].join('\n');
}
