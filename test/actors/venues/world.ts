/** The simulated venues on a clock that stands still, and venue files that ask them as in production. */
import { once } from 'node:events';
import { failed, type Result, success } from '../../../actors/failure.ts';
import { isRecord } from '../../../actors/read.ts';
import type { InstrumentMap, Parsed } from '../../../actors/sources/define.ts';
import type { MarketRow } from '../../../actors/sources/merge.ts';
import { gather } from '../../../actors/sources/polling/ask.ts';
import { validRows } from '../../../actors/sources/quality/body.ts';
import type { Venue } from '../../../actors/sources/venue.ts';
import { createHttpClient, type HttpClient } from '../../../actors/upstream/client.ts';
import type { Api, UpstreamRequest } from '../../../actors/upstream/request.ts';
import { type FaultKind, Faults } from '../../../scripts/simulator/faults.ts';
import { Requests } from '../../../scripts/simulator/ledger.ts';
import { Model } from '../../../scripts/simulator/model.ts';
import { simulatorServer } from '../../../scripts/simulator/server.ts';
import { SimulatorClock } from '../../../scripts/simulator/simulator-clock.ts';
import type { Refusal, SimulatedVenue } from '../../../scripts/simulator/venue.ts';
import { FakeClock } from '../../support/clock.ts';
import type { FeedPart } from './fixtures.ts';

/** How the upstream misbehaves; `inside200`: every refusal comes with status 200. */
export interface Weather {
  fault?: FaultKind;
  inside200?: boolean;
}

/** What a poll came to, with the bodies that it was read from. */
export interface Polled extends Parsed<MarketRow> {
  bodies: readonly unknown[];
}

interface Door {
  url: string;
  faults: Faults;
  stop(): Promise<void>;
}

const ok = (refusal: Refusal): Refusal => ({ ...refusal, status: 200 });

/** The same venue, refusing inside a 200. */
const polite = (venue: SimulatedVenue): SimulatedVenue => {
  const { rate_limit, ban, server_error } = venue.refusals;
  const refusals = { rate_limit: ok(rate_limit), ban: ok(ban), server_error: ok(server_error) };
  return { ...venue, refusals };
};

/** The API with so wide a budget that nothing waits for the clock. */
const hasty = (api: Api): Api => {
  const wide = { weight: 1e12, per: 1000 };
  const budgets = Object.keys(api.budgets).map((name) => [name, wide]);
  return { ...api, budgets: { default: wide, ...Object.fromEntries(budgets) } };
};

export class World {
  readonly model: Model;
  /** Where time stands, Unix ms. */
  readonly now: number;
  readonly #clock: FakeClock;
  readonly #clients = new Map<string, HttpClient>();
  readonly #doors: { plain: Door; inside200: Door };

  /** Serves the venues on loopback; `now` is where time stands. */
  static async start(venues: readonly SimulatedVenue[], now: number): Promise<World> {
    const clock = new FakeClock(now);
    const model = new Model({ seed: 7, symbols: 16, clock, venues });
    const plain = await open(venues, model, clock);
    const inside200 = await open(venues.map(polite), model, clock);
    return new World(model, clock, { plain, inside200 });
  }

  constructor(model: Model, clock: FakeClock, doors: { plain: Door; inside200: Door }) {
    this.model = model;
    this.now = clock.now();
    this.#clock = clock;
    this.#doors = doors;
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#clients.values()].map((client) => client.close()));
    await Promise.all(Object.values(this.#doors).map((door) => door.stop()));
  }

  /** One poll as the machinery does it: requests, parser, and the rejection of what is mostly unreadable. */
  async poll(
    venue: Venue,
    { feed }: Pick<FeedPart, 'feed'>,
    plan: { instruments: InstrumentMap; markets: readonly string[] },
    weather: Weather = {},
  ): Promise<Result<Polled>> {
    const requests = feed.requests({ markets: plan.markets, now: this.now });
    const asked = await this.#send(venue, requests, weather);
    const gathered = gather(asked, this.#clock.now());
    if (!gathered.ok) return gathered;
    const { received, bodies } = gathered.value;
    const { instruments } = plan;
    let parsed: Parsed<MarketRow> = { rows: [], dropped: [] };
    const usable = validRows(() => {
      parsed = feed.parse(bodies, { received, instruments }) as Parsed<MarketRow>;
      return parsed;
    });
    return usable.ok ? success({ ...parsed, bodies }) : usable;
  }

  /** One question; what its parser throws is the failure `shape`, as it is to those who ask. */
  async ask<T>(
    venue: Venue,
    request: UpstreamRequest,
    parse: (body: unknown) => T,
    weather: Weather = {},
  ): Promise<Result<{ answer: T; body: unknown }>> {
    const [asked] = await this.#send(venue, [request], weather);
    const result = asked?.result ?? failed('stopped', 'nothing was asked');
    if (!result.ok) return result;
    const { body } = result.value;
    try {
      return success({ answer: parse(body), body });
    } catch (error) {
      return failed('shape', error instanceof Error ? error.message : 'unreadable');
    }
  }

  /** In bad weather a client of its own, so that no pause or breaker outlives the question. */
  async #send(venue: Venue, requests: readonly UpstreamRequest[], weather: Weather) {
    const { url, faults } = weather.inside200 ? this.#doors.inside200 : this.#doors.plain;
    faults.set(weather.fault ? [{ host: '*', kind: weather.fault }] : []);
    const usual = weather.fault ? undefined : this.#clients.get(venue.id);
    const client = usual ?? this.#clientOf(venue, url);
    if (!weather.fault) this.#clients.set(venue.id, client);
    const deadline = 10_000;
    try {
      return await Promise.all(
        requests.map(async (request) => ({
          request,
          result: await client.send(request, { deadline }),
        })),
      );
    } finally {
      if (weather.fault) await client.close();
    }
  }

  #clientOf({ id, apis }: Venue, gateway: string): HttpClient {
    return createHttpClient({
      source: id,
      apis: Object.fromEntries(Object.entries(apis).map(([name, api]) => [name, hasty(api)])),
      gateway,
      clock: this.#clock,
      random: () => 0.5,
      limits: { retries: 0 },
    });
  }
}

async function open(
  venues: readonly SimulatedVenue[],
  model: Model,
  base: FakeClock,
): Promise<Door> {
  const clock = new SimulatorClock(base);
  const faults = new Faults(7, () => model.now());
  const requests = new Requests();
  const options = { model, faults, requests, clock, venues, limits: false };
  const { server, stop } = simulatorServer(options);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address: unknown = server.address();
  if (!isRecord(address)) throw new Error('no address to listen on');
  return { url: `http://127.0.0.1:${address.port}`, faults, stop };
}
