/** The URLs of Redis. */

/** Where a server, or the master of a Sentinel group, is found, and how one signs in there. */
interface Access {
  db: number;
  username?: string;
  password?: string;
  /** Replicas that must have a change of API keys before it is answered. */
  replicas: number;
}

interface Address {
  host: string;
  port: number;
}

interface Socket extends Access {
  kind: 'socket';
  path: string;
}

interface Server extends Access, Address {
  kind: 'server';
  tls: boolean;
}

/** A group of servers that Redis Sentinel watches. */
export interface SentinelGroup extends Access {
  kind: 'group';
  sentinels: Address[];
  /** Of the group, as the Sentinels know it. */
  name: string;
  role: 'master' | 'replica';
  /** To the Sentinels as well. */
  tls: boolean;
  sentinelUsername?: string;
  sentinelPassword?: string;
}

export type RedisTarget = Socket | Server | SentinelGroup;

/** The parameters that a URL of a kind may have. */
const parameters = {
  socket: ['db', 'replicas'],
  server: ['replicas'],
  group: ['db', 'replicas', 'role', 'tls', 'sentinel_username', 'sentinel_password'],
} as const;

const sentinelForm = /^redis\+sentinel:\/\/(?<user>[^@/?]*@)?(?<hosts>[^@/?]+)\/(?<rest>[^/]*)$/;

/** What may be given, for messages. */
const redisForms =
  'redis://[user][:password@]host[:port][/db], rediss://…, unix:///path/to.sock[?db=n] or redis+sentinel://[user][:password@]host:26379,host:26379/name';

/** The text itself is not shown, because it may hold a password. */
const fault = (): RangeError => new RangeError(`Redis URL must be ${redisForms}`);

/**
 * Reads `redis[s]://[user][:password@]host[:port][/db]`, `unix:///path/to.sock[?db=n]` or
 * `redis+sentinel://[user][:password@]host[:port],host[:port]/name`, the last with `db`, `role=replica`, `tls=1`,
 * `sentinel_username` and `sentinel_password`; each with `replicas`, which is 1 for a Sentinel group and 0 elsewhere when
 * absent. Throws RangeError when the text is none of these.
 */
export function parseRedisUrl(text: string): RedisTarget {
  if (text.startsWith('redis+sentinel:')) return groupOf(text);
  if (!URL.canParse(text)) throw fault();
  const url = new URL(text);
  if (url.protocol === 'unix:') return socketOf(url);
  if (!/^rediss?:$/.test(url.protocol)) throw fault();
  const { searchParams: given } = url;
  return {
    kind: 'server',
    ...addressOf(url, 6_379),
    ...accessOf(url, parametersOf(given, 'server'), url.pathname.slice(1)),
    tls: url.protocol === 'rediss:',
  };
}

function socketOf(url: URL): Socket {
  if (url.hostname !== '' || url.pathname.length < 2) throw fault();
  const given = parametersOf(url.searchParams, 'socket');
  const access = accessOf(url, given, given.get('db'));
  return { kind: 'socket', path: decodeURIComponent(url.pathname), ...access };
}

function groupOf(text: string): SentinelGroup {
  const { user = '', hosts = '', rest = '' } = sentinelForm.exec(text)?.groups ?? {};
  // With one host it is a URL like any other.
  const places = hosts.split(',').map((host) => `redis://${user}${host}/${rest}`);
  if (hosts === '' || !places.every((place) => URL.canParse(place))) throw fault();
  const urls = places.map((place) => new URL(place));
  const [url] = urls;
  if (url === undefined || urls.some(({ hostname }) => hostname === '')) throw fault();
  const name = decodeURIComponent(url.pathname.slice(1));
  const given = parametersOf(url.searchParams, 'group');
  const role = given.get('role') ?? 'master';
  const tls = given.get('tls') ?? '0';
  if (name === '' || !isRole(role) || !/^[01]$/.test(tls)) throw fault();
  const group: SentinelGroup = {
    ...{ kind: 'group', name, role, tls: tls === '1' },
    sentinels: urls.map((one) => addressOf(one, 26_379)),
    ...accessOf(url, given, given.get('db'), '1'),
  };
  const [username, password] = [given.get('sentinel_username'), given.get('sentinel_password')];
  if (username !== undefined) group.sentinelUsername = username;
  if (password !== undefined) group.sentinelPassword = password;
  return group;
}

const isRole = (text: string): text is SentinelGroup['role'] =>
  text === 'master' || text === 'replica';

/** Throws when there is one that this kind of URL does not have. */
function parametersOf(
  given: URLSearchParams,
  kind: keyof typeof parameters,
): ReadonlyMap<string, string> {
  const known: readonly string[] = parameters[kind];
  if ([...given.keys()].some((name) => !known.includes(name))) throw fault();
  return new Map(given);
}

function accessOf(
  { username, password }: URL,
  given: ReadonlyMap<string, string>,
  database = '',
  fewest = '0',
): Access {
  const [db, replicas] = [database || '0', given.get('replicas') ?? fewest];
  if (!/^\d{1,5}$/.test(db) || !/^\d$/.test(replicas)) throw fault();
  const access: Access = { db: Number(db), replicas: Number(replicas) };
  if (username !== '') access.username = decodeURIComponent(username);
  if (password !== '') access.password = decodeURIComponent(password);
  return access;
}

const addressOf = ({ hostname, port }: URL, usual: number): Address => ({
  host: hostname.replace(/^\[|\]$/g, '') || 'localhost',
  port: port === '' ? usual : Number(port),
});

/** Reads a setting that is a URL of Redis. */
export function redisUrl(text: string): string {
  try {
    parseRedisUrl(text);
  } catch {
    throw new Error(
      'a URL that begins with redis:// or rediss:// or unix://, or redis+sentinel://host:26379,host:26379/name, with the parameters of docs/operating.md alone',
    );
  }
  return text.replace(/\/$/, '');
}
