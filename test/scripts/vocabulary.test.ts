/** The answers use one word for each thing, and fields have the types that their names state. */
import { existsSync, readFileSync } from 'node:fs';
import t from 'tap';
import { routes } from '../../scripts/docs/routes.ts';
import {
  faultsIn,
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
