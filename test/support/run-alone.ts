/** A source that a process runs which shares with nobody. */
import { every } from '../../actors/kernel/clock.ts';
import { type RunningSource, runSource } from '../../actors/sources/runner.ts';

/** Runs a source, whose lease it tries to get at once and every half second. */
export function runAlone(...[source, context]: Parameters<typeof runSource>): RunningSource {
  const running = runSource(source, context);
  const { stop } = running;
  void running.attempt();
  const cancel = every(context.clock, 500, async () => void (await running.attempt()));
  running.stop = async () => {
    cancel();
    await stop();
  };
  return running;
}
