/** Every operation of the description, to read and to try. */
import { h } from '../app/dom.ts';
import { coloured } from './colours.ts';
import { folded, marked } from './dom.ts';
import { attempt, goodAnswer } from './form.ts';
import { hasAll } from './guides.ts';
import { fields, nameOf } from './schema.ts';
import type { Description, Entry, Operation } from './types.ts';

type Components = Description['components'];

export const tableRow = (cells: readonly string[]): HTMLElement =>
  h('tr', {}, ...cells.map((cell) => h('td', {}, ...marked(cell))));

function errorTable({ responses }: Operation, components: Components): HTMLElement {
  const rows = Object.entries(responses).flatMap(([status, response]) => {
    const shared = components.responses[nameOf(response)];
    const { description = shared?.description ?? '' } = response;
    return shared?.content ? [tableRow([status, description])] : [];
  });
  return h('table', {}, ...rows);
}

function answerParts(operation: Operation, components: Components): HTMLElement[] {
  const [, { example = null, schema = {} } = {}] = goodAnswer(operation);
  const text = typeof example === 'string' ? example : JSON.stringify(example, null, 2);
  const listed = fields(schema.properties?.data ?? schema, components.schemas);
  const parts = [
    folded({}, ['Errors'], () => [errorTable(operation, components)]),
    ...(example === null
      ? []
      : [folded({}, ['Example answer'], () => [h('pre', { tabindex: '0' }, ...coloured(text))])]),
    ...(listed.length === 0 ? [] : [folded({ open: '' }, ['Fields of the data'], () => listed)]),
  ];
  return parts.reverse();
}

function operationNode(entry: Entry, components: Components): HTMLElement {
  const { method, path, operation } = entry;
  const { operationId: id, summary, description } = operation;
  const head = [
    h('span', { class: `method ${method}` }, method.toUpperCase()),
    h('code', { class: 'path' }, path),
    h('span', { class: 'summary' }, ...marked(summary)),
  ];
  return folded({ class: 'operation', id }, head, () => {
    const more = description.replace(`${summary}.`, '').trim();
    const about = more === '' ? null : h('p', {}, ...marked(more));
    return [about, ...attempt(entry), ...answerParts(operation, components)];
  });
}

/** The words by which an operation is found. */
function wordsOf({ method, path, operation: { summary, tags, parameters } }: Entry): string {
  const names = parameters.map(({ name }) => name);
  return [method, path, summary, ...tags, ...names].join(' ').toLowerCase();
}

/** The id of a group. */
const slug = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');

const entriesOf = ({ paths }: Description): Entry[] =>
  Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, operation]) =>
      typeof operation === 'string' ? [] : [{ method, path, operation }],
    ),
  );

/** The operation in the list at the side. */
const link = ({ method, path, operation: { operationId: id } }: Entry): HTMLElement =>
  h(
    'li',
    {},
    h('a', { href: `#${id}` }, method === 'get' ? path : `${method.toUpperCase()} ${path}`),
  );

/**
 * The groups of operations, and `list` with a link to each. `search` hides the operations in which one of the words and its
 * synonyms are missing, and gives the number of the others and of all.
 */
export function reference(description: Description) {
  const rows = entriesOf(description).map((entry) => ({
    tags: entry.operation.tags,
    words: wordsOf(entry),
    item: link(entry),
    node: operationNode(entry, description.components),
  }));
  const groups = description.tags.map(({ name, description: about }) => {
    const own = rows.filter(({ tags }) => tags.includes(name));
    const nodes = own.map(({ node }) => node);
    const head = [h('h3', {}, name), h('p', {}, about)];
    const links = h('ul', {}, ...own.map(({ item }) => item));
    const item = h('li', {}, h('a', { href: `#${slug(name)}` }, name), links);
    return {
      nodes,
      item,
      node: h('section', { class: 'group', id: slug(name) }, ...head, ...nodes),
    };
  });
  const search = (text: string) => {
    for (const { words, node, item } of rows) {
      node.hidden = !hasAll(words, text);
      item.hidden = node.hidden;
    }
    for (const { nodes, node, item } of groups) {
      node.hidden = nodes.every(({ hidden }) => hidden);
      item.hidden = node.hidden;
    }
    return { found: rows.filter(({ node }) => !node.hidden).length, all: rows.length };
  };
  return { sections: groups.map(({ node }) => node), list: groups.map(({ item }) => item), search };
}

/** Every error code with its status and usual message. */
export const errorCodes = ({ 'x-errors': errors }: Description): string[][] =>
  errors.map(({ status, code, message }) => [`${status}`, `\`${code}\``, message]);
