/** The page of all endpoints, from the route table. */
import { systemClock } from '../../actors/kernel/clock.ts';
import { venues } from '../../actors/venues/registry.ts';
import { catalogueOf } from '../../cmd/process/venues.ts';
import { createViews } from '../../cmd/process/views.ts';
import { tableOf } from '../../http/endpoints/csv-rows.ts';
import type { Param, Route } from '../../http/endpoints/route.ts';
import { allRoutes } from '../../http/routes/index.ts';
import { errors } from '../../http/wire/errors.ts';

const nothing = () => {
  throw new Error('the rows are described here, not called');
};

/** Stands for whatever the handlers would use. */
const described = new Proxy(Object.create(null), { get: () => nothing });

const all = new Map(Object.entries(venues));
const views = createViews({ lendingLeastTvl: 0, venues: all });
views.stop();

/** The route table with handlers that are not called. */
export const routes = allRoutes({
  ...views,
  ...catalogueOf(all),
  version: '',
  keys: described,
  quota: described,
  alerts: described,
  bus: described,
  clock: systemClock,
  health: described,
  collect: nothing,
});

function range({ minimum, maximum }: Param): string {
  if (minimum === undefined && maximum === undefined) return '';
  if (maximum === undefined) return `from ${minimum}`;
  return minimum === undefined ? `to ${maximum}` : `${minimum} to ${maximum}`;
}

function parameter([name, param]: [string, Param]): string {
  const { type, required, description } = param;
  const allowed = param.enum ? param.enum.map((v) => `\`${v}\``).join(' ') : range(param);
  const value = required ? 'required' : param.default === undefined ? '' : `\`${param.default}\``;
  return `| \`${name}\` | ${type} | ${value} | ${allowed} | ${description} |`;
}

const credential = {
  open: '',
  key: ' Needs an API key.',
  bearer: ' Needs a bearer token.',
} as const satisfies Record<Route['access'], string>;

/** Which part of the answer is also given as CSV. */
function csv(row: Route): string {
  const lists = tableOf(row)?.lists ?? [];
  return lists.length === 0 ? '' : ` CSV: ${lists.map((name) => `\`${name}\``).join(' or ')}.`;
}

function endpoint(row: Route): string {
  const { method, path, summary, params, access } = row;
  const rows = Object.entries(params).map(parameter);
  const head = '| Parameter | Type | Default | Allowed | |\n|---|---|---|---|---|\n';
  return `### ${method} ${path}\n\n${summary}.${credential[access]}${csv(row)}\n${rows.length > 0 ? `\n${head}${rows.join('\n')}\n` : ''}`;
}

/** The text of docs/endpoints.md. */
export function routesForDocs(): string {
  const groups = [...new Set(routes.map((route) => route.group))];
  const sections = groups.map((group) => {
    const rows = routes.filter((route) => route.group === group);
    return `## ${group}\n\n${rows.map(endpoint).join('\n')}`;
  });
  const table = Object.entries(errors).map(
    ([code, e]) => `| ${e.status} | ${code} | ${e.message} |`,
  );
  return `# Endpoints

Made from the route table by \`npm run docs\`; the schemas of the answers are in \`/openapi.json\`.

Every JSON answer, but those in the form of other APIs ([compat.md](compat.md)), is an envelope: \`{"status":"ok","timestamp":<Unix ms>,"as_of":<Unix ms>,"data":…}\`, or
\`{"status":"error","timestamp":…,"code":"…","message":"…"}\` with the code and HTTP status of the table at the end.
A parameter that is given twice or with a bad value is a 400 that says what is allowed; words of a list are taken in
any case. Query parameters that the path does not have are ignored: \`unknown_parameters\` in the envelope of data and the header
\`ignored-parameters\` (percent-encoded) name them, eight at most. With \`strict=1\`, or \`Prefer: handling=strict\` (RFC 7240), they are a 400 that names the nearest
parameter there is, with \`preference-applied: handling=strict\`.
With \`format=csv\` or \`Accept: text/csv\` the endpoints that name a CSV list give its rows alone ([requests.md](requests.md#csv)).
\`ETag\` and \`If-None-Match\` work on answers from memory, \`HEAD\` wherever \`GET\` does.
Answers with market data carry \`as_of\` and \`Age\`, take \`max_age\` and, from memory, \`wait\` ([requests.md](requests.md#how-old-an-answer-is)).
\`POST /mcp\` answers in JSON-RPC, for assistants, out of the same rows; it describes itself and is not in \`/openapi.json\` ([mcp.md](mcp.md)).

${sections.join('\n')}
## Errors

| Status | Code | Message, unless the case has its own |
|---|---|---|
${table.join('\n')}
`;
}
