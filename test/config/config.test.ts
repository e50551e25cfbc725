import { closeSync, openSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import t from 'tap';
import { ConfigError, childEnv, loadConfig, loadEnvFile } from '../../config/config.ts';
import { createLogger, logStream } from '../../config/log.ts';
import { nearNames } from '../../config/near-names.ts';
import { defaultPlans } from '../../config/plans.ts';
import { contact, key, nonEmpty, oneOf, url, whole, words } from '../../config/row.ts';
import { table } from '../../config/table.ts';

/** The default of each variable, as docs/configuration.md states it. */
const stated = new Map(
  readFileSync(new URL('../../docs/configuration.md', import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => line.split(' | '))
    .map(([name = '', value = '']) => [name.replace('| ', '').replaceAll('`', ''), value]),
);

/** Defaults that are stated in words; an empty list where the setting is absent. */
const processors = Math.min(4, Math.max(1, availableParallelism() - 1));
const inWords: readonly (readonly [RegExp, unknown])[] = [
  [/^processors less one, from 1 to 4$/, processors],
  [/^free, pro and local/, defaultPlans],
  [/^on$/, ['on']],
  [/^`off`$/, []],
  [/^(none|all|a private|an SQLite|public endpoints|REDIS_(URL|BUS_URL)$|1 where)/, []],
];

t.test('an empty environment gives every default that is documented', async (t) => {
  const config = loadConfig({});
  for (const [name, { env }] of Object.entries(table)) {
    const [value, text = ''] = [config[name as keyof typeof config], stated.get(env)];
    const words = inWords.find(([pattern]) => pattern.test(text));
    if (words) t.same(value ?? [], words[1], `${env} ${text}`);
    else t.equal(`\`${value}\``, text, env);
  }
  t.equal(loadConfig({ PORT: '' }).port, 8080, 'an empty variable is an absent one');
});

t.test('NAME_FILE names a file that holds a setting', async (t) => {
  const folder = t.testdir({ url: 'redis://:pw@db:6379\n', port: 'x', empty: '' });
  const read = (env: Record<string, string>) => loadConfig(env);
  t.equal(read({ REDIS_URL_FILE: `${folder}/url` }).redisUrl, 'redis://:pw@db:6379');
  const both = { REDIS_URL: 'redis://other:1', REDIS_URL_FILE: `${folder}/none` };
  t.equal(read(both).redisUrl, 'redis://other:1', 'the variable itself wins');
  t.throws(() => read({ PORT_FILE: `${folder}/port` }), /\n {2}PORT_FILE: "x" is not a whole/);
  t.throws(
    () => read({ REDIS_URL_FILE: `${folder}/none`, HOST_FILE: `${folder}/empty` }),
    /has 2 fault\(s\):\n {2}HOST_FILE: .*\n {2}REDIS_URL_FILE: \S+ cannot be read \(ENOENT\)$/,
  );
  t.strictSame(nearNames({ REDIS_URL_FILE: 'x' }), []);
});

t.test('yes and no', async (t) => {
  const read = (text: string) => loadConfig({ METRICS_PUBLIC: text }).metricsPublic;
  t.strictSame(['1', 'true', '0', 'false'].map(read), [true, true, false, false]);
  t.throws(() => read('yes'), /METRICS_PUBLIC: "yes" is not 1, 0, true or false/);
});

t.test('a share of requests', async (t) => {
  const read = (text: string) => loadConfig({ ACCESS_LOG: text }).accessLog;
  t.strictSame(['off', '0', '1', '0.01', '.5'].map(read), [null, 0, 1, 0.01, 0.5]);
  for (const text of ['on', '1.1', '-0.1', '1e-3', '.'])
    t.throws(() => read(text), /ACCESS_LOG: .* is not off, or a number from 0 to 1/, text);
});

t.test('each kind of value, at its bounds', async (t) => {
  const refused = Symbol('refused');
  const all = (read: (text: string) => unknown, texts: readonly string[]) =>
    texts.map((text) => {
      try {
        return read(text);
      } catch {
        return refused;
      }
    });
  const no = (count: number) => Array.from({ length: count }, () => refused);
  const numbers = ['2', '10', '010', '1', '11', '-3', '3.0', '1e1', ' 3', '0x3'];
  t.strictSame(all(whole(2, 10), numbers), [2, 10, 10, ...no(7)]);
  t.strictSame(all(oneOf('a', 'b'), ['a', 'b', 'A', 'ab']), ['a', 'b', ...no(2)]);
  const urls = ['redis://h/', 'unix:///s', 'http://h', 'h', 'redis'];
  t.strictSame(all(url('redis:', 'unix:'), urls), ['redis://h', 'unix:///s', ...no(3)]);
  const contacts = ['mailto:a@b.example', 'https://a.example', 'http://a.example', 'a@b.example'];
  const spaced = ['mailto:a@b.example x', 'xmailto:a@b.example'];
  t.strictSame(all(contact, [...contacts, ...spaced]), [...contacts.slice(0, 2), ...no(4)]);
  t.strictSame(all(nonEmpty, ['a', ' a ', '', ' ']), ['a', ' a ', ...no(2)]);
  const keys = ['tm_!~', 'a b', 'two\nlines', 'k\r', 'ké', ''];
  t.strictSame(all(key('A_KEY', 'Goes into a header.').read, keys), ['tm_!~', ...no(5)]);
  t.strictSame(words(' a,,b , '), ['a', 'b']);
});

t.test('rules beside those of the table, of settings that can be read', async (t) => {
  const seen: number[] = [];
  const check = ({ port }: { port: number }) => {
    seen.push(port);
    if (port === 1) throw new Error('PORT: one is not enough');
  };
  const checks = [{ env: 'PORT', check }];
  t.equal(loadConfig({ PORT: '2' }, checks).port, 2);
  t.throws(() => loadConfig({ PORT: '1', HOST: ' ' }, checks), {
    name: 'ConfigError',
    message: /has 2 fault\(s\):\n {2}HOST: " " is not text that is not empty\n {2}PORT: one is/,
  });
  t.throws(() => loadConfig({ PORT: 'x' }, checks), /has 1 fault/);
  t.strictSame(seen, [2, 1]);
});

t.test('a file .env in the working directory is read, and there need not be one', async (t) => {
  const folder = t.testdir({ empty: {}, full: { '.env': 'TIDEMARK_TEST_OF_ENV=read\n' } });
  const before = process.cwd();
  t.teardown(() => {
    process.chdir(before);
    delete process.env.TIDEMARK_TEST_OF_ENV;
  });
  process.chdir(`${folder}/empty`);
  t.doesNotThrow(loadEnvFile);
  process.chdir(`${folder}/full`);
  loadEnvFile();
  t.equal(process.env.TIDEMARK_TEST_OF_ENV, 'read');
  const env = childEnv({ PORT: '1' });
  t.match(env, { PORT: '1', TIDEMARK_TEST_OF_ENV: 'read' });
});

t.test(
  'all faults are reported in one throw, with what is allowed and without secrets',
  async (t) => {
    const env = {
      PORT: '70000',
      WEB_CONCURRENCY: '0',
      REDIS_URL: 'http://user:hunter2@db',
      UPSTREAM_GATEWAY: 'nonsense',
      LOG_LEVEL: 'loud',
      ASK_IN_FLIGHT: '1e3',
    };
    try {
      loadConfig(env);
      t.fail('must throw');
    } catch (error) {
      t.type(error, ConfigError);
      const { message } = error as ConfigError;
      for (const name of Object.keys(env)) t.match(message, `${name}: `);
      t.match(message, 'PORT: "70000" is not a whole number from 0 to 65535');
      t.match(message, 'one of silent, fatal, error, warn, info, debug, trace');
      t.match(message, 'redis:// or rediss:// or unix://');
      t.notMatch(message, 'hunter2');
    }
  },
);

t.test('every row is documented and no two read the same variable', async (t) => {
  const rows = Object.values(table);
  t.equal(new Set(rows.map((row) => row.env)).size, rows.length);
  for (const row of rows) {
    t.match(row.env, /^[A-Z][A-Z0-9_]*$/);
    t.ok(row.doc.length > 20, row.env);
  }
});

t.test('a line of the log is written before the call returns', async (t) => {
  const path = `${t.testdir({})}/log`;
  const fd = openSync(path, 'a');
  t.teardown(() => closeSync(fd));
  createLogger({ logLevel: 'info' }, 'web', logStream(fd)).info('said');
  t.match(readFileSync(path, 'utf8'), '"msg":"said"');
});

t.test('the logger redacts by field name, and logs from its level on', async (t) => {
  const lines: Record<string, unknown>[] = [];
  const write = (line: string) => lines.push(JSON.parse(line));
  const log = createLogger({ logLevel: 'info' }, 'web', { write });
  log.debug('not so important');
  const names = [
    'password',
    'token',
    'authorization',
    'apiKey',
    'key',
    'secret',
    'redisUrl',
    'redisBusUrl',
    'redisReadUrl',
    'url',
  ];
  const secrets = Object.fromEntries(names.map((name) => [name, 'hunter2']));
  log.info({ ...secrets, nested: { ...secrets, deep: secrets }, host: 'shown' }, 'x');
  t.equal(lines.length, 1);
  const [line = {}] = lines;
  t.notMatch(JSON.stringify(line), 'hunter2');
  t.equal(JSON.stringify(line).split('[redacted]').length - 1, 3 * names.length);
  t.match(line, { role: 'web', pid: process.pid, host: 'shown', msg: 'x' });
});
