/** Parsing every venue's bulk prices against JSON.parse alone, on bodies of the simulator with 2,000 coins. */

import type { InstrumentMap } from '../../actors/sources/define.ts';
import type { MarketPoll, Venue } from '../../actors/sources/venue.ts';
import type { UpstreamRequest } from '../../actors/upstream/request.ts';
import { venues } from '../../actors/venues/registry.ts';
import { startSimulator } from '../simulator/main.ts';
import { median, printTable } from './report.ts';

const coins = 2_000;
const rounds = 11;
/** Smaller bodies say little. */
const fewestRows = 100;

const time = (work: () => unknown): number => {
  work();
  const from = performance.now();
  work();
  return performance.now() - from;
};

/** The text of each answer, in the order of the requests. */
export function ask(venue: Venue, gateway: string, requests: readonly UpstreamRequest[]) {
  return Promise.all(
    requests.map(async ({ api, path, query, method = 'GET', body }) => {
      const host = venue.apis[api]?.hosts[0] ?? '';
      const url = new URL(`${gateway}/${host.replace(/^https?:\/\//, '')}${path}`);
      for (const [name, value] of Object.entries(query ?? {}))
        url.searchParams.set(name, String(value));
      const sent =
        body === undefined
          ? {}
          : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
      return (await fetch(url, { method, ...sent })).text();
    }),
  );
}

async function benchPart(venue: Venue, part: string, group: MarketPoll<'prices'>, gateway: string) {
  const now = Date.now();
  const parse = (texts: string[]) => texts.map((text): unknown => JSON.parse(text));
  const listing = venue.feeds.instruments.parts[part];
  const lists = listing ? await ask(venue, gateway, listing.requests({ markets: [], now })) : [];
  const none: InstrumentMap = new Map();
  const list = listing?.parse(parse(lists), { received: now, instruments: none });
  const listed = list?.instruments.rows ?? [];
  const instruments = new Map(listed.map((row) => [row.market, row]));
  const texts = await ask(venue, gateway, group.requests({ markets: [], now }));
  const ours = () => group.parse(parse(texts), { received: now, instruments });
  const rows = ours().prices.rows.length;
  if (rows < fewestRows) return [];
  const samples = Array.from({ length: rounds }, () => [time(() => parse(texts)), time(ours)]);
  const json = median(samples.map(([alone = 1]) => alone));
  const ratio = median(samples.map(([alone = 1, own = 1]) => own / alone));
  const size = texts.reduce((sum, text) => sum + text.length, 0);
  return [[`${venue.id} ${part}`, String(rows), String(Math.round(size / 1024)), json, ratio]];
}

/** Prints the ratio of each venue and part whose prices come in bulk. */
export async function benchVenues(): Promise<void> {
  const simulator = await startSimulator({ symbols: coins });
  const rows: (string | number)[][] = [];
  try {
    for (const venue of Object.values<Venue>(venues)) {
      for (const [part, group] of Object.entries(venue.feeds.prices.parts)) {
        if (!group.rotates) rows.push(...(await benchPart(venue, part, group, simulator.url)));
      }
    }
  } finally {
    await simulator.close();
  }
  printTable(`Prices of every venue, ${coins} coins (median of ${rounds})`, [
    ['', 'rows', 'KB', 'JSON.parse ms', 'with ours, to it'],
    ...rows,
  ]);
}
