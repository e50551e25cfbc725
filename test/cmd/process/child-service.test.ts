/** A child process that is started again, on made children and timers; one that outlives its parent. */
import { type ChildProcess, fork } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { join } from 'node:path';
import { mock } from 'node:test';
import t, { type Test } from 'tap';
import { keepRunning } from '../../../cmd/process/child-service.ts';
import { misconfigured } from '../../../cmd/process/process.ts';
import { createLogger } from '../../../config/log.ts';

/** A child that ends when the test says so. */
class Child extends EventEmitter {
  readonly pid: number | undefined;
  exitCode: number | null = null;
  signalCode: string | null = null;
  readonly signals: string[] = [];
  constructor(pid?: number) {
    super();
    this.pid = pid;
  }
  kill(signal: string) {
    this.signals.push(signal);
  }
  end(code: number) {
    this.exitCode = code;
    this.emit('exit', code, null);
  }
}

/** A kept child; half of the longest wait passes before each start. */
function stage(t: Test, { hasPid = true } = {}) {
  mock.timers.enable({ apis: ['setTimeout'] });
  let now = 0;
  mock.method(performance, 'now', () => now);
  mock.method(Math, 'random', () => 0.5);
  t.teardown(() => {
    mock.timers.reset();
    mock.restoreAll();
  });
  const lines: { child: string; delay?: number; level: number }[] = [];
  const log = createLogger({ logLevel: 'info' }, 'test', {
    write: (line: string) => lines.push(JSON.parse(line)),
  });
  const children: Child[] = [];
  const ends: unknown[][] = [];
  const spawn = () => {
    const child = new Child(hasPid ? children.length + 1 : undefined);
    children.push(child);
    return child as unknown as ChildProcess;
  };
  const service = keepRunning('web-1', spawn, { log, end: (...said) => ends.push(said) });
  /** Ends the child after so many ms; gives the wait until the next one. */
  const die = (after: number, code = 1) => {
    now += after;
    children.at(-1)?.end(code);
    return lines.at(-1)?.delay ?? 0;
  };
  return { service, children, lines, ends, die };
}

t.test('a child that dies is started again, later each time, unless it ran well', async (t) => {
  const { service, children, lines, die } = stage(t);
  t.same([service.name, service.pid, children.length], ['web-1', 1, 1]);
  const waits = Array.from({ length: 7 }, () => {
    const wait = die(1);
    mock.timers.tick(wait - 1);
    const early = children.length;
    mock.timers.tick(1);
    t.equal(children.length, early + 1, 'when the wait is over');
    return wait;
  });
  t.same(waits, [200, 400, 800, 1_600, 3_200, 5_000, 5_000]);
  t.equal(die(30_000), 5_000);
  mock.timers.tick(5_000);
  t.equal(die(30_001), 100, 'it ran for more than half a minute');
  t.equal(service.pid, 9);
  children.at(-1)?.emit('error', new Error('no such file'));
  t.match(lines.at(-1), { child: 'web-1', level: 50 });
});

t.test('a child for which the system has no process is started again', async (t) => {
  const { children, lines } = stage(t, { hasPid: false });
  children[0]?.emit('error', Object.assign(new Error('spawn EAGAIN'), { code: 'EAGAIN' }));
  t.match(lines, [{ level: 50 }, { level: 40, delay: 200 }]);
  mock.timers.tick(200);
  t.equal(children.length, 2);
});

t.test('a child that cannot run with its settings ends the process', async (t) => {
  const { children, ends, die } = stage(t);
  die(1, misconfigured);
  t.same(ends, [['web-1 cannot run with these settings', misconfigured]]);
  mock.timers.tick(60_000);
  t.equal(children.length, 1);
});

t.test('a stop ends the child, by force where it has to be, and starts no other', async (t) => {
  const { service, children, die } = stage(t);
  const stopped = service.stop();
  t.same(children[0]?.signals, ['SIGTERM']);
  mock.timers.tick(8_999);
  t.equal(children[0]?.signals.length, 1);
  mock.timers.tick(1);
  t.same(children[0]?.signals, ['SIGTERM', 'SIGKILL']);
  die(1);
  await stopped;
  mock.timers.tick(60_000);
  t.equal(children.length, 1);
  await service.stop();
  t.equal(children[0]?.signals.length, 2, 'it has gone');
});

t.test('a stop within its patience, between two children, and of none', async (t) => {
  const { service, children, die } = stage(t);
  const stopped = service.stop(50);
  die(1, 0);
  await stopped;
  mock.timers.tick(50);
  t.same(children[0]?.signals, ['SIGTERM'], 'no signal comes later');
  mock.timers.reset();
  mock.restoreAll();
  const waiting = stage(t);
  waiting.die(1);
  await waiting.service.stop();
  mock.timers.tick(60_000);
  t.equal(waiting.children.length, 1, 'it waited to be started again');
  mock.timers.reset();
  mock.restoreAll();
  const none = stage(t, { hasPid: false });
  await none.service.stop();
  t.same(none.children[0]?.signals, []);
});

t.test('a child whose parent goes while its modules are loaded ends by itself', async (t) => {
  const root = join(import.meta.dirname, '..', '..', '..');
  for (const script of ['cmd/compute.ts', 'scripts/simulator/main.ts']) {
    const args = script.startsWith('scripts') ? ['--port', '0'] : [];
    const env = { ...process.env, REDIS_URL: 'redis://127.0.0.1:1', LOG_LEVEL: 'silent' };
    const child = fork(join(root, script), args, { env, stdio: ['ignore', 'ignore', 2, 'ipc'] });
    t.teardown(() => child.kill('SIGKILL'));
    const ended = once(child, 'exit');
    child.disconnect();
    const [code] = await ended;
    t.equal(code, 0, script);
  }
});
