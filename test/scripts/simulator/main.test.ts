import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import t from 'tap';
import { until } from '../../support/until.ts';

t.test('the command prints its URL and stops on a signal', async (t) => {
  const main = join(import.meta.dirname, '../../../scripts/simulator/main.ts');
  const child = spawn(process.execPath, [main, '--port', '0', '--symbols', '12']);
  t.teardown(() => child.kill('SIGKILL'));
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  await until(() => output.endsWith('\n'), 'it prints a line');
  const response = await fetch(`${output.trim()}/api.binance.com/api/v3/time`);
  t.equal(response.status, 200);
  await response.text();
  child.kill('SIGTERM');
  const [code] = await once(child, 'exit');
  t.equal(code, 0);
  const bad = spawn(process.execPath, [main, '--symbols', '3']);
  let complaint = '';
  bad.stderr.on('data', (chunk) => {
    complaint += chunk;
  });
  t.same((await once(bad, 'exit'))[0], 1);
  t.match(complaint, '--symbols must be a whole number from 12 to 2000');
});
