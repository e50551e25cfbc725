/** Every operation of the description, to read and to try. */
import { coloured } from './colours.js';
import { element, folded, marked } from './dom.js';
import { attempt, goodAnswer } from './form.js';
import { fields } from './schema.js';
import { hasAll } from './synonyms.js';

/** @import { Description, Entry, Operation } from './types.ts' */

/** @param {{ $ref?: string }} reference */
const nameOf = ({ $ref = '' }) => $ref.split('/').at(-1) ?? '';

/** @param {readonly string[]} cells */
export const tableRow = (cells) =>
  element('tr', {}, ...cells.map((cell) => element('td', {}, ...marked(cell))));

/** @param {Operation} operation @param {Description['components']} components */
function errorTable({ responses }, components) {
  const rows = Object.entries(responses).flatMap(([status, response]) => {
    const shared = components.responses[nameOf(response)];
    const { description = shared?.description ?? '' } = response;
    return shared?.content ? [tableRow([status, description])] : [];
  });
  return element('table', {}, ...rows);
}

/** @param {Operation} operation @param {Description['components']} components */
function answerParts(operation, components) {
  const [, { example = null, schema = {} } = {}] = goodAnswer(operation);
  const text = typeof example === 'string' ? example : JSON.stringify(example, null, 2);
  const listed = fields(schema.properties?.data ?? schema, components.schemas);
  const parts = [
    folded({}, ['Errors'], () => [errorTable(operation, components)]),
    ...(example === null
      ? []
      : [
          folded({}, ['Example answer'], () => [
            element('pre', { tabindex: '0' }, ...coloured(text)),
          ]),
        ]),
    ...(listed.length === 0 ? [] : [folded({ open: '' }, ['Fields of the data'], () => listed)]),
  ];
  return parts.reverse();
}

/** @param {Entry} entry @param {Description['components']} components */
function operationNode(entry, components) {
  const { method, path, operation } = entry;
  const { operationId: id, summary, description } = operation;
  const head = [
    element('span', { class: `method ${method}` }, method.toUpperCase()),
    element('code', { class: 'path' }, path),
    element('span', { class: 'summary' }, ...marked(summary)),
  ];
  return folded({ class: 'operation', id }, head, () => {
    const more = description.replace(`${summary}.`, '').trim();
    const about = more === '' ? null : element('p', {}, ...marked(more));
    return [about, ...attempt(entry), ...answerParts(operation, components)];
  });
}

/** The words by which an operation is found. @param {Entry} entry */
function wordsOf({ method, path, operation: { summary, tags, parameters } }) {
  const names = parameters.map(({ name }) => name);
  return [method, path, summary, ...tags, ...names].join(' ').toLowerCase();
}

/** The id of a group. @param {string} name */
const slug = (name) => name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');

/** @param {Description} description @returns {Entry[]} */
const entriesOf = ({ paths }) =>
  Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, operation]) =>
      typeof operation === 'string' ? [] : [{ method, path, operation }],
    ),
  );

/** The operation in the list at the side. @param {Entry} entry */
const link = ({ method, path, operation: { operationId: id } }) =>
  element(
    'li',
    {},
    element('a', { href: `#${id}` }, method === 'get' ? path : `${method.toUpperCase()} ${path}`),
  );

/**
 * The groups of operations, and `list` with a link to each. `search` hides the operations in which one of the words and its
 * synonyms are missing, and gives the number of the others and of all.
 *
 * @param {Description} description
 */
export function reference(description) {
  const rows = entriesOf(description).map((entry) => ({
    tags: entry.operation.tags,
    words: wordsOf(entry),
    item: link(entry),
    node: operationNode(entry, description.components),
  }));
  const groups = description.tags.map(({ name, description: about }) => {
    const own = rows.filter(({ tags }) => tags.includes(name));
    const nodes = own.map(({ node }) => node);
    const head = [element('h3', {}, name), element('p', {}, about)];
    const links = element('ul', {}, ...own.map(({ item }) => item));
    const item = element('li', {}, element('a', { href: `#${slug(name)}` }, name), links);
    return {
      ...{ nodes, item },
      node: element('section', { class: 'group', id: slug(name) }, ...head, ...nodes),
    };
  });
  const search = (/** @type {string} */ text) => {
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

/** Every error code with its status and usual message. @param {Description} description */
export const errorCodes = ({ 'x-errors': errors }) =>
  errors.map(({ status, code, message }) => [`${status}`, `\`${code}\``, message]);
