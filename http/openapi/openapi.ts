import { paramsOf } from '../endpoints/common-params.ts';
import { tableOf } from '../endpoints/csv-rows.ts';
import { freshnessParams } from '../endpoints/freshness.ts';
import { type Group, groups } from '../endpoints/groups.ts';
import type { Route, Schema } from '../endpoints/route.ts';
import { paramSchema, pathNames } from '../endpoints/validate.ts';
import {
  asOf,
  errorCatalogue,
  type Ref,
  ref,
  sharedComponents,
  sharedSchemas,
  timestamp,
  unknownParameters,
  usualHeaders,
} from './components.ts';
import { errorsOf, failedResponses, ownFormFailures } from './failures.ts';
import { operationId, schemaWords } from './names.ts';
import type { Operation as Described, Media } from './operation.ts';
import { NamedSchemas } from './schemas.ts';
import { streamPaths } from './streams.ts';

/** The OpenAPI operation of a row. */
export type Operation = Described<Schema, Schema | Ref>;

/** An OpenAPI 3.1 document (https://spec.openapis.org/oas/v3.1.1.html). */
export interface OpenApi {
  openapi: string;
  info: {
    title: string;
    version: string;
    description: string;
    license: { name: string; identifier: string };
    contact: { name: string };
  };
  servers: { url: string; description: string }[];
  security: Record<string, string[]>[];
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, Operation>>;
  /** Every error. */
  'x-errors': readonly { code: string; status: number; message: string }[];
  components: Record<'schemas' | 'headers' | 'responses' | 'securitySchemes', Schema>;
}

/** The inputs of the description besides the route table. */
export interface About {
  version: string;
  /** Answers of a running service by operation id, shortened. */
  examples?: Readonly<Record<string, unknown>>;
  /** Whether the streams, which are not rows, are described. */
  streams?: true;
}

/** The context of the entry of a row. */
interface Context {
  schemas: NamedSchemas;
  examples: Readonly<Record<string, unknown>>;
}

function parameters(row: Route): Operation['parameters'] {
  const inPath = pathNames(row.path);
  return Object.entries(paramsOf(row)).map(([name, param]) => ({
    name,
    in: inPath.includes(name) ? 'path' : 'query',
    ...(param.required && { required: true }),
    description: param.description,
    schema: paramSchema(param),
    ...(param.example !== undefined && { example: param.example }),
  }));
}

/** The envelope of an answer (specification 2.1); that of market data states their age. */
const envelope = (data: Schema, row: Route): Schema => ({
  type: 'object',
  properties: {
    status: { const: 'ok', description: 'No error.' },
    timestamp,
    ...(!('act' in row.from) && { unknown_parameters: unknownParameters }),
    ...(isDated(row) && { as_of: asOf }),
    data,
  },
  required: ['status', 'timestamp', 'data'],
});

const isDated = (row: Route): boolean => Object.keys(freshnessParams(row)).length > 0;

/** The envelope of a failure with status 200; `data` is an empty answer. */
const softFailure = (data: Schema): Schema => ({
  type: 'object',
  properties: {
    status: { const: 'error', description: 'The portfolio is empty.' },
    timestamp,
    code: { const: 'portfolio_failed', description: 'Which error it is, for programs.' },
    message: { type: 'string', description: 'Which step failed, in words.' },
    data,
  },
  required: ['status', 'timestamp', 'code', 'message', 'data'],
});

/**
 * The body of a good answer, by media type. CSV stands beside it as an extension: a second media type of the same response
 * makes the answer a union in generated clients.
 */
function contentOf(row: Route, { schemas, examples }: Context): Record<string, Media<Schema>> {
  const { from, answer, errorsAs200 } = row;
  const found = examples[operationId(row)];
  const example = found === undefined ? {} : { example: found };
  if (answer === null && 'raw' in from)
    return { [row.produces ?? 'text/plain']: { schema: { type: 'string' }, ...example } };
  const data = schemas.referring({ ...answer });
  if ('raw' in from || row.noEnvelope) return { 'application/json': { schema: data, ...example } };
  const good = envelope(data, row);
  const schema = errorsAs200 ? { anyOf: [good, softFailure(data)] } : good;
  return { 'application/json': { schema, ...example } };
}

function okResponse(row: Route, context: Context): Schema {
  const { from, creates } = row;
  const description = creates ? 'Created.' : 'The answer.';
  const content = contentOf(row, context);
  if ('raw' in from) return { description, content };
  const age = isDated(row) ? { Age: ref('headers', 'Age') } : {};
  const headers =
    'act' in from ? usualHeaders : { ETag: ref('headers', 'ETag'), ...age, ...usualHeaders };
  const lists = tableOf(row)?.lists;
  return {
    description,
    headers,
    content,
    ...(lists && { 'x-csv': { mediaType: 'text/csv', lists } }),
  };
}

