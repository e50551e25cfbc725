/** A web worker without a primary process, so that its processor time and `kill -9` concern all of it. */
import { runProcess } from '../../cmd/process/process.ts';
import { work } from '../../cmd/process/worker.ts';

process.on('disconnect', () => process.exit(0));
await runProcess('web', work, { checks: [] });
