/** A web worker without a primary process, so that `kill -9` ends all of it. */
import { runProcess } from '../../../cmd/process/process.ts';
import { work } from '../../../cmd/process/worker.ts';

process.on('disconnect', () => process.exit(0));
await runProcess('web', work, { checks: [] });
