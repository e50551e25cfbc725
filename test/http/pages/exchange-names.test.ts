/** Exchanges on the pages: the names that they give themselves. */
import t from 'tap';
import type { Venue } from '../../../actors/sources/venue.ts';
import { venues } from '../../../actors/venues/registry.ts';
import { pageRoutes } from '../../../http/pages/page-routes.ts';
import { call, startServer } from '../../support/http.ts';

const exchanges = Object.values<Venue>(venues);

t.test('each exchange is called as it writes itself', async (t) => {
  const { pages } = pageRoutes({ open: true, exchanges, isSimulated: () => false });
  const server = await startServer(t, pages);
  const { text } = await call(`${server.url}/app`);
  const named = /^<html .*data-exchanges='([^']+)'>$/m.exec(text)?.[1];
  Object.assign(globalThis, { document: { documentElement: { dataset: { exchanges: named } } } });
  const { exchangeName, exchangeNames, exchangeWords } = await import(
    new URL('../../../http/pages/app/exchange-names.ts', import.meta.url).href
  );
  for (const { id } of exchanges) {
    const name = exchangeName(id);
    t.match(name, /^[A-Za-z][\w. ]+$/, id);
    t.equal(name.replaceAll(/\W/g, '').toLowerCase().startsWith(id), true, `${name} is ${id}`);
  }
  // As their own sites write them.
  for (const [id, name] of [
    ['binance', 'Binance'],
    ['bingx', 'BingX'],
    ['cryptocom', 'Crypto.com'],
    ['dydx', 'dYdX'],
    ['gate', 'Gate'],
    ['htx', 'HTX'],
    ['kucoin', 'KuCoin'],
    ['mexc', 'MEXC'],
    ['okx', 'OKX'],
    ['whitebit', 'WhiteBIT'],
    ['woo', 'WOO X'],
  ] as const)
    t.equal(exchangeName(id), name);
  t.equal(exchangeNames(['okx', 'gate']), 'OKX, Gate');
  t.equal(exchangeWords('cryptocom'), 'Crypto.com cryptocom', 'a search finds it by both');
  t.equal(exchangeName('coingecko'), 'coingecko', 'what is no exchange of the service');
});
