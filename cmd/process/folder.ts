import { accessSync, constants, mkdirSync, statfsSync } from 'node:fs';
import { resolve } from 'node:path';
import { StartError } from './process.ts';

/** Longest path of a unix socket on Linux and macOS, with room to spare. */
export const longestSocketPath = 100;

/** Name of the folder of the history in the data folder, and of the file in which earlier versions had it. */
export const historyFolder = 'history';
export const oldHistoryFile = 'history.sqlite';

/** Name of the folder of recordings in the data folder. */
export const recordingsFolder = 'recordings';

/**
 * Makes a folder, `dataDir` or one below it, for its owner alone, unless it is there. Gives its absolute path. Throws
 * StartError when it cannot be made or written.
 */
export function makeFolder(dataDir: string, ...below: string[]): string {
  const path = resolve(dataDir, ...below);
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    accessSync(path, constants.W_OK | constants.X_OK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new StartError(
      `DATA_DIR: ${path} cannot be written (${code}); set DATA_DIR to a folder that this user may write`,
    );
  }
  return path;
}

/** Bytes of the disk of a folder; null where it cannot be asked. */
export function diskOf(folder: string): { free: number; size: number } | null {
  try {
    const { bavail, blocks, bsize } = statfsSync(folder);
    return { free: bavail * bsize, size: blocks * bsize };
  } catch {
    return null;
  }
}
