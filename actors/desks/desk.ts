/**
 * A desk: duties that belong together (one chain, the lending pools, the market indicators), done by whichever
 * process holds the desk's lease. What venues are to exchanges, desks are to everything else.
 */
import type { Logger } from '../../config/log.ts';
import type { Bus } from '../bus/bus.ts';
import type { Failure } from '../failure.ts';
import type { Clock } from '../kernel/clock.ts';
import { createSupervisor, type SupervisorEvent } from '../kernel/supervisor.ts';
import {
  type HoldingContext,
  hold,
  stopPolicy,
  type Tenure,
  whyUnpublished,
} from '../sources/holding.ts';
import type { FeedStatus, Topic, Topics } from '../topics.ts';
import type { HttpClient } from '../upstream/client.ts';
import { Board } from './board.ts';
import { type Duty, doing } from './duty.ts';

/** What the duties of a desk work with, from gaining its lease to losing it. */
export interface DeskContext {
  clock: Clock;
  log: Logger;
  board: Board;
  /** Null when it is out, else why it is not. */
  publish<T extends Topic>(topic: T, key: string, value: Topics[T]): Promise<Failure | null>;
  /** The last value of a key, of an earlier life or process too; undefined without one or without Redis. */
  last<T extends Topic>(topic: T, key: string): Promise<Topics[T] | undefined>;
  /** The client of an upstream, by its id. Throws for one that there is none of. */
  client(upstream: string): Pick<HttpClient, 'send' | 'state'>;
}

export interface Desk {
  /** Name of its lease, and the source of its rows in `/v1/status`. */
  id: string;
  /** The duties, made anew each time that the lease is gained. */
  open(context: DeskContext): readonly Duty[];
}

/** What the desks of one process share. */
export interface DesksContext extends HoldingContext {
  bus: Pick<Bus, 'publish' | 'last' | 'lastOf' | 'leases'>;
  client: DeskContext['client'];
}

/** Offers to run a desk: its duties are done for as long as this process holds its lease. */
export const runDesk = (desk: Desk, context: DesksContext): Tenure =>
  hold(desk.id, context, (at) => begin(desk, { ...context, ...at }));

function begin(desk: Desk, at: DesksContext & { fence: number }): Tenure {
  const { bus, clock, random, log, fence, client } = at;
  const lease = { name: desk.id, fence };
  const report = (status: FeedStatus) =>
    void bus.publish('status', `${status.source}/${status.topic}/${status.part}`, status, lease);
  const board = new Board({ desk: desk.id, clock, publish: report });
  // Without it a source that is no longer asked would look silent instead of not needed.
  void bus.last('status').then(
    (known) => board.adopt(known.values()),
    () => {},
  );
  const onEvent = (event: SupervisorEvent) => {
    const crashed = event.type === 'crashed';
    log[crashed ? 'error' : 'info']({ event }, `duty ${event.child} ${event.type}`);
    if (crashed) board.crashed(event.child);
  };
  const supervisor = createSupervisor({
    name: desk.id,
    clock,
    random,
    policy: stopPolicy,
    onEvent,
  });
  const duties = desk.open({
    clock,
    log,
    board,
    client,
    async publish(topic, key, value) {
      const outcome = await bus.publish(topic, key, value, lease);
      return whyUnpublished(outcome);
    },
    last: (topic, key) => bus.lastOf(topic, key).catch(() => undefined),
  });
  for (const duty of duties) {
    const behaviour = doing({ duty, board, random });
    supervisor.spawn({ name: duty.name, behaviour, mailbox: 4 });
  }
  return { stop: () => supervisor.stop() };
}
