/** The lines of the README of the TypeScript client, so that they are compiled; a test compares them. */
import { Tidemark } from '../../clients/typescript/src/index.ts';

export async function readme(log: typeof console.log) {
  const console = { log };
  const tidemark = new Tidemark({ url: 'http://127.0.0.1:8080', key: 'tm_live_…' });
  {
    const { data, asOf } = await tidemark.price('BTC');
    console.log(data.average_price, data.exchanges.binance?.price, asOf);
  }
  {
    const asked = { symbol: 'BTC', exchange: 'binance', interval: '1h', limit: 24 } as const;
    const bars = await tidemark.get('/v1/bars', asked);
    console.log(bars.data.bars.at(-1)?.close);
    const token = await tidemark.get('/v2/dex/token/{address}', { address: '0x…' });
    console.log(token.data);
    const text = await tidemark.csv('/v1/bars', asked);
    console.log(text.split('\r\n')[0]);
  }
  {
    const rates = await tidemark.get('/v1/funding-rates', { symbol: 'BTC' });
    console.log(rates.data.median_rate_8h, rates.data.rates.length);
    const largest = await tidemark.get('/v1/funding-rates', { sort: 'annualized', limit: 10 });
    console.log(largest.data.items[0]?.symbol);
  }
  {
    const tokenOf = async (name: string) => `token of ${name}`;
    const account = new Tidemark({ url: 'http://127.0.0.1:8080', bearer: () => tokenOf('alice') });
    const once = { idempotencyKey: 'laptop-1' };
    const made = await account.post('/v1/auth/keys', { name: 'laptop' }, once);
    console.log(made.data.key);
    await account.delete('/v1/auth/keys/{id}', { id: made.data.id });
  }
  {
    const paths = ['/v1/prices?symbol=BTC', '/v1/open-interest?symbol=BTC'];
    const { data } = await tidemark.post('/v1/batch', { paths });
    console.log(data.snapshot_id, data.answers.length);
  }
  {
    const from = Date.now() - 86_400_000;
    const day = { symbol: 'BTC', interval: '1m', limit: 500, from } as const;
    for await (const bar of tidemark.history('/v1/bars', day)) {
      console.log(bar.timestamp, bar.close);
    }
  }
  {
    const signal = AbortSignal.timeout(60_000);
    for await (const { data } of tidemark.subscribe('/v1/status', {}, { every: 1_000, signal })) {
      console.log(Object.keys(data.sources).length);
    }
    const book = { symbol: 'BTC', exchange: 'binance' } as const;
    const changes = { mode: 'patch', signal } as const;
    for await (const { data } of tidemark.subscribe('/v1/orderbook', book, changes)) {
      console.log(data.bids[0]?.price);
    }
    const large = { symbol: 'BTC', min_usd: 100_000 } as const;
    const log = { mode: 'log', signal } as const;
    const liquidations = tidemark.subscribe('/v1/liquidations/orders', large, log);
    for await (const { events, position, recovered } of liquidations) {
      if (recovered === false) console.log('some events are not kept any more');
      console.log(position, events.length, events[0]?.value_usd);
    }
  }
}