/** Whether an answer has a tag, by which it is a 304. */
const isTagged = ({ method, from, tagged }: Route): boolean =>
  tagged === true || (method === 'GET' && !('raw' in from) && !('act' in from));

/** Rows that count requests but need no key accept one. */
function securityOf({ access, free }: Route): Operation['security'] {
  if (access === 'key') return [{ ApiKey: [] }];
  if (access === 'bearer') return [{ Bearer: [] }];
  return free ? [] : [{}, { ApiKey: [] }];
}

/** The row in sentences. */
function descriptionOf(row: Route): string {
  const { access, free, local, budget, from, summary, reach } = row;
  const lists = tableOf(row)?.lists ?? [];
  return [
    `${summary}.`,
    ...(reach === undefined ? [] : [reach]),
    ...(access === 'key' ? ['Needs an API key.'] : []),
    ...(access === 'bearer' ? ['Needs a bearer token.'] : []),
    ...(local ? ['For clients on the machine of the server.'] : []),
    ...(free ? ['Counts against no quota.'] : []),
    ...(budget ? [`Counts against the budget \`${budget}\` of the account as well.`] : []),
    ...('query' in from ? ['Asked of its source when a client asks, and cached.'] : []),
    ...(lists.length > 0 ? [`As CSV: ${lists.map((name) => `\`${name}\``).join(' or ')}.`] : []),
  ].join(' ');
}

function requestBody(row: Route, { schemas }: Context): Pick<Operation, 'requestBody'> {
  const { body, bodyExample: example } = row;
  if (!body) return {};
  const media = { schema: schemas.referring({ ...body }), ...(example && { example }) };
  return { requestBody: { required: true, content: { 'application/json': media } } };
}

function operation(row: Route, context: Context): Operation {
  return {
    operationId: operationId(row),
    summary: row.summary,
    description: descriptionOf(row),
    tags: [row.group],
    parameters: parameters(row),
    ...requestBody(row, context),
    responses: {
      [row.creates ? 201 : 200]: okResponse(row, context),
      ...(isTagged(row) ? { 304: ref('responses', 'NotModified') } : {}),
      ...(row.noEnvelope
        ? ownFormFailures(errorsOf(row), row.noEnvelope)
        : failedResponses(errorsOf(row))),
    },
    security: securityOf(row),
  };
}

/** All schemas of a row with the words of their names. */
const rootsOf = (row: Route): { schema: Schema; words: string[] }[] => [
  ...(row.answer ? [{ schema: { ...row.answer }, words: schemaWords(row) }] : []),
  ...(row.body ? [{ schema: { ...row.body }, words: [...schemaWords(row), 'Request'] }] : []),
];

const description =
  'Crypto market data and analytics. Unknown query parameters are ignored and named in `Ignored-Parameters`, or refused with 400 where the request has `strict=1` or says `Prefer: handling=strict`; a parameter given twice, empty or out of range is a 400. Words of a list are taken in any case. A path that there is not is a 404 `not_found`, another method of a path a 405 `method_not_allowed` that names its own in `Allow`.';

const isUsed =
  (routes: readonly Route[]) =>
  ([name]: [Group, string]): boolean =>
    routes.some(({ group }) => group === name);

/** The description of a route table, made from its rows alone, except for the examples. */
export function openapiDocument(
  routes: readonly Route[],
  { version, examples = {}, streams }: About,
): OpenApi {
  const context = { schemas: new NamedSchemas(routes.flatMap(rootsOf)), examples };
  const paths: OpenApi['paths'] = {};
  for (const row of routes) {
    paths[row.path] = { ...paths[row.path], [row.method.toLowerCase()]: operation(row, context) };
  }
  if (streams) Object.assign(paths, streamPaths);
  const tags = (Object.entries(groups) as [Group, string][]).filter(isUsed(routes));
  return {
    openapi: '3.1.1',
    info: {
      title: 'Tidemark',
      version,
      description,
      license: { name: 'MIT', identifier: 'MIT' },
      contact: { name: 'The operator of this server' },
    },
    servers: [{ url: '/', description: 'The server that this document comes from.' }],
    security: [{ ApiKey: [] }],
    tags: tags.map(([name, about]) => ({ name, description: about })),
    paths,
    'x-errors': errorCatalogue,
    components: {
      ...sharedComponents(),
      schemas: { ...sharedSchemas, ...context.schemas.components },
    },
  };
}
