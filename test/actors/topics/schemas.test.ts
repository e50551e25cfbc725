/** A job that publishes other fields than the schema of its indicator does not compile. */
import t from 'tap';
import {
  type IndicatorDocument,
  type IndicatorReading,
  indicatorNames,
} from '../../../actors/topics/index.ts';
import { indicatorAnswer, indicatorTable } from '../../../actors/topics/indicators/table.ts';

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
