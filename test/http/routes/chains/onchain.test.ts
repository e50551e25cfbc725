import { Ajv2020 } from 'ajv/dist/2020.js';
import t from 'tap';
import { failed, type Result, success } from '../../../../actors/failure.ts';
import type { WalletReply } from '../../../../actors/topics/index.ts';
import type { Route } from '../../../../http/endpoints/route.ts';
import { createCheck } from '../../../../http/endpoints/validate.ts';
import { openapiDocument } from '../../../../http/openapi/openapi.ts';
import { onchainRoutes } from '../../../../http/routes/onchain.ts';
import { OnchainView } from '../../../../http/views/chains.ts';
import { errorBody, errors, isApiError } from '../../../../http/wire/errors.ts';
import { FakeClock } from '../../../support/clock.ts';
import { askRow, fresh, frontQueries, queryBus } from '../../../support/queries.ts';

const now = 1_700_000_000_000;
const ajv = new Ajv2020({ strict: false });
const address = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045';

function world(reply: Result<WalletReply> = failed('timeout', 'late')) {
  const onchain = new OnchainView();
  const requests: unknown[] = [];
  const clock = new FakeClock(now);
  const bus = queryBus(({ params }) => {
    requests.push(params);
    return reply.ok ? fresh(reply.value, clock) : reply;
  });
  const rows = onchainRoutes({ onchain });
  const queries = frontQueries(bus, clock);
  const answerOf = async (row: Route, query: string) => {
    const checked = createCheck(row)(query, []);
    if (isApiError(checked)) return checked;
    if ('view' in row.from) return row.from.view(checked.values);
    return askRow(row, checked.values, queries);
  };
  const ask = async (name: string, query = '') => {
    const row = rows.find(({ path }) => path === `/v1/onchain/${name}`);
    if (!row) throw new Error(`no row ${name}`);
    const found = await answerOf(row, query);
    const [status, text] = isApiError(found)
      ? [errors[found.error].status, errorBody(found, now)]
      : [200, found.at(now).toString()];
    return { status, body: JSON.parse(text) };
  };
  return { onchain, rows, ask, requests };
}

t.test('before any chain has answered the lists are warming up', async (t) => {
  const { ask } = world();
  for (const name of ['gas', 'blocks', 'supply', 'exchange-flows'])
    t.equal((await ask(name)).status, 503, name);
});

t.test(
  'the token is taken in any case; anything else is refused with the words allowed',
  async (t) => {
    const { ask, onchain } = world();
    const row = { token: 'USDC', chain: 'ethereum', total_supply: 1, updated_at: now } as const;
    const chain = {
      chain: 'ethereum',
      block: 1,
      gas_gwei: 1,
      updated_at: now,
      grown_at: now,
    } as const;
    const state = { chain, supplies: [row, { ...row, token: 'USDT' as const }], wallets: [] };
    onchain.accept('ethereum', { ...state, stuck: false, received: now }, now);
    for (const token of ['USDC', 'usdc', 'uSdC']) {
      const { status, body } = await ask('supply', `token=${token}`);
      t.equal(status, 200);
      t.match(body.data, [{ token: 'USDC' }]);
      t.equal(body.data.length, 1);
    }
    t.equal((await ask('supply')).body.data.length, 2);
    const base = { ...state, chain: { ...chain, chain: 'base' as const }, supplies: [] };
    onchain.accept('base', { ...base, stuck: false, received: now }, now);
    for (const [query, chains] of [
      ['', ['ethereum', 'base']],
      ['chain=BASE', ['base']],
    ] as const)
      for (const name of ['gas', 'blocks']) {
        const { data } = (await ask(name, query)).body;
        t.strictSame(
          data.map((one: { chain: string }) => one.chain),
          chains,
          `${name}?${query}`,
        );
      }
    t.equal((await ask('supply', 'chain=base')).body.data?.length ?? 0, 0);
    for (const query of ['token=DAI', 'token=', 'token=USDC&token=USDT'])
      t.equal((await ask('supply', query)).status, 400, query);
    t.match((await ask('supply', 'token=DAI')).body.message, /token must be one of USDC, USDT/);
  },
);

const portfolio = {
  address,
  chain: 'ethereum',
  total_value_usd: 12,
  tokens: [{ token: 'ETH', chain: 'ethereum', balance: 0.004, price_usd: 3_000, value_usd: 12 }],
};

t.test('a wallet is answered as the actors answer, and says what is missing', async (t) => {
  const good = { portfolio, message: null, partial: null, received: now };
  const { ask, requests } = world(success(good));
  const { status, body } = await ask('wallet', `address=${address}`);
  t.equal(status, 200);
  t.same(body.data, portfolio);
  t.same(requests, [{ address, chain: 'ethereum' }]);
  const part = world(success({ ...good, partial: 'prices: late' }));
  t.equal((await part.ask('wallet', `address=${address}`)).body.data.partial, 'prices: late');
});

t.test('every failure is a 200 with status error and an empty portfolio', async (t) => {
  const empty = { address, chain: 'dogechain', total_value_usd: 0, tokens: [] };
  const refused = { portfolio: empty, message: 'chain must be one of', partial: null, received: 1 };
  const { ask, rows } = world(success(refused));
  const { status, body } = await ask('wallet', `address=${address}&chain=dogechain`);
  t.equal(status, 200);
  t.match(body, { status: 'error', message: 'chain must be one of', data: empty });
  const late = world(failed('timeout', 'no source answered'));
  t.match(await late.ask('wallet', `address=${address}&chain=base`), {
    status: 200,
    body: { status: 'error', data: { address, chain: 'base', total_value_usd: 0, tokens: [] } },
  });
  const missing = await world(success(refused)).ask('wallet');
  t.equal(missing.status, 200, 'an address that is missing is a failure like others');
  const document = openapiDocument(rows, { version: '0' });
  const operation = document.paths['/v1/onchain/wallet']?.get;
  const ok = operation?.responses[200] as { content: Record<string, { schema: object }> };
  const validate = ajv.compile({
    ...ok.content['application/json']?.schema,
    components: document.components,
  });
  t.ok(validate(body), ajv.errorsText(validate.errors));
  t.match(operation?.parameters, [
    { name: 'address', required: true },
    { name: 'chain', schema: { default: 'ethereum', enum: [] } },
  ]);
});

t.test('too many wallets at once are refused with 503', async (t) => {
  const { ask } = world(failed('over_budget', 'too many'));
  t.equal((await ask('wallet', `address=${address}`)).status, 503);
});
