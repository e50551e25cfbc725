import { setTimeout as rest } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { percentile } from '../../bench/report.ts';
import type { Attack, Target, Verdict } from './target.ts';

/** 20 rules, as many as the plan free allows, on every price of an asset each, with five receivers that are not there. */
const rules = 20;
const dead = Array.from({ length: 5 }, (_, i) => ({
  type: 'webhook',
  url: `https://dead-${i}.tidemark-attack.example.com/x`,
}));
/** It fires at nearly every change of a price. */
const restless = { type: 'change', percent: 0.001, within: 60 } as const;
/** How long the first event may take to come, and how long it is looked at without and with the flood, ms. */
const lasting = { begin: 60_000, before: 10_000, during: 20_000 } as const;
const most = { entries: 5_100, bytes: 24 * 2 ** 20, delay: { least: 1_500, factor: 5 } } as const;
const assets = ['BTC', 'ETH', 'SOL', 'XRP', 'DOGE', 'BNB'];
const shards = Array.from({ length: 8 }, (_, shard) => `alerts:queue:${shard}`);

interface Fired {
  id: string;
  data_time: number | null;
}

/** The newest events of the account. */
const fired = async (target: Target, limit: number): Promise<readonly Fired[]> =>
  (await target.read<{ events: Fired[] }>(`/v1/alerts/events?limit=${limit}`))?.events ?? [];

/** How long events of an account take from the data to a request that reads them, ms: the 95th percentile; null without any. */
async function delay(target: Target, lasts: number): Promise<number | null> {
  const seen = new Set<string>();
  const times: number[] = [];
  const began = Date.now();
  while (Date.now() - began < lasts) {
    for (const { id, data_time } of await fired(target, 50)) {
      if (!seen.has(id) && data_time !== null && data_time > began)
        times.push(Date.now() - data_time);
      seen.add(id);
    }
    await rest(100);
  }
  return times.length === 0 ? null : percentile(times, 0.95);
}

async function stored(redis: Redis) {
  const lengths = await Promise.all(shards.map((queue) => redis.xlen(queue)));
  const memory = /used_memory:(\d+)/.exec(await redis.info('memory'))?.[1];
  return { entries: lengths.reduce((sum, one) => sum + one, 0), bytes: Number(memory) };
}

const ruleOf = (symbol: string, deliver: readonly object[]) => ({
  name: 'attack',
  path: `/v1/prices?symbol=${symbol}`,
  pointer: '/exchanges/*/price',
  condition: restless,
  deliver,
});

/** Makes something, with the key unless there are other headers. Rejects where it is refused. */
async function make(target: Target, path: string, body: object, headers = target.own) {
  const call = { method: 'POST', headers, body } as const;
  const { data, status, message } = await target.call<{ id: string; key: string }>(path, call);
  if (!data) throw new Error(`${path}: ${status} ${message}`);
  return data;
}

async function flood(target: Target, redis: Redis): Promise<Verdict> {
  const { key, id: keyId } = await make(target, '/v1/auth/keys', { name: 'attack' }, target.bearer);
  const hostile = { 'x-api-key': key };
  const watch = await make(target, '/v1/alerts', ruleOf('BTC', []));
  const end = (path: string, headers = target.own) =>
    target.call(path, { method: 'DELETE', headers });
  const made: string[] = [];
  try {
    for (const last = Date.now() + lasting.begin; Date.now() < last; await rest(500)) {
      if ((await fired(target, 1)).length > 0) break;
    }
    const before = await delay(target, lasting.before);
    if (before === null)
      throw new Error('no event comes in time without a flood; is the machine busy?');
    const start = await stored(redis);
    for (let i = 0; i < rules; i++) {
      const rule = ruleOf(assets[i % assets.length] ?? 'BTC', dead);
      made.push((await make(target, '/v1/alerts', rule, hostile)).id);
    }
    const during = await delay(target, lasting.during);
    const full = await stored(redis);
    await Promise.all(made.splice(0).map((id) => end(`/v1/alerts/${id}`, hostile)));
    await rest(1_000);
    const left = await stored(redis);
    const bytes = full.bytes - start.bytes;
    const slowest = Math.max(most.delay.least, before * most.delay.factor);
    return {
      measured: `${full.entries} entries, ${(bytes / 2 ** 20).toFixed(1)} MB more; p95 of another account ${before} ms before, ${during} ms during; ${left.entries} entries once the rules are deleted`,
      bound: `${most.entries} entries, ${most.bytes / 2 ** 20} MB, ${slowest} ms, ${start.entries} entries`,
      // Without entries the attack has had no effect.
      ok:
        full.entries > start.entries &&
        full.entries <= most.entries &&
        bytes <= most.bytes &&
        during !== null &&
        during <= slowest &&
        left.entries <= start.entries,
    };
  } finally {
    await Promise.all(made.map((id) => end(`/v1/alerts/${id}`, hostile)));
    await end(`/v1/alerts/${watch.id}`);
    await end(`/v1/auth/keys/${keyId}`, target.bearer);
  }
}

/** What that takes of Redis, and of another account. */
export const receivers: Attack = {
  what: 'alerts of one account that fire all the time at dead receivers',
  needs: ['token', 'redis'],
  async run(target) {
    await target.quota();
    const redis = new Redis(target.redis.replace(/^unix:\/\//, ''));
    try {
      return await flood(target, redis);
    } finally {
      redis.disconnect();
    }
  },
};
