/** The answers use one word for each thing, and fields have the types that their names state. */
import { existsSync, readFileSync } from 'node:fs';
import t from 'tap';
import { routes } from '../../scripts/docs/routes.ts';
import {
  faultsIn,
  fieldsOf,
  fieldsOfRoutes,
  others,
  specified,
  unneeded,
} from '../../scripts/docs/vocabulary.ts';

t.test('every field of every answer keeps to the vocabulary, or is excepted', async (t) => {
  const fields = fieldsOfRoutes(routes);
  t.ok(fields.length > 1_000, `${fields.length} fields`);
  t.strictSame(faultsIn(fields), []);
  t.strictSame(unneeded(fields), [], 'exceptions that no field needs');
});

t.test('another word, or a type that the name does not state, is a fault', async (t) => {
  const number = { type: 'number' };
  const row = {
    type: 'object',
    properties: {
      price_usd: { anyOf: [number, { type: 'null' }] },
      avg_price: number,
      gap_percent_24h: number,
      created_at: number,
      mark_price: { type: 'string' },
    },
  };
  const schema = { type: 'object', properties: { rows: { type: 'array', items: row } } };
  t.strictSame(faultsIn(fieldsOf(schema, '/v1/x')), [
    '/v1/x: avg_price: use `average`, `median`, `total`',
    '/v1/x: gap_percent_24h: use `_percent` as the end of the name',
    '/v1/x: created_at: is no integer',
    '/v1/x: mark_price: is no number',
  ]);
});

t.test(
  'where a word means US dollars, each answer that has it says so, and none says another unit',
  async (t) => {
    const inDollars = Object.entries({ ...specified, ...others })
      .filter(([, meaning]) => /US dollars$/.test(meaning))
      .map(([name]) => name);
    t.ok(inDollars.includes('volume_24h'));
    const fields = fieldsOfRoutes(routes).filter(({ name, types }) => {
      return inDollars.includes(name) && types.includes('number');
    });
    const strange = fields.filter(({ about }) => !/USD|dollar/i.test(about));
    t.strictSame(
      strange.map(({ path, name, about }) => `${path}: ${name}: ${about}`),
      [],
    );
  },
);

const specification = new URL('../../../shared/spec.md', import.meta.url);
const skip = existsSync(specification) ? false : 'the specification is not beside the project';

t.test('the specification names the words that it is said to require', { skip }, async (t) => {
  const words = new Set(readFileSync(specification, 'utf8').match(/\w+/g));
  t.strictSame(
    Object.keys(specified).filter((name) => !words.has(name)),
    [],
  );
});
