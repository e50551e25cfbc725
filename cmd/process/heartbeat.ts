import { hostname } from 'node:os';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Bus } from '../../actors/bus/bus.ts';
import { systemClock as clock } from '../../actors/kernel/clock.ts';
import type { ProcessReport, ProcessStatus } from '../../actors/topics/index.ts';

/** What a process reports besides its state. */
type Extras = Omit<ProcessReport, keyof ProcessStatus | 'cpu_s' | 'clock_ahead_ms'>;

const every = 5_000;

function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

/**
 * Publishes this process's sign of life on the topic `processes` until stopped, and at once by `beat`. `extras` is given the share
 * of a core that the process has used since the last but one.
 */
export function startHeartbeat(
  bus: Pick<Bus, 'publish'>,
  { id, role }: Pick<ProcessStatus, 'id' | 'role'>,
  extras: (cpu: number) => Extras,
): { beat(): void; stop(): void } {
  const started = clock.now();
  const delay = monitorEventLoopDelay({ resolution: 10 });
  delay.enable();
  let before = { at: performance.now() - process.uptime() * 1_000, cpu: 0 };
  let share = 0;
  const beat = () => {
    const status: ProcessReport = {
      id,
      role,
      pid: process.pid,
      host: hostname(),
      started,
      at: clock.now(),
      clock_ahead_ms: Math.round(clock.ahead),
      rss_bytes: process.memoryUsage.rss(),
      // The histogram counts the whole gap between two ticks; what exceeds the resolution is delay.
      loop_p99_ms: Math.max(0, delay.percentile(99) / 1e6 - 10),
      cpu_s: cpuSeconds(),
      ...extras(share),
    };
    void bus.publish('processes', id, status);
  };
  const turn = () => {
    const now = { at: performance.now(), cpu: cpuSeconds() };
    share = (now.cpu - before.cpu) / ((now.at - before.at) / 1_000);
    before = now;
    beat();
    delay.reset();
  };
  const timer = setInterval(turn, every).unref();
  turn();
  return {
    beat,
    stop() {
      clearInterval(timer);
      delay.disable();
    },
  };
}
