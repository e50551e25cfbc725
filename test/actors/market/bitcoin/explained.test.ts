/** Every model of Bitcoin, as the source publishes it, is computed again out of its answer with `explain=1`. */
import t, { type Test } from 'tap';
import { indicatorNames } from '../../../../actors/topics/index.ts';
import { again, answersAbout, type Explained } from '../../../support/explained.ts';
import { bitcoinStage, type Stage } from './stage.ts';

const numberIn = (value: unknown) => (typeof value === 'number' ? value : Number.NaN);

function near(t: Test, found: number, wanted: unknown, about: string) {
  const least = 1e-8 * Math.max(1, Math.abs(found));
  t.ok(Math.abs(found - numberIn(wanted)) <= least, `${about}: ${found} is ${wanted}`);
}

function checkCorrelations(t: Test, { assets, explanation }: Explained) {
  const rows = Array.isArray(assets) ? assets : [];
  t.ok(rows.length >= 5);
  for (const row of rows)
    for (const days of [30, 90, 365])
      near(t, again(explanation, row.id, days), row[`correlation_${days}d`], `${row.id} ${days}`);
}

function checkNumber(t: Test, data: Explained, price: number | null) {
  const { field, result, series = [] } = data.explanation;
  near(t, again(data.explanation), result, field);
  near(t, numberIn(data[field]), result, field);
  // Of profitable days, the price is compared with the closes and is none of them.
  const closes = field === 'share' ? [] : series.filter(({ name }) => name === 'close');
  for (const { values } of price === null ? [] : closes) t.equal(values.at(-1), price, field);
}

async function check(t: Test, stage: Stage) {
  let models = 0;
  for (const name of indicatorNames) {
    const [reading, chart] = [await stage.reading(name), await stage.chart(name)];
    if (!(reading && chart)) continue;
    models += 1;
    const answer = answersAbout(reading, chart);
    const data = answer('1');
    const { explanation: _, ...rest } = data;
    t.strictSame(rest, answer(), `${name}: the rest is the usual answer`);
    if (name === 'bitcoin-correlations') checkCorrelations(t, data);
    else checkNumber(t, data, reading.live ? (stage.live?.price ?? null) : null);
  }
  t.equal(models, 10);
}

t.test('the models of Bitcoin, out of the last close and out of a price', async (t) => {
  const stage = bitcoinStage();
  const life = stage.begin();
  for (const name of ['days', 'issuance', 'assets', 'models'] as const) await life.do(name);
  await check(t, stage);
  await stage.clock.advance(60_000);
  stage.live = { price: 120_000, at: stage.clock.now() - 2_000 };
  await life.do('models');
  await check(t, stage);
});
