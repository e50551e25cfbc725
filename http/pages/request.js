/** Requests of the pages: how they are written down, and what they are sent with. */
import { setting } from './settings.js';

/** @import { Request } from './types.ts' */

/** Where the service is, with a slash at the end: a proxy may serve it under a prefix. */
export const base = new URL('.', document.baseURI).href;

/** @param {Pick<Request, 'path'>} request */
export const urlOf = ({ path }) => base + path.slice(1);

/** Newest entity tags by path. @type {Map<string, string>} */
const tags = new Map();

/**
 * @param {string} path
 * @param {string} tag
 */
export const keepTag = (path, tag) => tags.set(path, tag);

/** @param {readonly (readonly [string, string])[]} headers @returns {Request['form']} */
function formOf(headers) {
  const of = new Map(headers.map(([name, value]) => [name.toLowerCase(), value]));
  const accepted = of.get('accept') ?? '';
  if (accepted === 'text/event-stream') return 'stream';
  return accepted.startsWith('text/') || of.has('if-none-match') ? 'text' : 'json';
}

/**
 * Reads a request as HTTP writes it: the method and path, headers, an empty line, the body.
 *
 * @param {string} text
 * @param {readonly string[]} shown
 * @returns {Request}
 */
export function parse(text, shown = []) {
  const [head = '', body = ''] = text.trim().split('\n\n');
  const [first = '', ...lines] = head.split('\n');
  const [method = '', path = ''] = first.split(' ');
  const headers = lines.map((line) => {
    const [name = '', value = ''] = line.split(': ');
    return /** @type {const} */ ([name, value]);
  });
  return { method, path, headers, body, form: formOf(headers), shown };
}

/**
 * The headers with what was entered and received.
 *
 * @param {Request} request
 * @param {Readonly<Record<'$KEY' | '$TOKEN' | '$ETAG', string>>} missing In the place of what is not there.
 * @returns {[name: string, value: string][]}
 */
function filled({ headers, path }, missing) {
  const values = {
    $KEY: setting('key') || missing.$KEY,
    $TOKEN: setting('token') || missing.$TOKEN,
    $ETAG: tags.get(path) ?? missing.$ETAG,
  };
  return headers.map(([name, value]) => [
    name,
    value.replace(/\$(?:KEY|TOKEN|ETAG)/, (found) => values[/** @type {'$KEY'} */ (found)]),
  ]);
}

/** The headers as the lines show them. @param {Request} request */
export const shownHeaders = (request) =>
  filled(request, {
    $KEY: 'YOUR_KEY',
    $TOKEN: 'YOUR_TOKEN',
    $ETAG: 'W/"the tag of the last answer"',
  });

/** The headers as the page sends them: without those that have nothing in them yet. @param {Request} request */
export const sentHeaders = (request) =>
  filled(request, { $KEY: '', $TOKEN: '', $ETAG: '' }).filter(
    ([, value]) => value !== '' && value !== 'Bearer ',
  );

/** The first characters of a credential, by which its owner knows it. @param {string} value */
const hint = (value) => `${value.slice(0, Math.min(12, value.length / 2))}••••`;

/**
 * The request with the reader's credentials hidden, for everyone who looks at the screen.
 *
 * @param {Request} request
 * @returns {Request}
 */
export function masked(request) {
  const hidden = new Map([
    ['$KEY', setting('key')],
    ['$TOKEN', setting('token')],
  ]);
  const headers = request.headers.map(([name, value]) => {
    const shown = value.replace(/\$(?:KEY|TOKEN)/, (found) => {
      const secret = hidden.get(found) ?? '';
      return secret === '' ? found : hint(secret);
    });
    return /** @type {const} */ ([name, shown]);
  });
  return { ...request, headers };
}
