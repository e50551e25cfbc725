/** The form of an operation: values of its parameters and its body, and the request that they give. */
import { element, marked } from './dom.js';
import { panel } from './panel.js';
import { allowed } from './schema.js';

/** @import { Entry, Media, Operation, Parameter, Request, Schema } from './types.ts' */

export const json = 'application/json';

/** Header lines by the name of the security scheme. @type {Readonly<Record<string, readonly [string, string]>>} */
const credentials = { ApiKey: ['X-API-Key', '$KEY'], Bearer: ['Authorization', 'Bearer $TOKEN'] };

/** The good answer of an operation. @param {Operation} operation @returns {[type: string, media: Media | undefined]} */
export function goodAnswer({ responses }) {
  const { content = {} } = responses['200'] ?? responses['201'] ?? {};
  return Object.entries(content)[0] ?? [json, undefined];
}

/** What stands in the field of a parameter at first. @param {Parameter} parameter */
function firstValue({ name, required, example, schema }) {
  // Most answers take it, few readers want it.
  if (name === 'max_age') return '';
  return String(example ?? (required ? (schema.default ?? schema.enum?.[0] ?? '') : ''));
}

/** The choice of none, which names the default. @param {Schema} schema @param {string} value */
function unchosen({ default: usual }, value) {
  const text = usual === undefined ? 'not set' : `${usual} (default)`;
  return element('option', { value: '', selected: value === '' }, text);
}

/** @param {Parameter} parameter */
function input(parameter) {
  const { name, required = false, schema } = parameter;
  const value = firstValue(parameter);
  if (!schema.enum) {
    const placeholder = String(schema.default ?? '');
    return element('input', { name, value, placeholder, autocomplete: 'off', spellcheck: 'false' });
  }
  const options = schema.enum
    .map(String)
    .map((one) => element('option', { selected: one === value }, one));
  return element('select', { name }, required ? null : unchosen(schema, value), ...options);
}

/** A row of the form. @param {Parameter} parameter */
function row(parameter) {
  const { name, required, description, schema } = parameter;
  const label = [element('code', {}, name), required ? ' required' : ''];
  const limits = element('i', {}, allowed(schema));
  return element(
    'label',
    { class: 'parameter' },
    element('span', { class: 'label' }, ...label),
    input(parameter),
    element('small', {}, ...marked(description), ' ', limits),
  );
}

/**
 * @param {readonly Parameter[]} parameters
 * @param {(name: string) => string} read
 */
function queryOf(parameters, read) {
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

/** @param {Operation} operation @returns {Request['form']} */
function formOf(operation) {
  const [type] = goodAnswer(operation);
  if (type === json) return 'json';
  return type === 'text/event-stream' ? 'stream' : 'text';
}

/**
 * The request out of the fields of the form.
 *
 * @param {Entry} entry
 * @param {HTMLFormElement} form
 * @returns {Request}
 */
function requestOf({ method, path, operation }, form) {
  const given = new FormData(form);
  const read = (/** @type {string} */ name) => String(given.get(name) ?? '').trim();
  const { parameters, security } = operation;
  const place = path.replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(read(name)));
  const scheme = security.flatMap((one) => Object.keys(one))[0] ?? '';
  const credential = credentials[scheme];
  const body = read('(body)');
  const headers = parameters
    .filter(({ name, in: at }) => at === 'header' && read(name) !== '')
    .map(({ name }) => /** @type {const} */ ([name, read(name)]));
  return {
    method: method.toUpperCase(),
    path: place + queryOf(parameters, read),
    headers: [
      ...(credential === undefined ? [] : [credential]),
      ...headers,
      ...(body === '' ? [] : [/** @type {const} */ (['Content-Type', json])]),
    ],
    body,
    form: formOf(operation),
    shown: [],
  };
}

/** @param {Operation} operation */
function bodyRow({ requestBody }) {
  if (!requestBody) return null;
  const example = JSON.stringify(requestBody.content[json]?.example ?? {}, null, 2);
  const area = element('textarea', { name: '(body)', rows: '8', spellcheck: 'false' }, example);
  const label = element('span', { class: 'label' }, 'Body');
  return element('label', { class: 'parameter' }, label, area);
}

/** The form of an operation with the lines that it gives. @param {Entry} entry */
export function attempt(entry) {
  const { operation } = entry;
  const rows = [...operation.parameters.map(row), bodyRow(operation)];
  const form = element('form', { class: 'parameters' }, ...rows);
  const { node, refresh } = panel(() => requestOf(entry, form));
  form.addEventListener('input', refresh);
  form.addEventListener('submit', (event) => event.preventDefault());
  return [form.childElementCount > 0 ? form : null, node];
}
