/** What one account, or one address without a key, takes: its own share, and nothing of another's. */
import { once } from 'node:events';
import net from 'node:net';
import { setTimeout as rest } from 'node:timers/promises';
import { slow, slowest } from './clients.ts';
import type { Attack, Target } from './target.ts';

/** Attackers have another address than those whom they would hurt. */
const attacker = '127.0.0.2';

const rule = (name: string) => ({
  name,
  path: '/v1/prices?symbol=BTC',
  pointer: '/average_price',
  condition: { type: 'above', value: 1 },
  deliver: [],
});

/** An account makes rules until it is refused; a rule of another account is made and evaluated. */
export const rules: Attack = {
  what: 'an account makes all the rules that it may',
  needs: ['token'],
  async run(target) {
    await target.quota();
    const made = await target.call<{ id: string; key: string }>('/v1/auth/keys', {
      method: 'POST',
      headers: target.bearer,
      body: { name: 'attack' },
    });
    const headers = { 'x-api-key': made.data?.key ?? '' };
    const ids: string[] = [];
    let refused = 0;
    for (let i = 0; i < 60 && refused === 0; i++) {
      const call = { method: 'POST', headers, body: rule(`attack ${i}`) } as const;
      const { data, status } = await target.call<{ id: string }>('/v1/alerts', call);
      if (data) ids.push(data.id);
      else refused = status;
    }
    const body = rule('other');
    const own = await target.call<{ id: string }>('/v1/alerts', { method: 'POST', body });
    await rest(5_000);
    const path = `/v1/alerts/${own.data?.id}`;
    const status = (await target.read<{ status?: string }>(path))?.status;
    await target.call(path, { method: 'DELETE' });
    for (const id of ids) await target.call(`/v1/alerts/${id}`, { method: 'DELETE', headers });
    const key = `/v1/auth/keys/${made.data?.id}`;
    await target.call(key, { method: 'DELETE', headers: target.bearer });
    return {
      measured: `${ids.length} rules, then ${refused}; the rule of another is ${status}`,
      bound: 'refused with 403, and the other is active',
      ok: refused === 403 && status === 'active',
    };
  },
};

/** Spellings of one path. */
const spellings = ['symbol=*', 'symbol=*&', '&symbol=*', 'symbol=%2A', 'symbol=%2a', 's%79mbol=*'];

/** One pattern in many spellings counts once: its followers get the same, and the account has room for other patterns. */
export const spelled: Attack = {
  what: 'a client follows one pattern in 60 spellings',
  async run(target) {
    const paths = Array.from(
      { length: 60 },
      (_, i) =>
        `/v1/funding-rates?${spellings[i % spellings.length]}${'&'.repeat(i / spellings.length)}`,
    );
    const clients = await Promise.all([target.follow(paths), target.follow(paths)]);
    await rest(3_000);
    const other = await target.follow(['/v1/prices?symbol=*']);
    await rest(3_000);
    const during = await slow(target);
    const { count } = other;
    for (const client of [...clients, other]) client.close();
    const most = await slowest(target);
    return {
      measured: `another pattern has ${count} messages; p95 of others ${during.toFixed(1)} ms`,
      bound: `more than one; ${most.toFixed(1)} ms`,
      ok: count > 1 && during <= most,
    };
  },
};

/** A connection of the attacker that has sent these bytes. */
async function send(target: Target, bytes: string): Promise<net.Socket> {
  const socket = net.connect({
    port: Number(target.url.port),
    host: '127.0.0.1',
    localAddress: attacker,
  });
  socket.on('error', () => {});
  await once(socket, 'connect');
  socket.write(bytes);
  return socket;
}

const all = (target: Target, count: number, bytes: string) =>
  Promise.all(Array.from({ length: count }, () => send(target, bytes)));

/** Readers of event streams that read nothing: they are ended, and what waits for them takes no time of others. */
export const readers: Attack = {
  what: '600 readers of streams stop reading, two minutes',
  async run(target) {
    const head = `GET /v1/stream?path=/v1/prices HTTP/1.1\r\nhost: a\r\nx-api-key: ${target.key}\r\n\r\n`;
    const sockets = await all(target, 600, head);
    for (const socket of sockets) socket.pause();
    const during = await slow(target);
    await rest(75_000);
    // A client that reads nothing does not see the end either; a connection whose stream has ended closes after ten idle seconds.
    for (const socket of sockets) socket.resume();
    await rest(15_000);
    const left = sockets.filter(({ closed }) => !closed).length;
    for (const socket of sockets) socket.destroy();
    const most = await slowest(target);
    return {
      measured: `${left} of 600 still open; p95 of others ${during.toFixed(1)} ms`,
      bound: `0; ${most.toFixed(1)} ms`,
      ok: left === 0 && during <= most,
    };
  },
};

/** Uploads without a key whose body comes a byte a second: a body of an account does not wait behind them. */
export const uploads: Attack = {
  what: '130 uploads without a key trickle',
  async run(target) {
    const head = `POST /v1/indicators/compute HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: 100000\r\n\r\n{`;
    const sockets = await all(target, 130, head);
    const drip = setInterval(() => {
      for (const socket of sockets) if (socket.writable) socket.write(' ');
    }, 1_000);
    await rest(1_000);
    const body = { paths: ['/v1/prices?symbol=BTC'] };
    const statuses = new Set<number>();
    let longest = 0;
    for (let i = 0; i < 50; i++) {
      const began = performance.now();
      statuses.add((await target.call('/v1/batch', { method: 'POST', body })).status);
      longest = Math.max(longest, performance.now() - began);
    }
    clearInterval(drip);
    for (const socket of sockets) socket.destroy();
    return {
      measured: `bodies of an account: ${[...statuses].join(', ')}, ${longest.toFixed(0)} ms at most`,
      bound: '200; 1000 ms',
      ok: [...statuses].join() === '200' && longest <= 1_000,
    };
  },
};

/** Requests by links of one account, which has a quota: links add none to it. */
export const links: Attack = {
  what: 'an account of the plan free reads by five links',
  needs: ['token'],
  async run(target) {
    const { bearer: headers } = target;
    const path = '/v1/prices?symbol=BTC';
    const made = await Promise.all(
      Array.from({ length: 5 }, (_, i) =>
        target.call<{ id: string; key: string }>('/v1/auth/keys', {
          method: 'POST',
          headers,
          body: { name: `attack ${i}`, kind: 'link', paths: [path] },
        }),
      ),
    );
    const keys = made.flatMap(({ data }) => data ?? []);
    const me = await target.call<{ rate_limit: number }>('/v1/auth/me', { headers });
    const limit = me.data?.rate_limit ?? 0;
    let answered = 0;
    const end = performance.now() + 20_000;
    for (let i = 0; i < 3 * limit && performance.now() < end; i++) {
      const url = new URL(`${path}&link=${keys[i % keys.length]?.key}`, target.url);
      if ((await fetch(url)).status === 200) answered += 1;
    }
    for (const { id } of keys)
      await target.call(`/v1/auth/keys/${id}`, { method: 'DELETE', headers });
    return {
      measured: `${answered} answers by ${keys.length} links in 20 s`,
      bound: `${limit}, the quota of the account`,
      ok: keys.length > 1 && limit > 0 && answered <= limit,
    };
  },
};
