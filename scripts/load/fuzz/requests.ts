import type { Operation } from './api.ts';
import type { Random } from './random.ts';
import * as texts from './texts.ts';

/** One request as bytes on the wire. */
export interface Draft {
  method: string;
  bytes: Buffer;
  /** It is HTTP/1.1 within the documented limits: the server owes it an answer of its own. */
  wellFormed: boolean;
}

/** What the requests are made for. */
export type Api = readonly [Operation, ...Operation[]];

interface Parts {
  method: string;
  target: string;
  version?: string;
  headers?: string[];
  body?: string;
}

/** Longest header block of a request that counts as well formed; the server's limit is 4 KiB. */
const safeHead = 3_800;

function assemble({ method, target, version = 'HTTP/1.1', headers = [], body }: Parts): Buffer {
  const lines = [`${method} ${target} ${version}`, 'host: fuzz', ...headers];
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${body ?? ''}`, 'latin1');
}

const malformed = (parts: Parts): Draft => ({
  method: parts.method,
  bytes: assemble(parts),
  wellFormed: false,
});

const wellFormed = (parts: Parts): Draft => {
  const bytes = assemble(parts);
  return { method: parts.method, bytes, wellFormed: bytes.length < safeHead };
};

type Value = (good: string) => string;

/** The operation's URL with values of `make` in its parameters. */
function urlOf({ path, parameters }: Operation, make: Value, more: readonly string[] = []): string {
  const inPath = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    make(parameters.find((parameter) => parameter.name === name)?.good ?? 'x'),
  );
  const inQuery = parameters
    .filter((parameter) => parameter.in === 'query')
    .map(({ name, good }) => `${name}=${make(good)}`);
  const query = [...inQuery, ...more].join('&');
  return query === '' ? inPath : `${inPath}?${query}`;
}

type Family = (api: Api, random: Random) => Draft;

const valid: Family = (api, random) => {
  const operation = random.pick(api);
  const method = operation.method === 'GET' && random.chance(0.1) ? 'HEAD' : operation.method;
  const more = random.chance(0.2) ? ['unknown=1'] : [];
  return wellFormed({ method, target: urlOf(operation, encodeURIComponent, more) });
};

const oddQuery: Family = (api, random) => {
  const operation = random.pick(api);
  const odd = () => random.pick(texts.oddValues);
  const names = operation.parameters.map(({ name }) => name);
  const repeated = names.length > 0 && random.chance(0.3) ? names.map((n) => `${n}=${odd()}`) : [];
  const many = random.chance(0.05) ? random.times(800, () => '&') : [];
  const nameless = random.chance(0.2) ? [`=${odd()}`, odd(), `a[b]=${odd()}`] : [];
  const value = (good: string) => (random.chance(0.6) ? odd() : good);
  const more = [...repeated, ...many, ...nameless];
  return wellFormed({ method: operation.method, target: urlOf(operation, value, more) });
};

const rawQuery: Family = (api, random) => {
  const operation = random.pick(api);
  const value = (good: string) => good + random.pick(texts.rawBytes);
  return malformed({ method: operation.method, target: urlOf(operation, value, ['x=\xe9']) });
};

const oddPath: Family = (_api, random) =>
  wellFormed({ method: 'GET', target: random.pick(texts.oddPaths) });

const oddMethod: Family = (api, random) =>
  malformed({ method: random.pick(texts.oddMethods), target: random.pick(api).path });

const oddLine: Family = (api, random) => {
  const { path } = random.pick(api);
  const target = random.pick([
    path,
    '*',
    `http://fuzz${path}`,
    'fuzz:443',
    `\\${path}`,
    `${path}#f`,
    '',
  ]);
  return malformed({ method: 'GET', target, version: random.pick(texts.versions) });
};

const headers: Family = (api, random) => {
  const { method, path } = random.pick(api);
  const list = random.times(1 + random.below(4), () => random.pick(texts.oddHeaders));
  return malformed({ method, target: path, headers: list });
};

const hugeHeaders: Family = (api, random) => {
  const { method, path } = random.pick(api);
  const many = random.times(20 + random.below(200), () => `h${random.below(100)}: v`);
  const long = [`x: ${'a'.repeat(random.below(20_000))}`];
  return malformed({ method, target: path, headers: random.chance(0.5) ? many : long });
};

const body: Family = (api, random) => {
  const operation = random.pick(api);
  const method = random.chance(0.7) ? 'POST' : random.pick(['PUT', 'DELETE', operation.method]);
  const text = random.pick(texts.oddBodies);
  const lines = ['content-type: application/json', `content-length: ${text.length}`];
  return malformed({ method, target: operation.path, headers: lines, body: text });
};

const wrongLength: Family = (api, random) => {
  const { path } = random.pick(api);
  const text = random.pick(texts.oddBodies).slice(0, 200);
  const stated = random.chance(0.5)
    ? random.pick(texts.oddLengths)
    : String(random.below(text.length + 50));
  const twice = random.chance(0.2) ? ['content-length: 3'] : [];
  const list = [`content-length: ${stated}`, ...twice];
  return malformed({ method: 'POST', target: path, headers: list, body: text });
};

const chunked: Family = (api, random) => {
  const { path } = random.pick(api);
  const both = random.chance(0.2) ? ['content-length: 4'] : [];
  const list = ['transfer-encoding: chunked', ...both];
  return malformed({
    method: 'POST',
    target: path,
    headers: list,
    body: random.pick(texts.oddChunks),
  });
};

const noise: Family = (_api, random) => ({
  method: '',
  bytes: random.bytes(1 + random.below(2_000)),
  wellFormed: false,
});

/** Every family with its share of the requests. */
const families: readonly [readonly [Family, number], ...(readonly [Family, number])[]] = [
  [valid, 20],
  [oddQuery, 24],
  [rawQuery, 6],
  [oddPath, 8],
  [oddMethod, 6],
  [oddLine, 6],
  [headers, 8],
  [hugeHeaders, 4],
  [body, 6],
  [wrongLength, 5],
  [chunked, 5],
  [noise, 2],
];
const shares = families.reduce((sum, [, share]) => sum + share, 0);

/** The next request of a seeded sequence. */
export function draft(api: Api, random: Random): Draft {
  let place = random.below(shares);
  for (const [family, share] of families) {
    if (place < share) return family(api, random);
    place -= share;
  }
  return valid(api, random);
}
