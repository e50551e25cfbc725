/** `search_endpoints` and `call_endpoint`: everything that can be read, beyond the tools with a name. */
import { paramsOf } from '../endpoints/common-params.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import type { Route } from '../endpoints/route.ts';
import { paramSchema, pathNames } from '../endpoints/validate.ts';
import {
  type Arguments,
  type CallContext,
  isFailure,
  pageRequestOf,
  pathOf,
  readPaths,
  textsOf,
  unknownArgument,
} from './calls.ts';
import { objectIn } from './json-rpc.ts';
import { failure, resultOf, type ToolResult } from './result.ts';
import { annotations, anyOutput, pageSchemas, type ToolEntry } from './tool.ts';

/** Endpoints that one search shows. */
const usualFound = 8;
/** What one search may ask for. */
export const searchLimits = { found: 30, characters: 200 } as const;
const { found: mostFound, characters: longestQuery } = searchLimits;

const searchNames = ['query', 'limit'] as const;
const callNames = ['path', 'params', 'max_bytes', 'cursor'] as const;

const text = { type: 'string' };

export const searchEntry: ToolEntry = {
  name: 'search_endpoints',
  title: 'Search all endpoints',
  description:
    'Finds endpoints of the whole API by words, with their parameters: for what no other tool answers. Read one with call_endpoint.',
  inputSchema: {
    type: 'object',
    properties: {
      query: {
        type: 'string',
        minLength: 1,
        maxLength: longestQuery,
        description: 'Words, such as: long short ratio bybit.',
      },
      limit: {
        type: 'integer',
        minimum: 1,
        maximum: mostFound,
        default: usualFound,
        description: 'Most endpoints.',
      },
    },
    required: ['query'],
    additionalProperties: false,
  },
  outputSchema: {
    type: 'object',
    properties: {
      count: { type: 'integer' },
      endpoints: {
        type: 'array',
        items: {
          type: 'object',
          properties: { path: text, about: text, group: text, params: { type: 'object' } },
          required: ['path', 'about', 'group', 'params'],
        },
      },
    },
    required: ['count', 'endpoints'],
  },
  annotations: { ...annotations, openWorldHint: false },
};

export const callEntry: ToolEntry = {
  name: 'call_endpoint',
  title: 'Call any endpoint',
  description:
    'Reads one endpoint by its path and parameters, as search_endpoints shows them. Everything that can be read has such a path.',
  inputSchema: {
    type: 'object',
    properties: {
      path: {
        type: 'string',
        minLength: 1,
        maxLength: 2048,
        description: 'Path of the endpoint, such as /v1/long-short-ratio.',
      },
      // Models that read a part of JSON Schema refuse all tools for the sake of one with a list of types.
      params: {
        type: 'object',
        description: 'Its parameters by name, those in {} of the path too.',
      },
      ...pageSchemas,
    },
    required: ['path'],
    additionalProperties: false,
  },
  outputSchema: anyOutput,
  annotations,
};

/** Whether a row is part of the catalogue: data that any key may read. */
export const isRead = ({ row }: Endpoint): boolean =>
  row.method === 'GET' && row.access !== 'bearer' && !row.local && !('raw' in row.from);

/** Words of a query by which people mean others that are in the catalogue. */
const meant: Readonly<Record<string, string>> = {
  apy: 'lending',
  candle: 'bars',
  depth: 'orderbook',
  iv: 'volatility',
  kline: 'bars',
  ohlcv: 'bars',
  oi: 'open-interest',
  whale: 'large',
  yield: 'lending',
};

/** The words of a text in lower case, without a plural s. */
const wordsOf = (of: string): string[] =>
  (of.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).map((word) =>
    word.length > 3 ? word.replace(/s$/, '') : word,
  );

/** How well a row fits: its path counts most, then what it is about, then its group and parameters. */
function scoreOf({ path, summary, group, params }: Route, words: readonly string[]): number {
  const places = [
    [4, path],
    [2, summary],
    [1, `${group} ${Object.keys(params).join(' ')}`],
  ] as const;
  const scores = words.map((word) =>
    places.reduce((sum, [weight, place]) => {
      return place.toLowerCase().includes(word) ? sum + weight : sum;
    }, 0),
  );
  const found = scores.filter((score) => score > 0).length;
  // A row with all of the words before one that has some of them often.
  return found * 10 + scores.reduce((sum, score) => sum + score, 0);
}

/** The parameters of a row in words: what is allowed, the default, whether it is required. */
function shownParams(row: Route): Record<string, object> {
  const all = Object.entries(paramsOf(row)).filter(([name]) => name !== 'wait');
  return Object.fromEntries(
    all.map(([name, param]) => [
      name,
      {
        ...paramSchema(param),
        ...(param.required && { required: true }),
        description: param.description,
      },
    ]),
  );
}

/** Calls `search_endpoints`. */
export function searchEndpoints(endpoints: readonly Endpoint[], given: Arguments): ToolResult {
  const unknown = unknownArgument(given, searchNames);
  if (unknown !== null) return unknown;
  const { query, limit } = given;
  if (typeof query !== 'string' || query.length === 0 || query.length > longestQuery)
    return failure(`query must be text of 1 to ${longestQuery} characters`);
  const most = typeof limit === 'string' ? Number(limit) : limit || usualFound;
  if (typeof most !== 'number' || !Number.isInteger(most) || most < 1 || most > mostFound)
    return failure(`limit must be a whole number from 1 to ${mostFound}`);
  const words = wordsOf(query)
    .map((word) => meant[word] ?? word)
    .filter((word) => word.length > 2);
  const found = endpoints
    .map(({ row }) => ({ row, score: scoreOf(row, words) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || a.row.path.length - b.row.path.length)
    .slice(0, most)
    .map(({ row }) => ({
      ...{ path: row.path, about: row.summary, group: row.group },
      params: shownParams(row),
    }));
  return resultOf({ count: found.length, endpoints: found });
}

/** Calls `call_endpoint`. */
export async function callEndpoint(given: Arguments, context: CallContext): Promise<ToolResult> {
  const unknown = unknownArgument(given, callNames);
  if (unknown !== null) return unknown;
  // `source` of an answer has the method before the path.
  const path = String(given.path).replace(/^GET /, '');
  const params = objectIn(given.params);
  if (!path.startsWith('/'))
    return failure('path must be the path of an endpoint, such as /v1/prices');
  if (params === null) return failure('params must be an object: names and values');
  const page = pageRequestOf('call_endpoint', given);
  if (isFailure(page)) return page;
  const texts = textsOf(params);
  if (isFailure(texts)) return texts;
  const missing = pathNames(path).find((name) => texts[name] === undefined);
  if (missing !== undefined) return failure(`params must have ${missing}, which is in the path`);
  const [place = '', query = ''] = path.split(/\?(.*)/s, 2);
  const inPath = Object.fromEntries(new URLSearchParams(query));
  const whole = pathOf(place, { ...inPath, ...texts });
  return readPaths([{ name: place, path: whole }], page, context);
}
