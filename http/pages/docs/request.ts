/** Requests of the documentation: how they are written down, and what they are sent with. */
import { credentials, typedKey } from '../app/access.ts';
import { base } from '../app/api.ts';
import type { Request } from './types.ts';

type Header = [name: string, value: string];

export const urlOf = ({ path }: Pick<Request, 'path'>): string => base + path.slice(1);

/** Newest entity tags by path. */
const tags = new Map<string, string>();

export const keepTag = (path: string, tag: string): void => void tags.set(path, tag);

function formOf(headers: Request['headers']): Request['form'] {
  const of = new Map(headers.map(([name, value]) => [name.toLowerCase(), value]));
  const accepted = of.get('accept') ?? '';
  if (accepted === 'text/event-stream') return 'stream';
  return accepted.startsWith('text/') || of.has('if-none-match') ? 'text' : 'json';
}

/** Reads a request as HTTP writes it: the method and path, headers, an empty line, the body. */
export function parse(text: string, shown: readonly string[] = []): Request {
  const [head = '', body = ''] = text.trim().split('\n\n');
  const [first = '', ...lines] = head.split('\n');
  const [method = '', path = ''] = first.split(' ');
  const headers = lines.map((line): Header => {
    const [name = '', value = ''] = line.split(': ');
    return [name, value];
  });
  return { method, path, headers, body, form: formOf(headers), shown };
}

/** The headers as the lines show them: with the key that was typed in, and the tag of the last answer. */
export const shownHeaders = ({ headers, path }: Request): Header[] =>
  headers.map(([name, value]) => [
    name,
    value
      .replace('$KEY', typedKey() || 'YOUR_KEY')
      .replace('$TOKEN', 'YOUR_TOKEN')
      .replace('$ETAG', tags.get(path) ?? 'W/"the tag of the last answer"'),
  ]);

/** The headers as the page sends them: of whoever is signed in, and without a tag while there is none. */
export const sentHeaders = ({ headers, path }: Request): Header[] =>
  headers.flatMap(([name, value]): Header[] => {
    if (/\$KEY|\$TOKEN/.test(value)) return Object.entries(credentials());
    const tag = tags.get(path);
    return value !== '$ETAG' ? [[name, value]] : tag === undefined ? [] : [[name, tag]];
  });

/** The first characters of a key, by which its owner knows it. */
const hint = (value: string): string => `${value.slice(0, Math.min(12, value.length / 2))}••••`;

/** The request with the reader's key hidden, for everyone who looks at the screen. */
export function masked(request: Request): Request {
  const shown = typedKey() === '' ? '$KEY' : hint(typedKey());
  const headers = request.headers.map(
    ([name, value]): Header => [name, value.replace('$KEY', shown)],
  );
  return { ...request, headers };
}
