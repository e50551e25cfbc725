/** Names of the schemas and operations in the description of the API. */
import t from 'tap';
import * as s from '../../../actors/topics/schema.ts';
import { openapiDocument } from '../../../http/openapi/openapi.ts';
import { echo } from '../../support/http.ts';

t.test('objects in answers are named schemas, each once', async (t) => {
  const coverage = s.object({ from: s.unixMs() });
  const page = s.object({ coverage, points: s.list(s.object({ value: s.number() })) });
  const named = s.named('PriceOfSymbol', s.object({ price: s.number() }));
  const { components, paths } = openapiDocument(
    [
      echo({ path: '/v1/spot/flows', answer: page }),
      echo({ path: '/v1/futures/flows', answer: page }),
      echo({ path: '/v2/prices', answer: s.either(named, s.mapOf(s.number(), 'symbol')) }),
    ],
    { version: '1', examples: { getV1SpotFlows: { status: 'ok' } } },
  );
  t.same(Object.keys(components.schemas), [
    ...['ErrorAnswer', 'ErrorCode', 'Flows', 'FlowsCoverage', 'FlowsPoint', 'PriceOfSymbol'],
  ]);
  t.match(components.schemas.Flows, {
    properties: { points: { items: { $ref: '#/components/schemas/FlowsPoint' } } },
  });
  t.match(paths['/v1/spot/flows']?.get?.responses, {
    200: { content: { 'application/json': { example: { status: 'ok' } } } },
  });
});

t.test('what an object is for stands beside the reference to it', async (t) => {
  const contract = (about: string) => s.object({ rate: s.number() }, about);
  const pair = s.object({ long: contract('To be bought.'), short: contract('To be sold.') });
  const { components } = openapiDocument([echo({ path: '/v1/pairs', answer: pair })], {
    version: '1',
  });
  const $ref = '#/components/schemas/PairsLong';
  t.strictSame(Object(components.schemas.Pairs).properties, {
    long: { $ref, description: 'To be bought.' },
    short: { $ref, description: 'To be sold.' },
  });
  t.notOk('description' in Object(components.schemas.PairsLong));
});

t.test('the parts of a schema with a name of its own are named by it', async (t) => {
  const of = (name: string) => s.object({ [name]: s.number() });
  const one = s.named('RateOfSymbol', s.object({ best: of('a'), rates: s.list(of('b')) }));
  const page = s.named('RatePage', s.object({ rates: s.list(of('c')) }));
  const rows = [
    echo({ path: '/v1/rates', answer: s.either(one, page) }),
    echo({ path: '/v1/bars', answer: s.object({ bars: s.list(of('open')) }) }),
  ];
  const { components } = openapiDocument(rows, { version: '1' });
  t.strictSame(Object.keys(components.schemas).slice(2), [
    ...['Bar', 'Bars', 'RateOfSymbol', 'RateOfSymbolBest', 'RateOfSymbolRate'],
    ...['RatePage', 'RatePageRate'],
  ]);
});

t.test('names of schemas and operations', async (t) => {
  const of = (name: string) => s.object({ [name]: s.number() });
  const lists = ['entries', 'boxes', 'classes', 'branches', 'gas', 'status', 'pools', 'sub_pools'];
  const parts = lists.map((name) => [name, s.list(of(`in_${name}`))] as const);
  const maps = s.object({ rates: s.mapOf(of('rate'), 'symbol'), item: s.list(of('of_item')) });
  const titled = s.named('Titled', of('titled'));
  const rows = [
    echo({ path: '/', answer: of('root') }),
    echo({ path: '/v1/lists', answer: s.object(Object.fromEntries(parts)) }),
    echo({ path: '/v2/lists', answer: s.either(of('a'), s.either(of('b'), s.orNull(of('c')))) }),
    echo({ path: '/v1/maps', answer: maps }),
    echo({ path: '/v1/spot/{symbol}/maps', answer: s.object({ x: titled, y: s.orNull(of('y')) }) }),
    echo({ path: '/v1/futures/same', answer: s.object({ v1: of('one'), rate: of('two') }) }),
    echo({ path: '/v1/other/same', answer: s.object({ v1: of('one'), rate: of('two') }) }),
    echo({ path: '/v1/sides', answer: s.object({ left: of('side') }) }),
    echo({ path: '/v1/wings', answer: s.object({ right: of('side') }) }),
    echo({ path: '/v3/twice', answer: of('v3') }),
    echo({ path: '/v1/twice-v3', answer: of('other') }),
    echo({ path: '/v1/twice/v3', answer: of('third') }),
    echo({ method: 'DELETE', path: '/v1/keys/{id}', answer: of('gone') }),
  ];
  const { components, paths } = openapiDocument(rows, { version: '1' });
  const operations = Object.values(paths).flatMap((item) => Object.values(item));
  t.strictSame(
    operations.map(({ operationId }) => operationId),
    [
      'getRoot',
      'getV1Lists',
      'getV2Lists',
      'getV1Maps',
      'getV1SpotBySymbolMaps',
      'getV1FuturesSame',
      'getV1OtherSame',
      'getV1Sides',
      'getV1Wings',
      'getV3Twice',
      'getV1TwiceV3',
      'getV1TwiceV3',
      'deleteV1KeysById',
    ],
  );
  // Each schema by its first field: items have the singular of their list, and a number where two would have one name.
  const names = Object.entries(components.schemas)
    .slice(2)
    .map(([name, one]) => {
      const [field] = Object.keys(Object(one).properties);
      return `${name} ${field}`;
    });
  t.strictSame(names, [
    'DeleteKeysById gone',
    'Lists entries',
    'ListsBox in_boxes',
    'ListsBranch in_branches',
    'ListsClass in_classes',
    'ListsEntry in_entries',
    'ListsGasItem in_gas',
    'ListsPool in_pools',
    'ListsStatu in_status',
    'ListsSubPool in_sub_pools',
    'ListsV21 a',
    'ListsV221 b',
    'ListsV222 c',
    'Maps rates',
    'MapsItemItem of_item',
    'MapsRate rate',
    'Root root',
    'Same v1',
    'SameRate two',
    'SameV1 one',
    'Sides left',
    'SidesLeft side',
    'SpotBySymbolMaps x',
    'SpotBySymbolMapsY y',
    'Titled titled',
    'TwiceV3 v3',
    'TwiceV32 other',
    'TwiceV33 third',
    'Wings right',
  ]);
  // What is equal is one schema, whatever its field is called.
  const side = { $ref: '#/components/schemas/SidesLeft' };
  t.match(components.schemas, {
    Sides: { properties: { left: side } },
    Wings: { properties: { right: side } },
    SpotBySymbolMaps: { properties: { x: { $ref: '#/components/schemas/Titled' } } },
  });
});
