/** Answers of the exchanges in their documented form, with numbers of our own: `test/fixtures/<exchange>/<name>.json`. */
import { readFileSync } from 'node:fs';

const folder = new URL('../../test/fixtures/', import.meta.url);

/** A row of a fixture by its place, such as `linear-prices result.list`: the first of a list, and an object itself. */
export function sample(exchange: string, place: string): object {
  const [name = '', path = ''] = place.split(' ');
  let found: unknown = JSON.parse(
    readFileSync(new URL(`${exchange}/${name}.json`, folder), 'utf8'),
  );
  for (const key of path.split('.').filter((one) => one !== '')) found = Object(found)[key];
  if (Array.isArray(found)) [found] = found;
  if (typeof found !== 'object' || found === null)
    throw new RangeError(`no row: ${exchange} ${place}`);
  return found;
}
