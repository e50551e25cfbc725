/**
 * What the rows of an instrument list are about: `test/fixtures/<venue>/assets.txt`. The first line of a block is a part and the
 * market of its fixture of which the other lines are made: the members that differ, the name of the market first and written as
 * in JSON, then asset, scale, kind, and the class by the field that tells.
 */
import { existsSync, readFileSync } from 'node:fs';
import type { Test } from 'tap';
import { isRecord } from '../../../../actors/read.ts';
import type { Venue } from '../../../../actors/sources/venue.ts';
import { bodiesOf, ownPoll, received } from '../fixtures.ts';

/** The value as in JSON, else the text; nothing for an empty one. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text === '' ? undefined : text;
  }
}

/** The row with members by their paths. */
function withMembers(row: object, members: readonly string[]): object {
  const made = structuredClone(row);
  for (const member of members) {
    const [path = '', ...value] = member.split('=');
    const names = path.split('.');
    const owner = names.slice(0, -1).reduce<unknown>((at, name) => Object(at)[name], made);
    Reflect.set(Object(owner), names.at(-1) ?? '', parsed(value.join('=')));
  }
  return made;
}

/** The body with other rows in the list that has a row whose member `key` is `id`; `make` gets that row. */
function withRows(body: unknown, [key, id]: [string, string], make: (row: object) => object[]) {
  const put = (value: unknown): unknown => {
    if (Array.isArray(value)) {
      const row = value.find((one) => isRecord(one) && String(one[key]) === id);
      return isRecord(row) ? make(row) : value.map(put);
    }
    if (!isRecord(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, put(inner)]));
  };
  return put(body);
}

function isRead(t: Test, venue: Venue, block: string): void {
  const [[part = '', of = ''] = [], ...lines] = block
    .split('\n')
    .map((line) => line.trim().split(/\s+/));
  const wanted = lines.map((words) => {
    const arrow = words.indexOf('->');
    const [symbol, scale, kind, asset_class] = words.slice(arrow + 1);
    const [name = ''] = words;
    const market = String(parsed(name.slice(name.indexOf('=') + 1)));
    return { members: words.slice(0, arrow), market, symbol, scale, kind, asset_class };
  });
  const key = lines[0]?.[0]?.split('=')[0] ?? '';
  const bodies = bodiesOf(venue, `${part}-instruments`).map((body) =>
    withRows(body, [key, of], (row) => wanted.map(({ members }) => withMembers(row, members))),
  );
  const context = { received, instruments: new Map() };
  const { rows } = ownPoll(venue, 'instruments', part).parse(bodies, context);
  for (const { members: _, scale, ...row } of wanted) {
    const found = rows.find(({ market }) => market === row.market);
    t.match({ asset_class: '-', ...found }, { ...row, scale: Number(scale) }, row.market);
  }
}

export function assets(t: Test, venue: Venue): void {
  const file = new URL(`../../../fixtures/${venue.id}/assets.txt`, import.meta.url);
  if (!existsSync(file)) return;
  for (const block of readFileSync(file, 'utf8').trim().split('\n\n')) isRead(t, venue, block);
}
