/** What the command says of settings. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import t from 'tap';
import { table } from '../../../config/table.ts';
import { uses } from '../../../config/uses.ts';

const root = join(import.meta.dirname, '..', '..', '..');

/** What the command prints in an empty folder, with nothing but these variables. */
function said(cwd: string, env: Record<string, string>, ...roles: string[]) {
  const { PATH } = process.env;
  const args = [join(root, 'cmd', 'check-config.ts'), ...roles];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd,
    env: { PATH, ...env },
  });
  return { status, out: stdout.toString(), err: stderr.toString() };
}

t.test('what is wrong, and for which processes', (t) => {
  const wrong = { PROT: '1', SOURCES: 'nobody', PORT: 'x' };
  const { status, out } = said(t.testdir({}), wrong, 'compute', 'feed');
  t.equal(status, 2);
  t.match(out, /\n {2}feed compute: PORT: "x" is not a whole number/);
  t.match(out, /\n {2}feed: SOURCES: nobody unknown/);
  t.match(out, /\n {2}feed compute: REDIS_URL is not set/);
  t.match(out, /\n {2}PROT: did you mean PORT\?/);
  t.match(said(t.testdir({}), {}, 'wbe'), { status: 2, err: /no process: wbe\nusage: / });
  t.end();
});

t.test('what is set, and what is on by default, without secrets', (t) => {
  const folder = t.testdir({ url: 'redis://:hidden@db:6379' });
  const env = { REDIS_URL_FILE: join(folder, 'url'), LIVE: 'off', CORS_ORIGINS: 'https://a.test' };
  const { status, out } = said(folder, env, 'web', 'feed');
  t.equal(status, 0);
  const [set = '', usual = ''] = out.split('By default:');
  t.match(set, '  REDIS_URL = (set, not shown)  (web feed, by REDIS_URL_FILE)\n');
  t.match(set, '  LIVE = off  (feed)\n  CORS_ORIGINS = https://a.test  (web)\n');
  t.match(usual, /\n {2}PORT = 8080 {2}\(web\)\n/);
  t.match(usual, /\n {2}WEB_CONCURRENCY = \d+, processors less one, from 1 to 4 {2}\(web\)\n/);
  t.notMatch(out, /hidden|COMPUTE_THREADS/);
  t.end();
});

t.test('each setting is used by a process, but that of a command', (t) => {
  const used = new Set<string>(Object.values(uses).flat());
  t.strictSame(
    Object.keys(table).filter((name) => !used.has(name)),
    ['exportKey'],
  );
  t.end();
});
