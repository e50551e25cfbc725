import { join } from 'node:path';
import t from 'tap';
import { origin, whole } from '../../../scripts/load/arguments.ts';
import { runCommand } from '../../support/command.ts';

t.test('arguments are refused with the option and what is allowed', async (t) => {
  t.equal(whole('rate', '40', [1, 40]), 40);
  t.throws(() => whole('rate', '0', [1, 40]), {
    message: '--rate: 0 is not a whole number from 1 to 40',
  });
  for (const wrong of ['1.5', '', '41', 'x']) t.throws(() => whole('rate', wrong, [1, 40]));
  t.equal(origin('url', 'http://x:1', ['http:']).host, 'x:1');
  for (const wrong of ['ftp://x', 'http://x/v1', 'http://a@x', 'x']) {
    t.throws(() => origin('url', wrong, ['http:']), {
      message: `--url: ${wrong} is not http://HOST[:PORT]`,
    });
  }
});

t.test('as a command', async (t) => {
  const run = (...args: string[]) =>
    runCommand(join(import.meta.dirname, '../../../scripts/load/main.ts'), args, {});
  t.match(await run('none'), { code: 2, err: /attacks\|cluster/ });
  t.match(await run('attacks'), { code: 2, err: /^--url and --key are needed/ });
  t.match(await run('cluster', '--rate', 'x'), { code: 2, err: /^--rate: x is not/ });
  t.match(await run('attacks', '--help'), { code: 0, out: /--only TEXT/ });
});
