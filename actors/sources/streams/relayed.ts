/** The stream of the channels that are passed on. */
import type { Behaviour } from '../../kernel/actor.ts';
import type { HolderContext } from '../context.ts';
import type { Venue } from '../venue.ts';
import { type NamedStream, type StreamMessage, type StreamOf, streamActor } from './actor.ts';
import type { Relay } from './relay.ts';
import type { RelayStream } from './stream.ts';

/** Its state is reported so often, ms. */
const reports = 60_000;

/** The behaviour of a stream whose frames are passed on. */
export const relayedFrames = (
  options: StreamOf<RelayStream> & { relay: Relay },
): Behaviour<StreamMessage> => {
  const { relay, stream } = options;
  return streamActor({
    ...options,
    stream: {
      ...stream,
      parse: (message) => {
        const name = stream.nameOf(message);
        return name === null ? null : { name, text: JSON.stringify(message) };
      },
    },
    markets: {
      choose: () => relay.wanted(),
      onChange: (wake) => relay.onChange(wake),
      mayBeNone: true,
    },
    sink: (actor) => ({
      // A quiet market brings nothing.
      expects: 'nothing',
      take({ name, text }, { connection }) {
        connection.note(name);
        return relay.take(name, text);
      },
      ended: (_by, failure) => failure && relay.lose(),
      flush() {
        const { subscribed } = actor.connections;
        actor.report(relay.size === 0 ? 'standby' : subscribed ? 'up' : null, relay.size, reports);
        actor.renew();
        return reports;
      },
    }),
  });
};

/** The stream of the channels that are passed on, which is not recorded. */
export function relayFeeds(
  { id: source, relay: stream }: Pick<Venue, 'id' | 'relay'>,
  context: HolderContext,
): NamedStream[] {
  const { relays, status, gateway, shared, random, lease } = context;
  if (!stream || !relays) return [];
  const name = 'relay';
  const behaviour = relayedFrames({
    source,
    part: 'all',
    gateway,
    shared,
    random,
    lease,
    stream,
    relay: relays.of(source),
    status: status.row(name, 'all'),
  });
  return [{ name, behaviour }];
}
