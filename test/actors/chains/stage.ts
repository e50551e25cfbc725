import type { Test } from 'tap';
import { ChainReader } from '../../../actors/chains/reader.ts';
import type { Failure, Result } from '../../../actors/failure.ts';
import type { ChainReading } from '../../../actors/topics/chains.ts';
import { type ChainId, chains } from '../../../config/chains.ts';
import { chainVenues, type Quirks } from '../../../scripts/simulator/chains/registry.ts';
import type { Fault, Faults } from '../../../scripts/simulator/faults.ts';
import { FakeClock } from '../../support/clock.ts';
import { meanwhile as moveOn } from '../../support/meanwhile.ts';
import { simulated } from '../../support/simulated.ts';

export const start = Date.UTC(2026, 7, 14, 13, 37, 0);
export const seed = 5;

export interface Stage {
  clock: FakeClock;
  /** By base URL; change it as the test goes on. */
  quirks: Record<string, Quirks>;
  gateway: string;
  faults: Faults;
  /** What was logged. */
  logged: string[];
  /** Requests answered so far, as `METHOD host/path status fault`. */
  seen: string[];
  reader(chain: ChainId, more?: { urls?: readonly string[] }): ChainReader;
}

export const urlsOf = (chain: ChainId): readonly string[] => chains[chain].urls;
export const hostOf = (url: string | undefined): string => new URL(url ?? '').host;

/** Starts the simulator; the test's end stops it and every reader. */
export async function stage(t: Test): Promise<Stage> {
  const clock = new FakeClock(start);
  const quirks: Record<string, Quirks> = {};
  const venues = chainVenues(quirks);
  const seen: string[] = [];
  const log = (line: string) => void seen.push(line);
  const { url: gateway, faults } = await simulated(t, venues, { clock, seed, log });
  const readers: ChainReader[] = [];
  t.teardown(() => Promise.all(readers.map((reader) => reader.close())));
  const logged: string[] = [];
  const note = (fields: object, message: string) =>
    void logged.push(`${message} ${JSON.stringify(fields)}`);
  const reader: Stage['reader'] = (chain, more = {}) => {
    const log = { info: note, warn: note };
    const made = new ChainReader({ chain, gateway, clock, log, random: () => 0.5, ...more });
    readers.push(made);
    return made;
  };
  return { clock, quirks, gateway, faults, logged, seen, reader };
}

/** Faults on hosts, by name. */
export const faulty = (kind: Fault['kind'], ...urls: (string | undefined)[]): Fault[] =>
  urls.map((url) => ({ host: hostOf(url), kind }));

/** One read that succeeds. */
export async function read(reader: ChainReader): Promise<ChainReading> {
  const result = await reader.read({ deadline: 20_000 });
  if (!result.ok) throw new Error(`${result.failure.code}: ${result.failure.message}`);
  return result.value;
}

export async function refusal(reading: Promise<Result<ChainReading>>): Promise<Failure> {
  const result = await reading;
  if (result.ok) throw new Error('a reading where a failure was expected');
  return result.failure;
}

/** Moves the clock on, a second at a time and only while the simulator is idle, until `work` has settled. */
export const meanwhile = <T>(at: Stage, work: Promise<T>): Promise<T> =>
  moveOn(at, work, { step: 1_000, quiet: 40 });
