/** The relay of the web processes of a host. */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { type Relay, startRelay } from '../../actors/bus/relay/relay.ts';
import { systemClock as clock } from '../../actors/kernel/clock.ts';
import { type Topic, topics } from '../../actors/topics/index.ts';
import type { Config } from '../../config/config.ts';
import { longestSocketPath, makeFolder } from './folder.ts';
import { type ProcessContext, processId, StartError } from './process.ts';
import { urlsOf } from './redis-servers.ts';

const isTopic = (name: string): name is Topic => Object.hasOwn(topics, name);

/** What web workers may follow: every topic but the one that only the job reads which writes it. */
export const relayedTopics: readonly Topic[] = Object.keys(topics)
  .filter(isTopic)
  .filter((topic) => topic !== 'series');

/** Of what relay and workers say to each other, apart from the topics. */
const version = 1;

/**
 * The socket of the web processes of this host that follow the same Redis and have the same topics: those of a version with
 * others meet elsewhere. Throws StartError where the data folder cannot be written, or its path is too long.
 */
export function relaySocket(config: Config): string {
  const shared = JSON.stringify([version, urlsOf(config).read, topics]);
  const name = createHash('sha256').update(shared).digest('hex').slice(0, 8);
  const path = join(makeFolder(config.dataDir), `relay-${name}.sock`);
  if (path.length <= longestSocketPath) return path;
  throw new StartError('DATA_DIR: its path is too long for a socket in it');
}

/** Relays to the web workers of this host, or stands by. Null where each of them follows Redis by itself. */
export async function startHostRelay({ config, log }: ProcessContext): Promise<Relay | null> {
  if (!(config.relay ?? config.webConcurrency > 1)) return null;
  try {
    const about = { url: urlsOf(config).read, process: processId('relay'), clock, log };
    return await startRelay({ ...about, path: relaySocket(config), topics: relayedTopics });
  } catch (error) {
    log.warn({ err: error }, 'no relay: each web worker follows Redis by itself');
    return null;
  }
}
