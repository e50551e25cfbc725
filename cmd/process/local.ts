/** Everything in one command: redis-server, feed, compute and web processes, and with `--demo` the simulator. */
import { fork } from 'node:child_process';
import { createConnection } from 'node:net';
import { join } from 'node:path';
import { systemClock as clock } from '../../actors/kernel/clock.ts';
import { type Config, childEnv } from '../../config/config.ts';
import { type ChildService, keepRunning } from './child-service.ts';
import { Given, runCommand } from './command.ts';
import { flagsOf } from './flags.ts';
import { makeFolder } from './folder.ts';
import { developmentIssuer } from './issuer.ts';
import { keepCopy } from './key-copy.ts';
import { firstLocalKey, signInLink } from './local-key.ts';
import { logName, openLogFile } from './log-file.ts';
import { freePort, ownUrl } from './port.ts';
import { needRedis, type ProcessContext, processId, runProcess, StartError } from './process.ts';
import { showProgress } from './progress.ts';
import { providerCheck } from './provider.ts';
import { startRedis } from './redis.ts';
import { openRedis } from './redis-servers.ts';
import { chosenSources, liveCheck, sourcesCheck } from './sources.ts';

const root = join(import.meta.dirname, '..', '..');
const stripTypes = join(root, 'config', 'strip-types.cjs');
const usage = `usage: npm start, or npm run demo
  --demo      Asks simulated upstreams instead of the real ones.
  --help      Prints this.`;

/** Where people read. Standard output is for log lines, unless those go to a file. */
const screen = process.stderr;

/** Of the log file; null without one. */
let logFile: number | null = null;

/** On a terminal the log goes to a file, so that people see what they need; to standard output elsewhere. */
function logTo({ logFormat, dataDir }: Config): number | null {
  if (!process.stdout.isTTY || logFormat === 'json') return null;
  logFile = openLogFile(dataDir);
  return logFile;
}

interface Child {
  script: string;
  args?: string[];
  env?: Record<string, string>;
  /** False for one whose standard output is not a log. */
  logs?: boolean;
}

const simulatedNotice = '  DEMO: all data are simulated. No price, rate or other number is real.\n';

/** Keeps a script of ours running as a child. It ends by itself when this process dies. */
function child(
  { script, args = [], env = {}, logs = true }: Child,
  context: ProcessContext,
): ChildService {
  const path = join(root, script);
  const spawn = () =>
    fork(path, args, {
      env: childEnv(env),
      execArgv: [...flagsOf(script), `--require=${stripTypes}`],
      detached: true,
      stdio: ['ignore', logs ? (logFile ?? 1) : 'ignore', 2, 'ipc'],
    });
  return keepRunning(script, spawn, context);
}

/** What answers clients, in the order of the start. All of them use Redis. */
const services = ['cmd/web.ts', 'cmd/feed.ts', 'cmd/compute.ts', 'cmd/history.ts', 'cmd/alerts.ts'];
/** How long prices and the front have the processors to themselves before the other services start, ms. */
const headStart = 6_000;

/** How long the simulator may take to listen, ms: a bound that a slow machine does not reach, where a start takes several times its 1 s of processor time. */
const simulatorPatience = 60_000;

/** Resolves when something accepts connections on a port of this machine. */
async function listening(port: number): Promise<void> {
  const accepts = () =>
    new Promise<boolean>((done) => {
      const socket = createConnection({ host: '127.0.0.1', port });
      socket.once('connect', () => socket.end(() => done(true)));
      socket.once('error', () => done(false));
    });
  for (const end = clock.monotonic() + simulatorPatience; !(await accepts()); ) {
    if (clock.monotonic() > end) throw new StartError('the simulator did not start');
    await new Promise((wait) => setTimeout(wait, 20));
  }
}

/** Starts the simulator. Gives its port, on which it may not listen yet. */
async function startSimulator(started: ChildService[], context: ProcessContext): Promise<number> {
  const port = await freePort('127.0.0.1', 0);
  const args = ['--port', String(port)];
  started.push(child({ script: 'scripts/simulator/main.ts', args, logs: false }, context));
  return port;
}

