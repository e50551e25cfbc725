import { copyFileSync, fstatSync, ftruncateSync, openSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { makeFolder } from './folder.ts';

/** The size from which the file is copied aside and emptied, bytes. */
const mostBytes = 10 * 2 ** 20;
/** How often the size is looked at, ms. */
const every = 5_000;

/** The file under the data folder. */
export const logName = join('logs', 'tidemark.log');

/**
 * Opens the log file for appending and gives its descriptor, which child processes may use as well. A file of more
 * than `most` bytes becomes `tidemark.log.1`, in the place of the one before. It is copied and emptied, because its
 * writers keep it open.
 */
export function openLogFile(dataDir: string, most = mostBytes): number {
  makeFolder(dataDir, dirname(logName));
  const path = resolve(dataDir, logName);
  const fd = openSync(path, 'a', 0o600);
  const rotate = () => {
    if (fstatSync(fd).size <= most) return;
    copyFileSync(path, `${path}.1`);
    ftruncateSync(fd);
  };
  rotate();
  setInterval(() => {
    try {
      rotate();
    } catch {
      // A full disk, or a folder that was removed: the next look may succeed.
    }
  }, every).unref();
  return fd;
}
