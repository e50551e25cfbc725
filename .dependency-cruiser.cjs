/** The import rule of docs/architecture.md: cmd -> http, actors, indicators -> config; each folder imports only what is listed. */
const only = (from, allowed, comment) => ({
  name: `${from.replace(/\W+/g, '-')}-imports`,
  comment,
  severity: 'error',
  from: { path: `^${from}` },
  to: {
    path: '^(actors|cmd|config|http|indicators|scripts|test)/',
    pathNot: allowed.map((p) => `^${p}`),
  },
});

module.exports = {
  forbidden: [
    only('config/', ['config/'], 'config reads the environment and knows nobody'),
    only('actors/kernel/', ['actors/kernel/'], 'the kernel knows nothing of ours'),
    only(
      'actors/bus/',
      ['actors/bus/', 'actors/kernel/', 'actors/(topics|failure)\\.ts', 'config/'],
      'the bus carries topics',
    ),
    only(
      'actors/upstream/',
      ['actors/upstream/', 'actors/kernel/', 'actors/failure\\.ts', 'config/'],
      'the HTTP client knows no market',
    ),
    only(
      'actors/venues/',
      [
        'actors/venues/',
        'actors/upstream/request\\.ts',
        'actors/(topics|read|failure)\\.ts',
        'config/',
      ],
      'a venue describes; it does not act',
    ),
    only(
      'actors/defi/(types|fold|query)\\.ts',
      ['actors/defi/(types|fold|query)\\.ts'],
      'pure, and shared with the front',
    ),
    only('actors/sources/', ['actors/', 'config/'], 'the machinery that runs the tables'),
    only('actors/desks/', ['actors/', 'config/'], 'the machinery of what no exchange tells'),
    only(
      'actors/market/',
      [
        'actors/(market|upstream|venues|desks|sources|kernel)/',
        'actors/(topics|read|failure|median)\\.ts',
        'config/',
      ],
      'indicators of the whole market',
    ),
    only(
      'actors/(chains|defi|wallet)/',
      [
        'actors/(chains|defi|wallet|market|upstream|venues|desks|sources|kernel|bus)/',
        'actors/(topics|read|failure)\\.ts',
        'config/',
      ],
      'what is on chains',
    ),
    only('indicators/', ['indicators/'], 'plain functions and their threads: no IO, no Redis'),
    only(
      'actors/compute/',
      [
        'actors/(compute|bus|kernel)/',
        'actors/venues/candles\\.ts',
        'actors/(topics|failure)\\.ts',
        'indicators/',
      ],
      'computes from candles that others fetch',
    ),
    only(
      'http/',
      [
        'http/',
        'actors/(topics|failure|median)\\.ts',
        'actors/defi/(types|fold|query)\\.ts',
        'actors/bus/',
        'actors/kernel/clock\\.ts',
        'indicators/(catalogue|spec|job|job-columns|job-entries)\\.ts',
        'config/',
      ],
      'the front sees topics and the bus, nothing else of actors',
    ),
    only(
      'cmd/',
      ['cmd/', 'http/', 'actors/', 'indicators/', 'config/', 'scripts/simulator/'],
      'processes wire the rest',
    ),
    {
      name: 'uws-in-one-place',
      comment: 'only the adapter touches uWebSockets.js',
      severity: 'error',
      from: { path: '^(actors|cmd|config|http)/', pathNot: '^http/(server\\.ts$|wire/)' },
      to: { path: 'uWebSockets' },
    },
    {
      name: 'no-circular',
      severity: 'error',
      from: {},
      to: { circular: true, dependencyTypesNot: ['type-only'] },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      extensions: ['.ts', '.mjs', '.js'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
    },
  },
};
