import { hostname } from 'node:os';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Bus } from '../../actors/bus/bus.ts';
import type { ProcessReport, ProcessStatus } from '../../actors/topics/index.ts';

/** What a process reports besides its state. */
type Extras = Omit<ProcessReport, keyof ProcessStatus | 'cpu_s'>;

const every = 5_000;

function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

/** Publishes this process's sign of life on the topic `processes` until stopped. */
export function startHeartbeat(
  bus: Pick<Bus, 'publish'>,
  { id, role }: Pick<ProcessStatus, 'id' | 'role'>,
  extras: () => Extras,
): { stop(): void } {
  const started = Date.now();
  const delay = monitorEventLoopDelay({ resolution: 10 });
  delay.enable();
  const beat = () => {
    const status: ProcessReport = {
      id,
      role,
      pid: process.pid,
      host: hostname(),
      started,
      at: Date.now(),
      rss_bytes: process.memoryUsage.rss(),
      // The histogram counts the whole gap between two ticks; what exceeds the resolution is delay.
      loop_p99_ms: Math.max(0, delay.percentile(99) / 1e6 - 10),
      cpu_s: cpuSeconds(),
      ...extras(),
    };
    delay.reset();
    void bus.publish('processes', id, status);
  };
  const timer = setInterval(beat, every).unref();
  beat();
  return {
    stop() {
      clearInterval(timer);
      delay.disable();
    },
  };
}
