/** Widgets of OpenBB and the market board of Grafana name what the description of the API has: paths, lists, fields, parameters. */
import { readFile } from 'node:fs/promises';
import t from 'tap';
import type { Param, Params } from '../../../../http/endpoints/route.ts';
import { openapiDocument } from '../../../../http/openapi/openapi.ts';
import { openbbRoutes } from '../../../../http/routes/compat/openbb/index.ts';
import { routes } from '../../../../scripts/docs/routes.ts';
import { call, startServer } from '../../../support/http.ts';

interface Schema {
  $ref?: string;
  type?: string | string[];
  description?: string;
  anyOf?: Schema[];
  oneOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
}

interface Described {
  paths: Record<string, { get: { responses: Record<string, Answer> } }>;
  components: { schemas: Record<string, Schema> };
}
interface Answer {
  content: Record<string, { schema: Schema }>;
}
const described: Described = JSON.parse(JSON.stringify(openapiDocument(routes, { version: '' })));

/** The schema itself, or each of the forms that it may have. */
function formsOf(schema: Schema): Schema[] {
  const name = schema.$ref?.replace('#/components/schemas/', '');
  if (name !== undefined) return formsOf(described.components.schemas[name] ?? {});
  const choices = schema.anyOf ?? schema.oneOf;
  return choices === undefined ? [schema] : choices.flatMap(formsOf);
}

/** The fields of the rows of the list at `place`, of each form of the answer that has it. */
function rowsAt(path: string, place: string): Record<string, Schema>[] {
  const schema = described.paths[path]?.get.responses[200]?.content['application/json']?.schema;
  let forms = formsOf(schema ?? {});
  for (const name of place.split('.')) {
    forms = forms.flatMap(({ properties }) => formsOf(properties?.[name] ?? {}));
  }
  return forms
    .flatMap(({ items }) => formsOf(items ?? {}))
    .map(({ properties = {} }) => properties);
}

interface Asked {
  path: string;
  list: string;
  /** Each with the JSON types that it may have. */
  fields: { name: string; types: string[] }[];
  params: Record<string, string>;
}

/** Whether the API takes the value. */
function takes({ type, enum: words, minimum, maximum }: Param, value: string): boolean {
  if (words !== undefined) return words.includes(value);
  if (type === 'string') return value !== '';
  return Number(value) >= (minimum ?? -Infinity) && Number(value) <= (maximum ?? Infinity);
}

/** What is wrong with the parameters, in words. */
function badParams(known: Params, asked: Record<string, string>): string[] {
  const given = Object.entries(asked).flatMap(([name, value]) => {
    const param = known[name];
    if (param === undefined) return [`no parameter ${name}`];
    return takes(param, value) ? [] : [`bad ${name}=${value}`];
  });
  const missing = Object.entries(known).filter(
    ([name, { required }]) => required && !(name in asked),
  );
  return [...given, ...missing.map(([name]) => `${name} is required`)];
}

/** What is named and is not there, in words. */
function faultsOf({ path, list, fields, params }: Asked): string[] {
  const known = routes.find((one) => one.method === 'GET' && one.path === path)?.params;
  if (known === undefined) return [`no path ${path}`];
  const row = rowsAt(path, list).find((one) => fields.every(({ name }) => name in one));
  if (row === undefined) return [`no ${list} of ${path} with all fields`];
  const bad = fields.filter(({ name, types }) => {
    const stated = formsOf(row[name] ?? {}).flatMap(({ type = 'string' }) => type);
    return !stated.every((one) => one === 'null' || types.includes(one));
  });
  return [...bad.map(({ name }) => `${name} is of another type`), ...badParams(known, params)];
}

const named = (name: string, ...types: string[]) => ({ name, types });

interface Widget {
  endpoint: string;
  params: { paramName: string; value: string | number; options?: { value: string }[] }[];
  data: {
    dataKey: string;
    table: { columnsDefs: { field: string; cellDataType: string; formatterFn?: string }[] };
  };
}
const numbers = ['number', 'integer'];
const typesOf: Record<string, string[]> = {
  number: numbers,
  date: ['integer'],
  text: ['string'],
  dateString: ['string'],
};

