/**
 * The schemas of the rows that processes publish and clients get: equal to a table, which changes on purpose only. A job
 * that publishes other fields than the schema of its indicator does not compile.
 */
import { readFileSync } from 'node:fs';
import t from 'tap';
import { isRecord } from '../../../actors/read.ts';
import * as chains from '../../../actors/topics/chains.ts';
import * as defi from '../../../actors/topics/defi.ts';
import * as hyperliquid from '../../../actors/topics/hyperliquid.ts';
import {
  type IndicatorDocument,
  type IndicatorReading,
  indicatorNames,
} from '../../../actors/topics/index.ts';
import { indicatorAnswer, indicatorTable } from '../../../actors/topics/indicators/table.ts';
import * as s from '../../../actors/topics/schema.ts';
import * as status from '../../../actors/topics/status.ts';
import * as wallet from '../../../actors/topics/wallet.ts';

const about = { lacks: null, source: 'a', updated_at: 0, received_at: 0, stale_after: 0 };
const fields = { value: 1, daily_issuance_btc: 1, daily_issuance_usd: 1, average_365d_usd: 1 };
const more = { value_smoothed: 1, blocks: null, subsidy_btc: 1 };
const words = { zone: 'normal', signal: 'hold' } as const;
const live = { timestamp: 0, value: 1, daily_issuance_usd: 1 };

const puell: IndicatorDocument<'puell-multiple'> = {
  ...about,
  name: 'puell-multiple',
  fields: { ...fields, ...more, ...words },
  live,
};
const any: IndicatorReading = puell;

const wrong: IndicatorDocument<'puell-multiple'>[] = [
  // @ts-expect-error a field is missing
  { ...puell, fields: { ...fields, ...more, zone: 'normal' } },
  // @ts-expect-error a word that the schema does not have
  { ...puell, fields: { ...fields, ...more, ...words, zone: 'high' } },
  // @ts-expect-error a column is missing
  { ...puell, live: { timestamp: 0, value: 1 } },
  // @ts-expect-error the fields of another indicator
  { ...puell, name: 'ahr999' },
];

t.test('every indicator has a schema, whose answer has its fields and those of all', async (t) => {
  t.equal(any.name, 'puell-multiple');
  t.equal(wrong.length, 4);
  t.strictSame(Object.keys(indicatorTable).sort(), [...indicatorNames].sort());
  for (const name of indicatorNames) {
    const { properties } = JSON.parse(JSON.stringify(indicatorAnswer(name)));
    const own = Object.keys(indicatorTable[name].fields.properties);
    const common = ['updated_at', 'received_at', 'source', 'stale', 'coverage', 'history'];
    t.strictSame(Object.keys(properties), [...own, ...common], name);
  }
});

/** A schema in few words: what is not required has a question mark; descriptions are left out. */
function shown(schema: unknown): unknown {
  if (!isRecord(schema)) return schema;
  const { properties, required, type, items, additionalProperties, ...more } = schema;
  const { title, description: _, anyOf, ...rest } = more;
  if (isRecord(properties)) {
    const needed = Array.isArray(required) ? required : [];
    return Object.fromEntries(
      Object.entries(properties).map(([name, one]) => [
        needed.includes(name) ? name : `${name}?`,
        shown(one),
      ]),
    );
  }
  if (Array.isArray(anyOf)) return { either: anyOf.map(shown) };
  if (items !== undefined) return { list: shown(items) };
  if (additionalProperties !== undefined) return { map: shown(additionalProperties) };
  if (Array.isArray(rest.enum)) return rest.enum.map(String).join(' | ');
  const words = [type, title].flat().filter((word) => word !== undefined);
  const keywords = Object.keys(rest).length === 0 ? '' : ` ${JSON.stringify(rest)}`;
  return `${words.join(' or ')}${keywords}`;
}

t.test('schemas', async (t) => {
  const answers = indicatorNames.map((name) => [name, indicatorAnswer(name)]);
  // The rows of all figures once more, by figure.
  const { defiRows: _, ...figures } = defi;
  const modules = { chains, defi: figures, hyperliquid, status, wallet };
  const all = { ...modules, stale: { stale: s.stale }, indicators: Object.fromEntries(answers) };
  const plain: Record<string, object> = JSON.parse(JSON.stringify(all));
  const named = Object.entries(plain).flatMap(([name, schemas]) =>
    Object.entries(schemas).map(([of, schema]) => [`${name} ${of}`, shown(schema)]),
  );
  const facts = new URL('../../fixtures/declared/schemas.json', import.meta.url);
  t.strictSame(Object.fromEntries(named), JSON.parse(readFileSync(facts, 'utf8')));
});

t.test('forms of schemas', async (t) => {
  t.strictSame(JSON.parse(JSON.stringify(s.number('Percent.', { minimum: 0, maximum: 100 }))), {
    type: 'number',
    minimum: 0,
    maximum: 100,
    description: 'Percent.',
  });
  t.strictSame(JSON.parse(JSON.stringify(s.mapOf(s.boolean(), 'name to state'))), {
    type: 'object',
    description: 'Map from name to state.',
    additionalProperties: { type: 'boolean' },
  });
  t.strictSame(JSON.parse(JSON.stringify(s.orNull(s.string(), 'None.'))), {
    description: 'None.',
    anyOf: [{ type: 'string' }, { type: 'null' }],
  });
  const descriptions = [s.unixMs(), s.unixMsOrNull()].map((one) => JSON.parse(JSON.stringify(one)));
  t.match(descriptions, [
    { type: 'integer', description: 'Unix milliseconds.' },
    { type: ['integer', 'null'], description: 'Unix milliseconds, or null.' },
  ]);
});
