/** Names for the parts of the API description that are made from the route table. */
import type { Route } from '../endpoints/route.ts';

const word = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const wordsOf = (text: string): string[] =>
  text
    .split(/[^A-Za-z0-9]+/)
    .filter(Boolean)
    .map(word);

/** `{address}` is `by-address`, and `/` is `root`. */
const spelled = (path: string): string =>
  path.replace(/^\/$/, 'root').replaceAll(/\{(\w+)\}/g, (_, name: string) => `by-${name}`);

/** `GET /v2/dex/token/{address}` is `getV2DexTokenByAddress`. */
export const operationId = ({ method, path }: Pick<Route, 'method' | 'path'>): string =>
  method.toLowerCase() + wordsOf(spelled(path)).join('');

/** The words of the schema of an answer: `/v1/spot/netflow` is Spot Netflow, `/v2/exchanges` is Exchanges V2. */
export function schemaWords({ method, path }: Pick<Route, 'method' | 'path'>): string[] {
  const [, version = '1', rest = path] = /^\/v(\d+)(\/.*)$/.exec(path) ?? [];
  const verb = method === 'GET' ? [] : [word(method.toLowerCase())];
  return [...verb, ...wordsOf(spelled(rest)), ...(version === '1' ? [] : [`V${version}`])];
}

/** The words of a property. */
export const propertyWords = (name: string): string[] => wordsOf(name);

/** `Gas` and other short words have no plural here. */
const singular = (word: string): string =>
  word.length <= 3
    ? word
    : word
        .replace(/ies$/, 'y')
        .replace(/(ss|x|ch)es$/, '$1')
        .replace(/([^s])s$/, '$1');

/** The words of an item of a list or map with this name: `exchanges` is Exchange. */
export function itemWords(name: string): string[] {
  const words = wordsOf(name);
  const last = words.pop() ?? '';
  const one = singular(last);
  return one === last ? [...words, last, 'Item'] : [...words, one];
}
