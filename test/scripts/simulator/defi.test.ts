/** The simulated DeFi sources, read back by the upstreams that they stand in for. */
import t, { type Test } from 'tap';
import { defillama } from '../../../actors/providers/defillama/index.ts';
import { dexscreener } from '../../../actors/providers/dexscreener.ts';
import { geckoterminal } from '../../../actors/providers/geckoterminal.ts';
import { lendingProtocols, missingProtocols } from '../../../actors/providers/lending-protocols.ts';
import { orca } from '../../../actors/providers/orca.ts';
import { raydium } from '../../../actors/providers/raydium.ts';
import type { Apis, Poll } from '../../../actors/sources/define.ts';
import { listLimits } from '../../../actors/topics/defi-lists.ts';
import type { UpstreamRequest } from '../../../actors/upstream/request.ts';
import { lendingMarkets } from '../../../scripts/simulator/defi/llama.ts';
import { defi } from '../../../scripts/simulator/defi/registry.ts';
import { Model } from '../../../scripts/simulator/model.ts';
import type { Ask } from '../../../scripts/simulator/venue.ts';
import { FakeClock } from '../../support/clock.ts';

const now = Date.UTC(2026, 7, 14, 13, 37, 21);
const model = new Model({ seed: 3, symbols: 12, clock: new FakeClock(now), venues: defi });

/** What the simulator answers at a URL. */
function answer(url: URL): unknown {
  const venue = defi.find(({ hosts }) => hosts.includes(url.host));
  const route = venue?.route(url.pathname);
  if (!route) throw new Error(`nothing at ${url}`);
  const ask: Ask = {
    method: 'GET',
    path: url.pathname,
    query: url.searchParams,
    body: '',
    now: model.now(),
    model,
  };
  // Over the wire and back: what JSON cannot hold would be seen.
  return JSON.parse(JSON.stringify(route.answer(ask)));
}

function urlOf({ apis }: { apis: Apis }, request: UpstreamRequest): URL {
  const url = new URL(`${apis[request.api]?.hosts[0]}${request.path}`);
  for (const [key, value] of Object.entries(request.query ?? {})) {
    url.searchParams.set(key, String(value));
  }
  return url;
}

/** A poll's rows; none may be dropped. */
function rowsOf<Row>(t: Test, [upstream, poll]: readonly [{ apis: Apis }, Poll<Row>]): Row[] {
  const bodies = poll.requests({ now }).map((one) => answer(urlOf(upstream, one)));
  const { rows, dropped } = poll.parse(bodies, { received: now, plan: { now } });
  t.strictSame(dropped, [], 'nothing is dropped');
  return rows;
}

t.test('every poll is read back, in full', async (t) => {
  const gecko = rowsOf(t, [geckoterminal, geckoterminal.polls.uniswapPools]);
  t.equal(gecko.length, listLimits.uniswap);
  const evm = rowsOf(t, [defillama, defillama.polls.uniswapPools]);
  t.equal(evm.length, 200);
  t.equal(new Set(evm.map((row) => row.pool_id)).size, 200, 'contracts of their own');
  for (const poll of [raydium.polls.pools, raydium.polls.poolsV2]) {
    t.equal(rowsOf(t, [raydium, poll]).length, 200, 'Raydium');
  }
  for (const poll of [orca.polls.pools, orca.polls.poolsV1]) {
    const rows = rowsOf(t, [orca, poll]);
    t.equal(rows.length, 600);
    t.ok(
      rows.every((row) => (row.symbol_a?.length ?? 0) <= 128),
      'names of 10,000 characters are cut',
    );
  }
  const coins = rowsOf(t, [defillama, defillama.polls.circulating]);
  t.ok(coins.length >= 50, `${coins.length} stablecoins`);
  t.ok(coins.some((coin) => coin.peg_type === 'peggedEUR'));
  const protocols = rowsOf(t, [defillama, defillama.polls.lendingTvl]);
  t.equal(protocols.length, lendingProtocols.length);
});

t.test('lending: every market once, at both hosts', async (t) => {
  const rows = rowsOf(t, [defillama, defillama.polls.lending]);
  t.equal(rows.length, lendingMarkets);
  t.strictSame(missingProtocols(rows), []);
  t.ok(rows.every(({ utilization }) => utilization >= 0 && utilization <= 1));
  t.ok(rows.some((row) => row.reward_apy !== null));
  t.strictSame(rowsOf(t, [defillama, defillama.polls.originLending]), rows);
});

t.test('pairs are found by symbol, by words and by address', async (t) => {
  const { search, token } = dexscreener.queries;
  const found = (q: string) => search.parse(answer(urlOf(dexscreener, search.request(q))), q);
  t.ok(found('PEPE').rows.length >= 1);
  t.ok(found('weth usdc').rows.length >= 1);
  t.strictSame(found('nothing of this name'), { rows: [], dropped: [] });
  const pepe = '0x6982508145454ce325ddbe47a25d4ec3d2311933';
  const of = (address: string) =>
    token.parse(answer(urlOf(dexscreener, token.request(address))), address).rows;
  t.ok(of(pepe).length >= 1);
  t.ok(of(pepe).length <= 30, 'no more than the source gives');
  t.strictSame(of(`0x${'9'.repeat(40)}`), [], 'an unknown token has no pairs');
  const second = geckoterminal.queries.search;
  const other = second.parse(answer(urlOf(geckoterminal, second.request('pepe'))), 'pepe');
  t.ok(other.rows.length >= 1);
});