/** Prints the key, once, and how to use it. */
async function greet(url: string, redisUrl: string, context: ProcessContext) {
  const { config } = context;
  const issued = config.authMode === 'keys' ? await firstLocalKey(redisUrl, context.log) : null;
  if (issued !== null) {
    const another = 'npm run key makes another';
    screen.write(
      issued.key === undefined
        ? `  API key: ${issued.prefix}… of an earlier start (${another})\n`
        : `  API key: ${issued.key} (shown this once; ${another})\n`,
    );
  }
  const page =
    issued === null ? `${url}/app` : await signInLink(url, { redisUrl, log: context.log });
  screen.write(`  Dashboard: ${page}${issued === null ? '' : ' (signs one browser in, once)'}\n`);
  const header = issued === null ? '' : `-H "x-api-key: ${issued.key ?? '$KEY'}" `;
  screen.write(`  curl ${header}'${url}/v1/prices?symbol=BTC'\n`);
  const log = logFile === null ? '' : `Log: ${join(config.dataDir, logName)}. `;
  screen.write(`  Reference: ${url}/docs. ${log}Stop with ctrl-C.\n`);
}

/** Shows the progress of the start. The function that is returned ends that. */
function follow(redisUrl: string, { config, log }: ProcessContext): () => Promise<void> {
  const redis = openRedis({ ...config, redisUrl }, { process: processId('local'), clock, log });
  const progress = showProgress(chosenSources(config.sources), {
    ...{ bus: redis.bus, clock },
    output: screen,
  });
  return async () => {
    await progress.stop();
    await redis.close();
  };
}

/** The settings of the identity provider: those of the development issuer when none is set. */
async function identity(config: Config): Promise<Record<string, string>> {
  const { authMode, authJwksUrl, dataDir, nodeEnv } = config;
  if (authMode === 'open' || authJwksUrl !== null) return {};
  const { provider } = await developmentIssuer(dataDir, nodeEnv);
  return {
    AUTH_JWKS_URL: provider.jwksUrl,
    AUTH_ISSUER: provider.issuer,
    AUTH_AUDIENCE: provider.audience,
  };
}

/**
 * Ends the services together, then what they use (Redis, the simulator). One after another they could take longer than
 * this process may, and the rest would be left to die with it.
 */
async function stopAll(started: readonly ChildService[]): Promise<void> {
  const used = started.filter(({ name }) => !services.includes(name));
  await Promise.all(
    started.filter(({ name }) => services.includes(name)).map((service) => service.stop(6_000)),
  );
  await Promise.all(used.map((service) => service.stop(3_000)));
}

async function local(context: ProcessContext, demo: boolean): Promise<() => Promise<void>> {
  const { config } = context;
  const started: ChildService[] = [];
  let unfollow = async () => {};
  let endCopy = () => {};
  let later: NodeJS.Timeout | undefined;
  const stop = async () => {
    clearTimeout(later);
    await unfollow();
    endCopy();
    await stopAll(started);
  };
  try {
    makeFolder(config.dataDir);
    const port = await freePort(config.host, config.port);
    const url = ownUrl({ ...config, port });
    screen.write(`Tidemark starts on ${url}\n${demo ? simulatedNotice : ''}`);
    const env: Record<string, string> = { PORT: String(port), ...(await identity(config)) };
    const simulator = demo ? await startSimulator(started, context) : null;
    if (simulator !== null) {
      env.UPSTREAM_GATEWAY = `http://127.0.0.1:${simulator}`;
      env.SIMULATED_DATA = '1';
    }
    if (config.redisUrl === null) {
      const redis = await startRedis(config.dataDir, context);
      started.push(redis.service);
      env.REDIS_URL = redis.url;
    }
    const redisUrl = env.REDIS_URL ?? needRedis(config);
    // Before the first key is made: Redis may have lost those of earlier starts.
    const { dataDir, authMode } = config;
    if (authMode === 'keys')
      endCopy = await keepCopy({ redisUrl, dataDir, clock, log: context.log });
    await greet(url, redisUrl, context);
    const start = (script: string) => started.push(child({ script, env }, context));
    const [web = '', feed = '', ...rest] = services;
    start(web);
    // Before the simulator listens, its feeds would see every host fail.
    if (simulator !== null) await listening(simulator);
    start(feed);
    later = setTimeout(() => rest.forEach(start), headStart);
    // The states of a replay have times of their own.
    if (config.replayed === null) unfollow = follow(redisUrl, context);
    return stop;
  } catch (error) {
    await stop();
    throw error instanceof Error ? error : new StartError(String(error));
  }
}

await runCommand(usage, async (args) => {
  // Unknown options end it before anything starts.
  const demo = new Given(args, usage, { flags: ['demo'] }).has('demo');
  const checks = [sourcesCheck, liveCheck, providerCheck];
  await runProcess('local', (context) => local(context, demo), { checks, logTo });
});