/** What is wrong with a widget of a service whose address OpenBB was given as `base`. */
function faultsOfWidget({ endpoint, params, data }: Widget, base: string): string[] {
  // As browsers resolve an address that is put together of both.
  const { pathname: path } = new URL(`${base}/${endpoint}`);
  const { columnsDefs } = data.table;
  const fields = columnsDefs.map((one) => named(one.field, ...(typesOf[one.cellDataType] ?? [])));
  const values = params.map(({ paramName, value }) => [paramName, String(value)]);
  const asked = { path, list: data.dataKey, fields, params: Object.fromEntries(values) };
  const choices = params.flatMap(({ paramName, options = [] }) =>
    options.flatMap(({ value }) => faultsOf({ ...asked, params: { [paramName]: value } })),
  );
  return [...faultsOf(asked), ...choices];
}

/** Percent is shown as it is, and a fraction as percent. */
function badFormats({ endpoint, data }: Widget, base: string): string[] {
  const rows = rowsAt(new URL(`${base}/${endpoint}`).pathname, data.dataKey);
  const bad = data.table.columnsDefs.filter(({ field, formatterFn }) => {
    const { description = '' } = rows.find((row) => field in row)?.[field] ?? {};
    if (field.endsWith('_percent')) return formatterFn !== 'percent';
    if (formatterFn === 'percent') return true;
    return (
      formatterFn === 'normalizedPercent' &&
      !/\b(fraction|share|the same over)\b/i.test(description)
    );
  });
  return bad.map(({ field }) => `${endpoint}: ${field}`);
}

t.test('widgets of OpenBB', async (t) => {
  const server = await startServer(
    t,
    routes.filter(({ path }) => path.endsWith('/widgets.json')),
  );
  for (const base of [server.url, `${server.url}/openbb`]) {
    const { status, headers, text } = await call(`${base}/widgets.json`);
    t.equal(status, 200);
    t.match(headers['content-type'], 'application/json');
    const widgets: Widget[] = Object.values(JSON.parse(text));
    t.equal(widgets.length, 10);
    for (const widget of widgets) {
      t.strictSame(faultsOfWidget(widget, base), [], widget.endpoint);
      t.strictSame(badFormats(widget, base), []);
    }
  }
});

t.test('a service without a path has no widget of it', async (t) => {
  const some = routes.filter(({ path }) => path === '/v1/scorecard');
  const server = await startServer(t, openbbRoutes(some));
  const { text } = await call(`${server.url}/widgets.json`);
  t.strictSame(Object.keys(JSON.parse(text)), ['scorecard']);
});

interface Board {
  templating: { list: { name: string; query: string }[] };
  panels: {
    title: string;
    fieldConfig: { overrides: { matcher: { options: string } }[] };
    targets: {
      url: string;
      root_selector: string;
      url_options: { params: { key: string; value: string }[] };
      columns: { selector: string; text: string; type: string }[];
    }[];
  }[];
}
const cellsOf: Record<string, string[]> = {
  number: numbers,
  timestamp_epoch: ['integer'],
  string: ['string'],
};

t.test('the market board of Grafana', async (t) => {
  const file = new URL('../../../../deploy/grafana/dashboards/market.json', import.meta.url);
  const { panels, templating }: Board = JSON.parse(await readFile(file, 'utf8'));
  t.ok(panels.length >= 7);
  const values = new Map(templating.list.map(({ name, query }) => [`$${name}`, query]));
  for (const { title, targets, fieldConfig } of panels) {
    for (const { url, root_selector: list, url_options, columns } of targets) {
      const fields = columns.map(({ selector, type }) => named(selector, ...(cellsOf[type] ?? [])));
      const params = url_options.params.map(({ key, value }) => [key, values.get(value) ?? value]);
      const asked = { path: url, list, fields, params: Object.fromEntries(params) };
      t.strictSame(faultsOf(asked), [], title);
      const shown = columns.map(({ text }) => text);
      const units = fieldConfig.overrides.map(({ matcher }) => matcher.options);
      t.strictSame(
        units.filter((one) => !shown.includes(one)),
        [],
        `${title}: units of columns`,
      );
    }
  }
});
