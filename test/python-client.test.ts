/** The Python client without a service: its rules, and its streams against a server of its own. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { unzipSync } from 'fflate';
import t from 'tap';
import { lacks, python } from './support/python-client.ts';

t.test('its tests pass', { skip: await lacks('httpx', 'websockets') }, async (t) => {
  const { failed, printed } = await python('-m', 'unittest', 'discover', '-s', 'tests');
  t.equal(failed ? printed : '', '');
  t.match(printed, /Ran \d\d tests/);
});

t.test('the wheel that the service has is that of its build system', async (t) => {
  const lack = await lacks('hatchling.build');
  if (lack !== false) return t.comment(lack);
  const folder = t.testdir();
  const build = 'import sys, hatchling.build as h; h.build_wheel(sys.argv[1])';
  const { failed, printed } = await python('-c', build, folder);
  t.equal(failed ? printed : '', '');
  const packages = join(import.meta.dirname, '../clients/packages');
  const [own, built] = [packages, folder].map((path) => {
    const name = readdirSync(path).find((one) => one.endsWith('.whl')) ?? '';
    return { name, files: unzipSync(readFileSync(join(path, name))) };
  });
  t.equal(own?.name, built?.name);
  t.strictSame(Object.keys(own?.files ?? {}).sort(), Object.keys(built?.files ?? {}).sort());
  const headers = (files: Record<string, Uint8Array> = {}) => {
    const [, text] = Object.entries(files).find(([name]) => name.endsWith('/METADATA')) ?? [];
    const [head = ''] = Buffer.from(text ?? [])
      .toString()
      .split('\n\n');
    return head
      .split('\n')
      .filter((line) => !/^(Metadata-Version|License)/.test(line))
      .sort();
  };
  t.strictSame(headers(own?.files), headers(built?.files));
});
