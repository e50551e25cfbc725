/** The Python client, with Debian's own Python, for whose packages it is made. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Test } from 'tap';
import type { Service } from './service.ts';

const cwd = join(import.meta.dirname, '..', '..', 'clients/python');
const env = { ...process.env, PYTHONPATH: join(cwd, 'src'), PYTHONDONTWRITEBYTECODE: '1' };

/** Runs Python in the folder of the client; what it has printed, with its error where it fails. */
export const python = (...args: string[]): Promise<{ failed: boolean; printed: string }> =>
  promisify(execFile)('/usr/bin/python3', args, { cwd, env, timeout: 90_000 }).then(
    ({ stdout, stderr }) => ({ failed: false, printed: stdout + stderr }),
    (error) => ({ failed: true, printed: `${error.stdout}${error.stderr}` }),
  );

/** Why the client cannot be tried here; false where it can. `tomllib` came with Python 3.11. */
export async function lacks(...modules: string[]): Promise<string | false> {
  const { failed } = await python('-c', `import tomllib, ${modules.join(', ')}`);
  return failed && `skipped: Python 3.11 with ${modules.join(', ')} is not installed`;
}

/** Runs the README of the client against a service; says so where its packages are not installed. */
export async function tryPythonReadme(t: Test, { url, key }: Pick<Service, 'url' | 'key'>) {
  const lack = await lacks('httpx', 'websockets', 'pandas');
  if (lack !== false) {
    t.comment(lack);
    return;
  }
  const { failed, printed } = await python('tests/readme.py', url, key);
  t.equal(failed ? printed : '', '', 'each task of the README of the Python client works');
  t.match(printed, /^6 blocks$/m, 'the first lines and the five tasks');
}
