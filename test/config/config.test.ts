import t from 'tap';
import { ConfigError, loadConfig, loadEnvFile } from '../../config/config.ts';
import { createLogger } from '../../config/log.ts';
import { table } from '../../config/table.ts';

t.test('an empty environment gives every default', async (t) => {
  const config = loadConfig({});
  for (const [name, row] of Object.entries(table)) {
    t.same(config[name as keyof typeof config], row.fallback, name);
  }
  t.equal(config.port, 8080);
  t.equal(loadConfig({ PORT: '' }).port, 8080, 'an empty variable is an absent one');
});

t.test('values are read with their types', async (t) => {
  const config = loadConfig({
    PORT: '9000',
    REDIS_URL: 'redis://:pw@db:6379/0',
    UPSTREAM_GATEWAY: 'http://127.0.0.1:9900/',
    SOURCES: 'binance, okx',
    CORS_ORIGINS: 'https://a.example,https://b.example',
    LOG_LEVEL: 'warn',
  });
  t.match(config, {
    port: 9000,
    redisUrl: 'redis://:pw@db:6379/0',
    gateway: 'http://127.0.0.1:9900',
    sources: ['binance', 'okx'],
    corsOrigins: ['https://a.example', 'https://b.example'],
    logLevel: 'warn',
  });
});

t.test('yes and no', async (t) => {
  const read = (text: string) => loadConfig({ METRICS_PUBLIC: text }).metricsPublic;
  t.strictSame(['1', 'true', '0', 'false'].map(read), [true, true, false, false]);
  t.throws(() => read('yes'), /METRICS_PUBLIC: "yes" is not 1, 0, true or false/);
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

t.test('the logger redacts by field name', async (t) => {
  const written: string[] = [];
  const log = createLogger({ logLevel: 'info' }, 'test', {
    write: (line: string) => written.push(line),
  });
  log.info(
    {
      redisUrl: 'redis://:hunter2@db',
      nested: { password: 'hunter2', deep: { token: 'hunter2' } },
    },
    'x',
  );
  t.equal(written.length, 1);
  t.notMatch(written[0], 'hunter2');
  t.match(written[0], '[redacted]');
});
