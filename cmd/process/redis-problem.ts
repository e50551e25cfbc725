import { parseRedisUrl } from '../../config/redis-url.ts';

/** Faults of a connection or of a write, by what Redis or the system says, and what to do. */
const known: readonly [sign: RegExp, say: (setting: string) => string][] = [
  [
    /ENOTFOUND|EAI_AGAIN/,
    (setting) => `the host name of ${setting} is unknown: correct it, or the name service.`,
  ],
  [
    /WRONGPASS|NOAUTH|NOPERM|ERR AUTH/,
    (setting) => `Redis refuses the user or the password of ${setting}: correct them in the URL.`,
  ],
  [
    /^READONLY/,
    (setting) =>
      `${setting} leads to a replica, which takes no writes: set it to the master, or to its Sentinel group.`,
  ],
  [
    /^NOREPLICAS/,
    (setting) =>
      `fewer replicas of ${setting} keep up than min-replicas-to-write asks for: start them, or look at their network.`,
  ],
  [/^OOM/, (setting) => `the memory of ${setting} is full: raise its maxmemory.`],
  [/^MISCONF/, (setting) => `${setting} cannot write to its disk: make room there.`],
  [/LOADING/, (setting) => `${setting} is still reading its data: wait until it has.`],
];

/** Why a Sentinel group is not reached. */
function groupProblem(setting: string, role: 'master' | 'replica', message: string): string {
  if (/No such master/.test(message)) {
    return `the Sentinels of ${setting} know no group of this name: correct the name (SENTINEL MASTERS lists them).`;
  }
  if (/Last error/.test(message)) {
    return `no Sentinel of ${setting} answers: start them, or correct their addresses.`;
  }
  if (!/sentinels are unreachable/.test(message)) {
    return `the Sentinel group of ${setting} has no ${role} that answers: the Sentinels promote a replica where most of them agree and one is in step (SENTINEL CKQUORUM says whether they could).`;
  }
  return `the Sentinels of ${setting} know no ${role} that is up: start one.`;
}

/** What is wrong with the server of a setting, and what to do; null where nothing is. Hosts and passwords are not named. */
export function problemOf(setting: string, url: string, fault: Error | null): string | null {
  if (fault === null) return null;
  const code = 'code' in fault ? String(fault.code) : '';
  const message = `${fault.message} ${code}`;
  const found = known.find(([sign]) => sign.test(message));
  if (found !== undefined) return found[1](setting);
  const target = parseRedisUrl(url);
  if (target.kind === 'group') return groupProblem(setting, target.role, message);
  return `nothing answers at ${setting}: start that redis-server, or correct the setting.`;
}
