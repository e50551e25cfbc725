/** A request as lines that run. */
import { shell } from '../app/api.ts';
import { shownHeaders, urlOf } from './request.ts';
import type { Request } from './types.ts';

/** In JavaScript and in Python. */
const quoted = (text: string): string =>
  text.includes("'")
    ? JSON.stringify(text)
    : `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"')}'`;

/** JSON in one line; as it is where it is none. */
function compact(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text));
  } catch {
    return text;
  }
}

function curl(request: Request): string {
  const { method, body, form, shown } = request;
  const options = [form === 'stream' ? '-N ' : '', shown.length > 0 ? '-i ' : ''].join('');
  const verb = method === 'GET' || body !== '' ? '' : `-X ${method} `;
  const lines = [
    `curl ${options}${verb}${shell(urlOf(request))}`,
    ...shownHeaders(request).map(([name, value]) => `-H ${shell(`${name}: ${value}`)}`),
    ...(body === '' ? [] : [`--data ${shell(compact(body))}`]),
  ];
  return lines.join(' \\\n  ');
}

function javascript(request: Request): string {
  const { method, body, form, shown } = request;
  const headers = shownHeaders(request).map(([name, value]) => `${quoted(name)}: ${quoted(value)}`);
  const options = [
    ...(method === 'GET' ? [] : [`method: '${method}'`]),
    ...(headers.length === 0 ? [] : [`headers: { ${headers.join(', ')} }`]),
    ...(body === '' ? [] : [`body: JSON.stringify(${compact(body)})`]),
  ];
  const init = options.length === 0 ? '' : `, {\n  ${options.join(',\n  ')},\n}`;
  const print = {
    json: 'console.log(await response.json());',
    text: 'console.log(await response.text());',
    stream: `for await (const text of response.body.pipeThrough(new TextDecoderStream())) {\n  console.log(text);\n}`,
  };
  const state = shown.map((name) => `response.headers.get('${name}')`);
  return [
    `const response = await fetch(${quoted(urlOf(request))}${init});`,
    ...(state.length === 0 ? [] : [`console.log(response.status, ${state.join(', ')});`]),
    print[form],
  ].join('\n');
}

/** A value of JSON as Python has it. */
function literal(value: unknown): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`;
  if (typeof value !== 'object') return JSON.stringify(value);
  const entries = Object.entries(value).map(
    ([key, one]) => `${JSON.stringify(key)}: ${literal(one)}`,
  );
  return `{${entries.join(', ')}}`;
}

function pythonBody(body: string): string {
  try {
    return `json=${literal(JSON.parse(body))}`;
  } catch {
    return `data=${JSON.stringify(body)}`;
  }
}

function python(request: Request): string {
  const { method, body, form, shown } = request;
  const headers = shownHeaders(request).map(([name, value]) => `${quoted(name)}: ${quoted(value)}`);
  const given = [
    quoted(urlOf(request)),
    ...(headers.length === 0 ? [] : [`headers={${headers.join(', ')}}`]),
    ...(body === '' ? [] : [pythonBody(body)]),
    ...(form === 'stream' ? ['stream=True'] : []),
  ];
  const print = {
    json: 'print(response.json())',
    text: 'print(response.text)',
    stream: 'for line in response.iter_lines(decode_unicode=True):\n    print(line)',
  };
  const state = shown.map((name) => `response.headers.get('${name}')`);
  return [
    'import requests',
    '',
    `response = requests.${method.toLowerCase()}(\n    ${given.join(',\n    ')},\n)`,
    ...(state.length === 0 ? [] : [`print(response.status_code, ${state.join(', ')})`]),
    print[form],
  ].join('\n');
}

/** The languages by their names. */
export const snippets: Readonly<Record<string, (request: Request) => string>> = {
  curl,
  JavaScript: javascript,
  Python: python,
};
