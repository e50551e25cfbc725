import t from 'tap';
import { isOneEditAway, nearNames } from '../../config/near-names.ts';

t.test('one edit', async (t) => {
  const near = [
    ['PORT', 'PROT'],
    ['PORT', 'PORTS'],
    ['PORT', 'POT'],
    ['PORT', 'PART'],
    ['PORT', 'XPORT'],
  ] as const;
  for (const [a, b] of near) t.ok(isOneEditAway(a, b) && isOneEditAway(b, a), `${a} ${b}`);
  for (const other of ['PORT', 'TROP', 'PORTAL', 'PRT0', 'HOST', ''])
    t.notOk(isOneEditAway('PORT', other), other);
});

t.test('variables that are probably meant as settings', async (t) => {
  const of = (...names: string[]) =>
    nearNames(Object.fromEntries(names.map((name) => [name, '1'])));
  t.strictSame(of('PROT', 'LOGLEVEL', 'REDISURL', 'SOURCE', 'TIDEMARK_PORT', 'RPC_DOGE'), [
    { name: 'PROT', meant: 'PORT' },
    { name: 'LOGLEVEL', meant: 'LOG_LEVEL' },
    { name: 'REDISURL', meant: 'REDIS_URL' },
    { name: 'SOURCE', meant: 'SOURCES' },
    { name: 'TIDEMARK_PORT', meant: null },
    { name: 'RPC_DOGE', meant: null },
  ]);
  t.strictSame(of('PORT', 'LOG_LEVEL', 'SOURCES', 'RPC_ETHEREUM'), [], 'settings');
  // What a shell, a container, a CI run and a package manager set.
  const usual = [
    ...['PATH', 'HOME', 'HOSTNAME', 'USER', 'LANG', 'LC_ALL', 'TERM', 'PWD', 'OLDPWD', 'SHELL'],
    ...['SHLVL', 'EDITOR', 'TZ', 'TMPDIR', 'CI', 'NODE_OPTIONS', 'NODE_PATH', 'INIT_CWD', 'COLOR'],
    ...['LOGNAME', 'MAIL', 'DISPLAY', 'SSH_AUTH_SOCK', 'npm_config_cache', 'XDG_DATA_DIRS', '_'],
    ...[
      'KUBERNETES_PORT',
      'KUBERNETES_SERVICE_HOST',
      'REDIS_PORT',
      'HTTP_PROXY',
      'no_proxy',
      'PS1',
    ],
  ];
  t.strictSame(of(...usual), []);
});
