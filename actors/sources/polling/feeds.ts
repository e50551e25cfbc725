/** The feeds of an exchange: its polls and its streams, with the rows that both publish. */
import { type MarketTopic, marketTopics, type PriceRow } from '../../topics/index.ts';
import type { HolderContext } from '../context.ts';
import type { Job } from '../job.ts';
import { VenueRows } from '../market-rows.ts';
import { FrozenGuard } from '../quality/frozen.ts';
import { Strays } from '../quality/strays.ts';
import type { NamedStream } from '../streams/actor.ts';
import { eventFeeds, liveFeeds, trackedFeeds } from '../streams/venue-streams.ts';
import type { MarketPoll, Venue } from '../venue.ts';
import { plannedAge } from './plan.ts';
import { Poller, type PollerOptions } from './poller.ts';

/** The part of a source that has markets. */
export type Markets = Pick<Venue, 'id' | 'feeds' | 'events' | 'live' | 'books' | 'trades'>;

/** A poll. */
export interface NamedJob {
  name: string;
  job(): Job;
}

/** Markets that have left their assets that a status names. */
const mostNamed = 20;
/** Between two comparisons of the prices of a part with those of all other exchanges, ms: what they tell has to last an hour. */
const betweenComparisons = 30_000;

type Group = Pick<PollerOptions, 'part' | 'every' | 'poll'> & {
  topics: [MarketTopic, ...MarketTopic[]];
};

/** The polls of an exchange; one that is named under several topics is asked once, and its first topic names it. */
function groupsOf(feeds: Venue['feeds']): Group[] {
  const groups: Group[] = [];
  for (const topic of marketTopics) {
    const { every = 0, parts = {} } = feeds[topic] ?? {};
    for (const [part, poll] of Object.entries<MarketPoll<never>>(parts)) {
      const known = groups.find((group) => group.poll === poll && group.part === part);
      if (known) known.topics.push(topic);
      else groups.push({ topics: [topic], part, every, poll });
    }
  }
  return groups;
}

export interface FeedsOptions {
  markets: Markets;
  context: HolderContext;
  /** Polls a part now, as `hurry` does. */
  poll(topic: 'instruments' | 'prices', part: string): void;
}

/** The actors of a source's feeds. */
export function feedsOf({ markets, context, poll }: FeedsOptions): {
  polls: readonly NamedJob[];
  streams: readonly NamedStream[];
} {
  const { id: source, feeds } = markets;
  const rows = new VenueRows(source, context, (topic, part) => {
    const { every = 0, parts = {} } = feeds[topic] ?? {};
    const poll: MarketPoll<never> | undefined = parts[part];
    return poll && plannedAge({ topic, part, every, poll });
  });
  const strays = new Strays(source, context);
  const guard = new FrozenGuard(rows.evidence.elsewhere);
  const compared = new Map<string, number>();
  const observe = (part: string, prices: readonly PriceRow[], received: number) => {
    guard.observe(part, prices, received);
    // The clock may have been set back.
    if (Math.abs(received - (compared.get(part) ?? Infinity)) < betweenComparisons) return;
    compared.set(part, received);
    if (!strays.observe(prices, received)) return;
    const away = strays.markets().slice(0, mostNamed);
    context.status.row('instruments', part).set({ strays: away.length > 0 ? away : undefined });
    poll('instruments', part);
  };
  const { frozen } = guard;
  const apart: PollerOptions['watch']['apart'] = (list) => strays.apart(list);
  const polls = groupsOf(feeds).map((group) => {
    const onUnknown = () => poll('instruments', group.part);
    const watch = { observe, frozen, apart };
    const job = () => new Poller({ source, ...group, context, rows, watch, onUnknown });
    return { name: `${group.topics[0]}/${group.part}`, job };
  });
  const live = context.live?.on(source)
    ? liveFeeds({
        venue: markets,
        context,
        rows,
        frozen,
        watches: {
          derivatives: frozen,
          openInterest: frozen,
          prices(part, prices, received) {
            observe(part, prices, received);
            return frozen(part);
          },
        },
        onLost: (part) => poll('prices', part),
      })
    : [];
  return {
    polls,
    streams: [
      ...live,
      ...eventFeeds(markets, context, (part) => poll('instruments', part)),
      ...trackedFeeds(markets, context),
    ],
  };
}
