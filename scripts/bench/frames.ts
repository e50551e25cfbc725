/** The frames of every stream of liquidations, as the simulator's world has them. */
import type { EachStream } from '../../actors/sources/streams/stream.ts';
import type { Venue } from '../../actors/sources/venue.ts';
import type { Instrument, Liquidation } from '../../actors/topics/index.ts';
import { venues } from '../../actors/venues/registry.ts';
import { type Simulator, venues as simulated, startSimulator } from '../simulator/main.ts';
import { received } from './report.ts';

/** The frames of one stream. */
export interface FramesOf {
  name: string;
  stream: EachStream<Liquidation>;
  instruments: ReadonlyMap<string, Instrument>;
  /** With their time, Unix ms. */
  frames: readonly { at: number; text: string }[];
}

/** The time that the frames are about: seconds, and its beginning, Unix ms. */
const seconds = 600;
const start = 1_790_000_000_000;

const instrumentsOf = ({ model }: Simulator, venue: string) =>
  new Map(
    model
      .truths(venue)
      .map(({ market, kind, symbol, quote, contract, inverse, scale }) => [
        market,
        { market, kind, symbol, quote, contract, inverse, scale, funding_hours: null },
      ]),
  );

/** What ten minutes of every stream hold. */
export async function framesOfStreams(): Promise<FramesOf[]> {
  const simulator = await startSimulator({ symbols: 16 });
  const { model } = simulator;
  const found = Object.values<Venue>(venues).flatMap(({ id, events }) => {
    const channels = simulated.find((venue) => venue.id === id)?.channels;
    const instruments = instrumentsOf(simulator, id);
    return Object.entries(events?.liquidations ?? {}).map(([part, stream]): FramesOf => {
      const { host, pathname: path } = new URL(stream.url);
      const asked = stream.channels(instruments);
      const named = asked.flatMap((frame) => channels?.named(frame, { host, path }) ?? []);
      const frames = Array.from({ length: seconds }, (_, second) => {
        const at = start + second * 1_000;
        const around = { now: at, model, first: false };
        const messages = channels?.messages(new Set(named), around) ?? [];
        return messages.map((message) => ({ at, text: received(JSON.stringify(message)) }));
      });
      return {
        name: `${id}/${part}`,
        stream,
        instruments,
        frames: frames.flat(),
      };
    });
  });
  await simulator.close();
  return found;
}
