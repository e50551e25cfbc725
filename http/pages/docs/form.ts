/** The form of an operation: values of its parameters and its body, and the request that they give. */
import { h } from '../app/dom.ts';
import { marked } from './dom.ts';
import { panel } from './panel.ts';
import { allowed } from './schema.ts';
import type { Entry, Media, Operation, Parameter, Request, Schema } from './types.ts';

export const json = 'application/json';

/** Header lines by the name of the security scheme. */
const credentials: Readonly<Record<string, readonly [string, string]>> = {
  ApiKey: ['X-API-Key', '$KEY'],
  Bearer: ['Authorization', 'Bearer $TOKEN'],
};

/** The good answer of an operation. */
export function goodAnswer({ responses }: Operation): [type: string, media: Media | undefined] {
  const { content = {} } = responses['200'] ?? responses['201'] ?? {};
  return Object.entries(content)[0] ?? [json, undefined];
}

/** What stands in the field of a parameter at first. */
function firstValue({ name, required, example, schema }: Parameter): string {
  // Most answers take it, few readers want it.
  if (name === 'max_age') return '';
  return String(example ?? (required ? (schema.default ?? schema.enum?.[0] ?? '') : ''));
}

/** The choice of none, which names the default. */
function unchosen({ default: usual }: Schema, value: string): HTMLElement {
  const text = usual === undefined ? 'not set' : `${usual} (default)`;
  return h('option', { value: '', selected: value === '' }, text);
}

function input(parameter: Parameter): HTMLElement {
  const { name, required = false, schema } = parameter;
  const value = firstValue(parameter);
  if (!schema.enum) {
    const placeholder = String(schema.default ?? '');
    return h('input', { name, value, placeholder, autocomplete: 'off', spellcheck: 'false' });
  }
  const options = schema.enum
    .map(String)
    .map((one) => h('option', { selected: one === value }, one));
  return h('select', { name }, required ? null : unchosen(schema, value), ...options);
}

/** A row of the form. */
function row(parameter: Parameter): HTMLElement {
  const { name, required, description, schema } = parameter;
  const label = [h('code', {}, name), required ? ' required' : ''];
  const limits = h('i', {}, allowed(schema));
  return h(
    'label',
    { class: 'parameter' },
    h('span', { class: 'label' }, ...label),
    input(parameter),
    h('small', {}, ...marked(description), ' ', limits),
  );
}

function queryOf(parameters: readonly Parameter[], read: (name: string) => string): string {
  const query = new URLSearchParams();
  for (const { name, in: at, schema } of parameters) {
    const value = at === 'query' ? read(name) : '';
    const values = schema.type === 'array' ? value.split(/\s+/) : [value];
    for (const one of values.filter((text) => text !== '')) query.append(name, one);
  }
  // Commas and slashes may stand in a query (RFC 3986, 3.4), and are easier to read.
  const text = query.toString().replaceAll('%2C', ',').replaceAll('%2F', '/');
  return text === '' ? '' : `?${text}`;
}

function formOf(operation: Operation): Request['form'] {
  const [type] = goodAnswer(operation);
  if (type === json) return 'json';
  return type === 'text/event-stream' ? 'stream' : 'text';
}

/** The request out of the fields of the form. */
function requestOf({ method, path, operation }: Entry, form: HTMLFormElement): Request {
  const given = new FormData(form);
  const read = (name: string) => String(given.get(name) ?? '').trim();
  const { parameters, security } = operation;
  const place = path.replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(read(name)));
  const scheme = security.flatMap((one) => Object.keys(one))[0] ?? '';
  const credential = credentials[scheme];
  const body = read('(body)');
  const headers = parameters
    .filter(({ name, in: at }) => at === 'header' && read(name) !== '')
    .map(({ name }) => [name, read(name)] as const);
  return {
    method: method.toUpperCase(),
    path: place + queryOf(parameters, read),
    headers: [
      ...(credential === undefined ? [] : [credential]),
      ...headers,
      ...(body === '' ? [] : [['Content-Type', json] as const]),
    ],
    body,
    form: formOf(operation),
    shown: [],
  };
}

function bodyRow({ requestBody }: Operation): HTMLElement | null {
  if (!requestBody) return null;
  const example = JSON.stringify(requestBody.content[json]?.example ?? {}, null, 2);
  const area = h('textarea', { name: '(body)', rows: '8', spellcheck: 'false' }, example);
  const label = h('span', { class: 'label' }, 'Body');
  return h('label', { class: 'parameter' }, label, area);
}

/** The form of an operation with the lines that it gives. */
export function attempt(entry: Entry): (HTMLElement | null)[] {
  const { operation } = entry;
  const rows = [...operation.parameters.map(row), bodyRow(operation)];
  const form = h('form', { class: 'parameters' }, ...rows);
  const { node, refresh } = panel(() => requestOf(entry, form));
  form.addEventListener('input', refresh);
  form.addEventListener('submit', (event) => event.preventDefault());
  return [form.childElementCount > 0 ? form : null, node];
}
