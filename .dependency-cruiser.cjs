/** The import rule of docs/architecture.md: processes -> http, actors, indicators -> config; each folder imports only what is listed. */
const only = (from, allowed, comment) => ({
  name: `${from.replace(/\W+/g, '-')}-imports`,
  comment,
  severity: 'error',
  from: { path: `^${from}` },
  to: {
    path: '^(actors|alerts|cmd|config|http|indicators|scripts|test)/',
    pathNot: allowed.map((p) => `^${p}`),
  },
});

/** Formulas: pure functions, which actors and views call. */
const maths = 'indicators/((defi|derivatives|market|options|order-book)/|digits\\.ts)';

/** The layers inside actors, from the lowest to the highest: each imports only downwards. */
const actorLayers = [
  '(kernel|topics)',
  '(upstream|bus|queries)',
  'state',
  'sources',
  '(venues|providers|chains|wallet|defi)',
  '(history|market|compute|books|replay)',
];

/** The layers inside http, likewise. */
const httpLayers = [
  'wire',
  '(auth|quota)',
  'answers',
  'views',
  'endpoints',
  '(openapi|pages)',
  'routes',
  'live',
  'alerts',
  'mcp',
  'server',
];

/** The rules by which no layer of a folder knows one above it. */
const downwards = (folder, layers) =>
  layers.slice(0, -1).map((layer, at) => ({
    name: `${folder}-${layer.replace(/\W+/g, '-')}-downwards`,
    comment: `a layer of ${folder} knows none above it`,
    severity: 'error',
    from: { path: `^${folder}/${layer}/` },
    to: { path: layers.slice(at + 1).map((above) => `^${folder}/${above}/`) },
  }));

module.exports = {
  forbidden: [
    ...downwards('actors', actorLayers),
    ...downwards('http', httpLayers),
    {
      name: 'http-has-layers',
      comment: 'each file of http stands in a layer',
      severity: 'error',
      from: {},
      to: { path: '^http/', pathNot: `^http/(${httpLayers.join('|')})/` },
    },
    only('config/', ['config/'], 'config reads the environment and knows nobody'),
    only('actors/kernel/', ['actors/kernel/'], 'the kernel knows nothing of ours'),
    only(
      'actors/bus/',
      ['actors/bus/', 'actors/kernel/', 'actors/topics/', 'actors/(failure|read)\\.ts', 'config/'],
      'the bus carries topics',
    ),
    only(
      'actors/queries/',
      ['actors/(queries|bus|kernel|topics)/', 'actors/failure\\.ts', 'config/'],
      'the one cache of replies, for all who answer or ask on demand',
    ),
    only(
      'actors/state/',
      ['actors/(state|topics)/', maths, 'config/'],
      'the newest readings, and what is read out of them',
    ),
    only(
      'actors/upstream/',
      ['actors/upstream/', 'actors/kernel/', 'actors/(failure|read)\\.ts', 'config/'],
      'the HTTP client knows no market',
    ),
    only(
      'actors/venues/',
      [
        'actors/venues/',
        'actors/sources/(define|venue|queries/(candles|forms|history-query)|streams/stream)\\.ts',
        'actors/upstream/(faults|request)\\.ts',
        'actors/topics/',
        'actors/(read|failure)\\.ts',
        maths,
        'config/',
      ],
      'a venue describes; it does not act',
    ),
    only(
      'actors/topics/',
      ['actors/topics/', 'actors/failure\\.ts', maths, 'config/'],
      'row types stand below all that fills or reads them',
    ),
    only('actors/defi/query\\.ts', [], 'pure, and shared with the front'),
    only('actors/sources/', ['actors/', maths, 'config/'], 'the machinery that runs the tables'),
    only(
      'actors/providers/',
      [
        'actors/(providers|sources|upstream|kernel)/',
        'actors/chains/address\\.ts',
        'actors/venues/(iso|wire)\\.ts',
        'actors/topics/',
        'actors/(read|failure)\\.ts',
        maths,
        'config/',
      ],
      'a data provider describes; it does not act',
    ),
    only(
      'actors/market/',
      [
        'actors/(market|providers|upstream|venues|state|sources|kernel|bus|queries)/',
        'actors/topics/',
        'actors/(read|failure)\\.ts',
        maths,
        'config/',
      ],
      'indicators of the whole market',
    ),
    only(
      'actors/(chains|defi|wallet)/',
      [
        'actors/(chains|defi|wallet|market|providers|upstream|venues|sources|kernel|bus|queries)/',
        'actors/topics/',
        'actors/(read|failure)\\.ts',
        maths,
        'config/',
      ],
      'what is on chains',
    ),
    only(
      'indicators/',
      ['indicators/', 'config/(time|quotes|assets/symbols)\\.ts'],
      'plain functions and their threads: no IO, no Redis',
    ),
    only(
      'actors/compute/',
      [
        'actors/(compute|bus|kernel|queries)/',
        'actors/topics/',
        'actors/failure\\.ts',
        'indicators/',
      ],
      'computes from candles that others fetch',
    ),
    only(
      'actors/history/',
      [
        'actors/(history|state|sources|upstream|kernel|bus|queries)/',
        'actors/topics/',
        'actors/(failure|read)\\.ts',
        maths,
        'config/',
      ],
      'records what the topics carry',
    ),
    only(
      'actors/books/',
      [
        'actors/(books|state|sources|kernel|bus)/',
        'actors/topics/',
        'actors/failure\\.ts',
        maths,
        'config/',
      ],
      'samples what the exchanges answer',
    ),
    only(
      'actors/replay/',
      [
        'actors/(replay|sources|upstream|topics|kernel)/',
        'actors/(failure|read)\\.ts',
        maths,
        'config/',
      ],
      'reads what was recorded by the parsers of the exchanges',
    ),
    only(
      'http/',
      [
        'http/',
        'actors/topics/',
        'actors/failure\\.ts',
        'actors/defi/query\\.ts',
        'actors/(bus|queries)/',
        'actors/kernel/(clock|slots)\\.ts',
        'alerts/(rules|store)/',
        'indicators/(catalogue|digits|spec|words|job|job-columns|job-entries)\\.ts',
        maths,
        'config/',
      ],
      'the front sees topics, the bus and its cache of replies, nothing else of actors',
    ),
    only(
      'alerts/rules/',
      ['alerts/rules/', 'actors/topics/', 'config/(time|values)\\.ts', 'indicators/digits\\.ts'],
      'rules and their conditions are pure',
    ),
    only(
      'alerts/store/',
      ['alerts/(store|rules)/', 'actors/(bus|kernel|topics)/'],
      'alerts in Redis, beside accounts and keys',
    ),
    only(
      'alerts/delivery/',
      [
        'alerts/(delivery|store|rules)/',
        'actors/(bus|kernel|topics)/',
        'actors/upstream/gateway\\.ts',
        'config/time\\.ts',
      ],
      'delivery knows no market',
    ),
    only(
      'cmd/',
      ['cmd/', 'alerts/', 'http/', 'actors/', 'indicators/', 'config/', 'scripts/simulator/'],
      'processes wire the rest',
    ),
    {
      name: 'uws-in-one-place',
      comment: 'only the adapter touches uWebSockets.js',
      severity: 'error',
      from: {
        path: '^(actors|config|http|processes)/',
        pathNot: '^http/(wire|server)/',
      },
      to: { path: 'uWebSockets' },
    },
    {
      name: 'no-circular',
      severity: 'error',
      from: {},
      to: { circular: true },
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
