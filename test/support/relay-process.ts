/**
 * A process that relays, for tests: `node relay-process.ts '{url, process, path}'`. It says when it relays or stands by. It
 * ends with its parent.
 */
import { startRelay } from '../../actors/bus/relay/relay.ts';
import { allTopics } from './bus-stage.ts';

const relay = await startRelay({ ...JSON.parse(process.argv[2] ?? '{}'), topics: allTopics });
process.on('disconnect', () => process.exit(0));
process.on('SIGTERM', () => void relay.stop().then(() => process.exit(0)));
process.send?.(relay.state());
