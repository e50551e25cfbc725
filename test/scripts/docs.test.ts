/** The documents that are made from tables are up to date, and what they do not state of the endpoints is as declared. */
import { readFileSync } from 'node:fs';
import t from 'tap';
import { documents } from '../../scripts/docs/documents.ts';
import { routes } from '../../scripts/docs/routes.ts';
import { sameAsDeclared } from '../support/declared.ts';

for (const [path, text] of Object.entries(documents)) {
  t.test(path, async (t) => {
    const written = readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
    t.ok(written === text, '`npm run docs` writes it');
  });
}

/** What a client may meet at an endpoint besides its parameters and its answer. */
const endpoints = Object.fromEntries(
  routes.map((row) => {
    const { access, budget, bodyCap, fails = [], produces, soft, creates } = row;
    const { free, undated, local, followEvery } = row;
    const flags = Object.entries({ soft, creates, free, undated, local });
    const words = [
      access,
      ...flags.flatMap(([name, is]) => (is ? [name] : [])),
      ...fails.map((status) => `fails with ${status}`),
      ...(budget === undefined ? [] : [`budget ${budget}`]),
      ...(bodyCap === undefined ? [] : [`body to ${bodyCap} bytes`]),
      ...(produces === undefined ? [] : [produces]),
      ...(followEvery === undefined ? [] : ['states how soon it is followed']),
    ];
    return [`${row.method} ${row.path}`, words.join(', ')];
  }),
);
t.test('endpoints', async (t) => sameAsDeclared(t, 'endpoints', endpoints));
