/** What a person sees who starts the service on a terminal. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mock } from 'node:test';
import t, { type Test } from 'tap';
import { openLogFile } from '../../../cmd/process/log-file.ts';
import { outputOf } from '../../support/command.ts';
import { startService } from '../../support/service.ts';
import { until } from '../../support/until.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const hasTerminal = spawnSync('script', ['--version']).error === undefined;

function folder(t: Test): string {
  const path = mkdtempSync(join(tmpdir(), 'tidemark-terminal-'));
  t.teardown(() => rmSync(path, { recursive: true, force: true, maxRetries: 5 }));
  return path;
}

/** Runs a command on a terminal of its own (util-linux) until `enough` holds for what it shows; then ctrl-C. */
async function onTerminal(
  dataDir: string,
  { command, enough }: { command: string; enough: (text: string) => boolean },
) {
  const env = {
    ...process.env,
    DATA_DIR: dataDir,
    PORT: '0',
    SOURCES: 'okx',
    WEB_CONCURRENCY: '1',
    LOG_LEVEL: 'info',
    LOG_FORMAT: '',
    REDIS_URL: '',
    UPSTREAM_GATEWAY: '',
  };
  const child = spawn('script', ['-qefc', command, '/dev/null'], { cwd: root, env });
  const said = outputOf(child);
  const ended = once(child, 'close');
  try {
    await until(() => enough(said.out) || child.exitCode !== null, 'enough is shown', 90_000, 50);
  } finally {
    child.stdin.write('\x03');
  }
  const [code] = await ended;
  return { text: said.out, code };
}

t.test(
  'a start is a few lines and a log file; the key is shown once',
  { skip: hasTerminal ? false : 'there is no command `script` here' },
  async (t) => {
    const dataDir = folder(t);
    // `exec`: a shell that waits is interrupted too, and then its status is the one that is seen.
    const command = `exec ${process.execPath} cmd/local.ts --demo`;
    const first = await onTerminal(dataDir, {
      command,
      enough: (text) => text.includes('1 of 1 exchanges'),
    });
    t.equal(first.code, 0, 'ctrl-C ends it with status 0');
    const key = /API key: (tm_live_\w+) /.exec(first.text)?.[1] ?? '';
    t.match(first.text, `curl -H "x-api-key: ${key}" 'http://127.0.0.1:`);
    t.ok(first.text.split('\n').length < 10, 'fewer than ten lines');
    t.match(first.text, 'all data are simulated');
    t.notMatch(first.text, '"level"');
    const lines = readFileSync(join(dataDir, 'logs', 'tidemark.log'), 'utf8')
      .trim()
      .split('\n');
    const roles = lines.map((line) => JSON.parse(line).role);
    // The others start after the first prices.
    for (const role of ['local', 'feed', 'web']) t.ok(roles.includes(role), role);
    t.notMatch(lines.join('\n'), key, 'the key is in no log');

    const again = { args: ['--demo'], env: { SOURCES: 'okx', WEB_CONCURRENCY: '1' } };
    const second = await startService(t, { ...again, folder: dataDir });
    t.match(second.printed(), `API key: ${key.slice(0, 12)}… of an earlier start`);
    t.notMatch(second.printed(), key);

    t.ok(second.running().length > 4);
    second.child.kill('SIGKILL');
    await until(() => second.running().length === 0, 'all processes are gone', 15_000);
    t.pass('a SIGKILL of the one command takes everything with it');
  },
);

t.test('the log file is bounded', async (t) => {
  const dataDir = folder(t);
  openLogFile(dataDir);
  const path = join(dataDir, 'logs', 'tidemark.log');
  truncateSync(path, 2_000);
  openLogFile(dataDir, 2_000);
  t.equal(statSync(path).size, 2_000);
  openLogFile(dataDir, 1_999);
  t.equal(statSync(path).size, 0);
  t.equal(statSync(`${path}.1`).size, 2_000);
  t.equal(statSync(path).mode & 0o777, 0o600);

  mock.timers.enable({ apis: ['setInterval'] });
  t.teardown(() => mock.timers.reset());
  const most = 10 * 2 ** 20;
  openLogFile(dataDir);
  truncateSync(path, most);
  mock.timers.tick(5_000);
  t.equal(statSync(path).size, most, 'ten MiB');
  truncateSync(path, most + 1);
  mock.timers.tick(4_999);
  t.equal(statSync(path).size, most + 1);
  mock.timers.tick(1);
  t.same([statSync(path).size, statSync(`${path}.1`).size], [0, most + 1], 'in five seconds');
  truncateSync(path, most + 1);
  rmSync(dataDir, { recursive: true });
  t.doesNotThrow(() => mock.timers.tick(5_000), 'a folder that was removed');
  t.notOk(existsSync(path));
});
