/**
 * Whether the process of a role works on this host: `node cmd/health.ts web|feed|compute|history|alerts`, for the health checks of
 * containers. Exit status 0, or 1 with the reason. A web process must answer; of the others Redis must have a sign of life.
 */
import { hostname } from 'node:os';
import { systemClock as clock, late, within } from '../../actors/kernel/clock.ts';
import { topics } from '../../actors/topics/index.ts';
import { type Config, loadConfig, loadEnvFile } from '../../config/config.ts';
import { ownUrl } from './port.ts';
import { openRedis } from './redis-servers.ts';

/** How long the check may take, ms. */
const patience = 5_000;

async function answers(config: Config): Promise<string | null> {
  const url = `${ownUrl(config)}/healthz`;
  const { ok, status } = await fetch(url, { signal: AbortSignal.timeout(patience) });
  return ok ? null : `${url} answers ${status}`;
}

async function lives(config: Config, role: string): Promise<string | null> {
  const { bus } = openRedis(config, { process: 'health', clock });
  let alive = false;
  const { ready } = bus.follow({
    processes(_key, process) {
      const fresh = clock.now() - process.at <= topics.processes.maxAge;
      alive ||= process.role === role && process.host === hostname() && fresh;
    },
  });
  const read = await within(clock, patience, ready);
  if (read === late) return 'Redis does not answer';
  return alive ? null : `no ${role} process of this host gives signs of life`;
}

const role = process.argv[2] ?? 'web';
try {
  loadEnvFile();
  const config = loadConfig();
  const fault = role === 'web' ? await answers(config) : await lives(config, role);
  if (fault !== null) throw new Error(fault);
  process.exit(0);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
