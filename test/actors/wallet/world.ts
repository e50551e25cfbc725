/** Every upstream of the wallets on one local server behind the gateway, and a service that asks it. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { base58 } from '@scure/base';
import type { Test } from 'tap';
import { ChainReader } from '../../../actors/chains/reader.ts';
import type { Failure, Result } from '../../../actors/failure.ts';
import { blockscout } from '../../../actors/providers/blockscout.ts';
import { defillama } from '../../../actors/providers/defillama/index.ts';
import { dexscreener } from '../../../actors/providers/dexscreener.ts';
import { moralis } from '../../../actors/providers/moralis.ts';
import { QueryCaches } from '../../../actors/queries/query-cache.ts';
import type { WalletReply } from '../../../actors/topics/wallet.ts';
import { createHttpClient, type HttpClient } from '../../../actors/upstream/client.ts';
import {
  createWallets,
  type Wallets,
  type WalletsOptions,
} from '../../../actors/wallet/wallets.ts';
import { type ChainId, chainIds } from '../../../config/chains.ts';
import { FakeClock } from '../../support/clock.ts';
import { type Handler, json } from '../../support/faulty-server.ts';
import { meanwhile as moveOn } from '../../support/meanwhile.ts';
import { answerOf, type Facts, type Token } from './fakes.ts';

export interface World {
  clock: FakeClock;
  facts: Facts;
  /** Requests in the order of their arrival, as `host/path?query`. */
  seen: string[];
  /** Headers of the last request to each host. */
  headers: Map<string, IncomingMessage['headers']>;
  /** Body of a request that a handler got. */
  body(request: IncomingMessage): string;
  /** What was logged. */
  logged: string[];
  /** A host answers this way from now on; undefined makes it well again. */
  on(host: string, handler: Handler | undefined): void;
  wallets(more?: Partial<WalletsOptions>): Wallets;
}

export const evmAddress = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045';
export const solanaAddress = 'A1TMhSGzQxMr1TboBKtgixKz1sS6REASMxPo1qsyTSJd';
export const bitcoinAddress = 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq';

/** Contract number `at` on an EVM chain, in the case that sources write. */
export const contract = (at: number) => `0xAbCd${at.toString(16).padStart(36, '0')}`;
/** Mint number `at` on solana. */
export const mint = (at: number) =>
  base58.encode(
    Uint8Array.from({ length: 32 }, (_, byte) => (byte < 2 ? at >> (8 * byte) : 7) & 255),
  );

/** A token that both sources price at 2 dollars, with a deep pool; one whole coin of it. */
export const token = (at: number, more: Partial<Token> = {}): Token => ({
  contract: contract(at),
  symbol: `T${at}`,
  decimals: 18,
  raw: '1000000000000000000',
  pool: { price: '2', liquidity: 1_000_000 },
  coin: { price: 2 },
  ...more,
});

/** Starts the world; the test's end stops it, its readers and its services. */
export async function world(t: Test, more: Partial<Facts> = {}): Promise<World> {
  const clock = new FakeClock();
  const natives = { ethereum: 2_000, binancecoin: 500, solana: 150, bitcoin: 60_000 };
  const facts: Facts = {
    native: 1_500_000_000_000_000_000n,
    natives: { ...natives, 'polygon-ecosystem-token': 0.5, 'avalanche-2': 20 },
    tokens: [],
    ...more,
  };
  const [seen, logged]: [string[], string[]] = [[], []];
  const own = new Map<string, Handler>();
  const headers: World['headers'] = new Map();
  const bodies = new WeakMap<IncomingMessage, string>();
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const url = (request.url ?? '').slice(1);
    const host = url.split('/')[0] ?? '';
    bodies.set(request, body);
    seen.push(url);
    headers.set(host, request.headers);
    response.on('error', () => {});
    const ask = { host, url: new URL(`http://${url}`), body, now: clock.now() };
    const handler = own.get(host) ?? json(...answerOf(facts, ask));
    handler(request, response);
  };
  const server = createServer((request, response) => void answer(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const gateway = `http://127.0.0.1:${port}`;
  const readers = new Map<ChainId, ChainReader>(
    chainIds.map((chain) => {
      const urls = [`http://node.${chain}.test`];
      return [chain, new ChainReader({ chain, urls, gateway, clock, random: () => 0.5 })];
    }),
  );
  const services: (Wallets | HttpClient)[] = [];
  t.teardown(async () => {
    for (const one of [...services, ...readers.values()]) await one.close();
    server.closeAllConnections();
    server.close();
  });
  const note = (fields: object, text: string) =>
    void logged.push(`${text} ${JSON.stringify(fields)}`);
  return {
    clock,
    facts,
    seen,
    headers,
    body: (request) => bodies.get(request) ?? '',
    logged,
    on: (host, handler) => void (handler ? own.set(host, handler) : own.delete(host)),
    wallets(options = {}) {
      const { blockscoutKey = null, moralisKey = null } = options;
      const upstreams = [dexscreener, defillama, blockscout(blockscoutKey)];
      const keyed = moralisKey === null ? [] : [moralis(moralisKey)];
      const log = { info: note, warn: note };
      const clients = new Map<string, HttpClient>(
        [...upstreams, ...keyed].map(({ id, apis }) => {
          const around = { gateway, clock, random: () => 0.5, log };
          const client = createHttpClient({ source: id, apis, reserved: {}, ...around });
          services.push(client);
          return [id, client];
        }),
      );
      const made = createWallets({
        readers,
        client(id) {
          const client = clients.get(id);
          if (!client) throw new Error(`no client of ${id}`);
          return client;
        },
        clock,
        log,
        blockscoutKey,
        moralisKey,
        leastLiquidity: 1_000,
        atOnce: 4,
        nativePrice: () => undefined,
        cache: new QueryCaches(clock).open('wallets', 'wallet'),
        ...options,
      });
      services.push(made);
      return made;
    },
  };
}

/** The reply to a wallet of a chain; throws where there is none. */
export async function reply(
  { clock }: World,
  wallets: Wallets,
  chain = 'ethereum',
  address = evmAddress,
): Promise<WalletReply> {
  const result = await wallets.answer(
    { address, chain },
    { deadline: clock.now() + 22_000, account: 'a' },
  );
  if (!result.ok) throw new Error(`${result.failure.code}: ${result.failure.message}`);
  return result.value.value;
}

export function refusal(result: Result<unknown>): Failure {
  if (result.ok) throw new Error('a reply where a failure was expected');
  return result.failure;
}

/** How many requests a host got. */
export const asked = ({ seen }: World, host: string) =>
  seen.filter((url) => url.startsWith(host)).length;

export const hang: Handler = () => {};

export const isEmpty = ({ portfolio }: WalletReply) =>
  portfolio.total_value_usd === 0 && portfolio.tokens.length === 0;

/** Moves the clock on, and only while no request arrives, until `work` has settled. */
export const meanwhile = <T>(at: World, work: Promise<T>): Promise<T> =>
  moveOn(at, work, { step: 500, quiet: 30 });
