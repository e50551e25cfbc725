/**
 * Writes the example answers of the description of the API: asks a demo, whose time starts at a fixed moment, for every
 * operation (`--only TEXT`: those whose path contains it; `--missing`: those without an example; the others stay).
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type OpenApi, type Operation, openapiDocument } from '../http/openapi/openapi.ts';
import { routes } from './docs/routes.ts';
import { type Demo, startDemo } from './examples/service.ts';
import { resolved, shortened } from './examples/shorten.ts';

const file = join(import.meta.dirname, '..', 'http', 'openapi', 'examples.json');

/** How long operations without a good answer are asked again, and the pause between, ms: recorded series and option chains take minutes to fill. */
const patience = 300_000;
const pause = 5_000;

/** What is left of a text. */
const most = { lines: 12, characters: 800 } as const;

const opening = (text: string): string =>
  `${text.split('\n').slice(0, most.lines).join('\n').slice(0, most.characters)}\n`;

type Json = Readonly<Record<string, unknown>>;
type Entry = readonly [path: string, method: string, operation: Operation];

/** The values of the parameters: their example, and where one is required, what there is. */
const valuesOf = ({ parameters }: Operation): [name: string, value: string, at: string][] =>
  parameters.flatMap(({ name, in: at, required, example, schema }) => {
    const first = Array.isArray(schema.enum) ? schema.enum[0] : undefined;
    const value = example ?? (required ? (schema.default ?? first) : undefined);
    return value === undefined ? [] : [[name, String(value), at]];
  });

function targetOf(path: string, operation: Operation): string {
  const query = new URLSearchParams();
  let filled = path;
  for (const [name, value, at] of valuesOf(operation)) {
    if (at === 'query') query.set(name, value);
    else filled = filled.replace(`{${name}}`, encodeURIComponent(value));
  }
  return query.size > 0 ? `${filled}?${query}` : filled;
}

function requestOf([, method, operation]: Entry, { credentials }: Demo): RequestInit {
  const scheme = operation.security.flatMap((one) => Object.keys(one))[0] ?? '';
  const body = operation.requestBody?.content['application/json']?.example;
  return {
    method: method.toUpperCase(),
    headers: { ...credentials[scheme], ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
    signal: AbortSignal.timeout(15_000),
  };
}

/** The id of a key of the account, which the operation on a key needs. */
async function keyOf(demo: Demo): Promise<string> {
  const headers = { ...demo.credentials.Bearer };
  const answer = await fetch(`${demo.url}/v1/auth/keys`, { headers });
  const { data }: { data: { id: string; status: string }[] } = JSON.parse(await answer.text());
  return data.find(({ status }) => status === 'active')?.id ?? '';
}

/** The schema of the good answer; null where it is text. */
function schemaOf(operation: Operation): unknown {
  const found = operation.responses['200'] ?? operation.responses['201'];
  const { content = {} } = { content: {}, ...found };
  return Object.entries<Json>(content).find(([type]) => type === 'application/json')?.[1].schema;
}

/** The answer to an operation, shortened; undefined while there is no good one. */
async function ask(entry: Entry, demo: Demo, document: OpenApi): Promise<unknown> {
  const [path, , operation] = entry;
  const ofKey = path.startsWith('/v1/auth/keys/{id}');
  const target = ofKey ? path.replace('{id}', await keyOf(demo)) : null;
  const url = demo.url + (target ?? targetOf(path, operation));
  const answer = await fetch(url, requestOf(entry, demo)).catch(() => null);
  if (!answer?.ok) return undefined;
  const text = await answer.text();
  const schema = schemaOf(operation);
  if (!schema) return opening(text);
  const value = JSON.parse(text);
  if (path === '/openapi.json') return { openapi: value.openapi, info: value.info, paths: {} };
  return shortened(value, resolved(schema, { ...document }), { ...document });
}

async function gather(entries: readonly Entry[], document: OpenApi, demo: Demo): Promise<Json> {
  const found: Record<string, unknown> = {};
  let waiting = entries;
  for (const end = performance.now() + patience; waiting.length > 0 && performance.now() < end; ) {
    await new Promise((resolve) => setTimeout(resolve, pause));
    for (const entry of waiting) {
      const example = await ask(entry, demo, document);
      if (example !== undefined) found[entry[2].operationId] = example;
    }
    waiting = waiting.filter(([, , { operationId }]) => !(operationId in found));
  }
  for (const [path, method] of waiting) console.error(`no example: ${method} ${path}`);
  if (waiting.length > 0) process.exitCode = 1;
  return found;
}

const { only = '', missing = false } = parseArgs({
  options: { only: { type: 'string' }, missing: { type: 'boolean' } },
}).values;
const document: OpenApi = JSON.parse(JSON.stringify(openapiDocument(routes, { version: '' })));
const all = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]): Entry => [path, method, operation]),
);
const before: Json = JSON.parse(readFileSync(file, 'utf8'));
const asked = all.filter(
  ([path, , { operationId }]) => path.includes(only) && !(missing && operationId in before),
);
const demo = await startDemo();
try {
  const found = await gather(asked, document, demo);
  const examples = all.flatMap(([, , { operationId: id }]) => {
    const example = found[id] ?? before[id];
    return example === undefined ? [] : [[id, example] as const];
  });
  // A line an operation: a change of one is a change of one line.
  const lines = examples.map(([id, example]) => `${JSON.stringify(id)}:${JSON.stringify(example)}`);
  writeFileSync(file, `{\n${lines.join(',\n')}\n}\n`);
} finally {
  await demo.stop();
}
