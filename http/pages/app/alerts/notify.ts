/** Notifications of this browser for what alerts fire, while a page of the dashboard is open. */
import { time } from '../format.ts';
import { logOf } from '../request.ts';
import { kept } from '../settings.ts';
import { follow } from '../stream.ts';

const chosen = kept<boolean>('notify', false);

/** Whether the browser has notifications at all. */
export const canNotify = (): boolean => 'Notification' in globalThis;

/** Whether they are on. */
export const notifies = (): boolean =>
  canNotify() && chosen.get() && Notification.permission === 'granted';

let end: (() => void) | null = null;

/** Follows what is fired from now on; events before it are not shown. */
export function followFired(): void {
  const began = Date.now();
  end?.();
  end = follow(
    logOf('/v1/alerts/events', { limit: 1 }),
    {
      data(events) {
        if (!notifies()) return;
        for (const { id, name, text, fired_at: at } of events) {
          if (at < began) continue;
          // One of several open pages shows it: those with the same tag replace each other.
          const note = new Notification(name, { body: `${text} (${time(at, 'time')})`, tag: id });
          note.addEventListener('click', () => focus());
        }
      },
    },
    { mode: 'log' },
  );
}

/** Turns them on or off, and asks the reader where the browser wants that; whether they are on then. */
export async function allowNotifications(isWanted: boolean): Promise<boolean> {
  chosen.set(isWanted && (await Notification.requestPermission()) === 'granted');
  if (notifies()) followFired();
  else {
    end?.();
    end = null;
  }
  return notifies();
}
