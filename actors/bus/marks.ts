/** Times that processes leave at a master, to see when they arrive at its replica. */
import { readNumber } from './codec.ts';
import { markKey, markLife } from './keys.ts';
import type { Commands } from './script.ts';

/** Leaves a time, Unix ms, under the name of a process. Rejects when Redis is away. */
export async function mark(commands: Commands, process: string, at: number): Promise<void> {
  await commands.send('SET', markKey(process), at, 'PX', markLife);
}

/** The time that a process has left; null without one. Rejects when Redis is away. */
export async function marked(commands: Commands, process: string): Promise<number | null> {
  const reply = await commands.send('GET', markKey(process));
  return reply === null ? null : readNumber(reply);
}
