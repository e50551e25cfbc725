/** A short run of `npm run load -- cluster` with real processes. */
import t from 'tap';
import { textOf } from '../../../scripts/load/cluster/findings.ts';
import { runCluster } from '../../../scripts/load/cluster/main.ts';
import { clusterOptions } from '../../../scripts/load/cluster/options.ts';

t.test('a short run: processes are killed, and clients notice nothing wrong', async (t) => {
  const few = '--feeds 1 --web 2 --compute 0 --history 1';
  const small = '--assets 12 --sources binance --rate 20 --clients 8';
  const short = '--seconds 4 --every 1 --absence 0 --calm 10 --settle 1';
  const words = `${few} ${small} ${short} --seed 8 --push --events`.split(' ');
  const options = clusterOptions(words);
  if (options === null) throw new Error('help was asked for');
  const findings = await runCluster(options);
  t.comment(textOf(findings));
  t.match(findings[0]?.found, /[1-9]/, 'something was killed');
  // Ages and unanswered requests are a matter of the machine's speed.
  const missed = findings.filter(
    ({ name, ok }) => ok === false && !/^(age|requests|clients that are behind)/.test(name),
  );
  t.strictSame(missed, []);
});
