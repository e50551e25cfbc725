/** The Python client: its rules, without a service. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import t from 'tap';

const folder = join(import.meta.dirname, '..', 'clients/python');
const run = promisify(execFile);

/** Debian's own, whose packages the client is tried with. */
const python = '/usr/bin/python3';

const isInstalled = await run(python, ['-c', 'import httpx, websockets, tomllib']).then(
  () => true,
  () => false,
);
const skip = isInstalled
  ? false
  : 'skipped: Python 3.11 with httpx and websockets is not installed';

t.test('its tests pass', { skip }, async (t) => {
  const env = { ...process.env, PYTHONPATH: join(folder, 'src'), PYTHONDONTWRITEBYTECODE: '1' };
  const args = ['-m', 'unittest', 'discover', '-s', 'tests'];
  const failed = await run(python, args, { cwd: folder, env }).then(
    ({ stderr }) => {
      t.match(stderr, /Ran \d\d tests/);
      return '';
    },
    (error) => String(error.stderr),
  );
  t.equal(failed, '');
});
