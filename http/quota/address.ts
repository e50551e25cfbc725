import { BlockList, isIP } from 'node:net';
import { BoundedMap } from '../wire/bounded-map.ts';

/** The facts that a client address is derived from. */
export interface Peer {
  /** The address of the connection's other end, 4 or 16 bytes; none where the client has reset it. */
  peer: ArrayBuffer;
  /** The lines of `X-Forwarded-For`, in their order; called only when the peer is a trusted proxy. */
  forwarded(): readonly string[];
}

/** Names the client of a request: an IPv4 address, or the /64 of an IPv6 address, since a client has a whole /64. */
export type AddressOf = (peer: Peer) => string;

const mapped = '0:0:0:0:0:ffff:';

/** Texts of recent IPv4 addresses. */
const texts = new BoundedMap<number, string>({ entries: 10_000 });

function ipv4Text(peer: ArrayBuffer): string {
  const number = new DataView(peer).getUint32(0);
  const known = texts.get(number);
  if (known !== undefined) return known;
  const text = new Uint8Array(peer).join('.');
  texts.set(number, text);
  return text;
}

/** The address of a connection that the client has reset. */
const unspecified = '0:0:0:0:0:0:0:0';

/** The text of 4 or 16 bytes; an IPv4-mapped address is IPv4. */
function textOf(peer: ArrayBuffer): string {
  if (peer.byteLength === 4) return ipv4Text(peer);
  if (peer.byteLength === 0) return unspecified;
  const view = new DataView(peer);
  const groups = Array.from({ length: 8 }, (_, i) => view.getUint16(2 * i).toString(16));
  const text = groups.join(':');
  return text.startsWith(mapped) ? new Uint8Array(peer, 12).join('.') : text;
}

/** The eight groups of an IPv6 text, as the URL parser normalises them; a zone is not part of the address. */
function groupsOf(text: string): string[] {
  const url = URL.parse(`http://[${text.replace(/%.*$/, '')}]`);
  const [head = '', tail] = (url?.hostname.slice(1, -1) ?? '::').split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  return [...left, ...Array<string>(8 - left.length - right.length).fill('0'), ...right];
}

/** Canonical text of an address, IPv4 for IPv4-mapped ones; null for an invalid address. */
function canonical(text: string): string | null {
  const family = isIP(text);
  if (family === 4) return text;
  if (family === 0) return null;
  const groups = groupsOf(text);
  if (!groups.join(':').startsWith(mapped)) return groups.join(':');
  const halves = groups.slice(6).map((group) => Number.parseInt(group, 16));
  return halves.flatMap((half) => [half >> 8, half & 255]).join('.');
}

const network = (address: string): string =>
  address.includes(':') ? `${address.split(':').slice(0, 4).join(':')}::/64` : address;

/** One entry of `X-Forwarded-For`, where some proxies add the port. */
const entryOf = (text: string): string | null => {
  const trimmed = text.trim();
  const bare = /^\[([^\]]+)\](?::\d+)?$/.exec(trimmed)?.[1] ?? /^([\d.]+):\d+$/.exec(trimmed)?.[1];
  return canonical(bare ?? trimmed);
};

/**
 * The proxies of a list of addresses and CIDR ranges such as `10.0.0.0/8` or `fd00::/8`. Throws RangeError that
 * names an invalid entry.
 */
export function parseProxies(entries: readonly string[]): BlockList {
  const list = new BlockList();
  for (const entry of entries) {
    const [address = '', length, ...more] = entry.split('/');
    const family = isIP(address);
    const longest = family === 4 ? 32 : 128;
    const bits = length === undefined ? longest : Number(length);
    if (family === 0 || more.length > 0 || !/^\d+$/.test(length ?? '0') || bits > longest) {
      throw new RangeError(`${entry} is not an IP address or CIDR range`);
    }
    list.addSubnet(address, bits, family === 4 ? 'ipv4' : 'ipv6');
  }
  return list;
}

const isLoopback = (address: string | null): boolean =>
  address !== null && (address.startsWith('127.') || address === '0:0:0:0:0:0:0:1');

const trusts = (list: BlockList, address: string): boolean =>
  list.check(address, address.includes(':') ? 'ipv6' : 'ipv4');

/**
 * Whether the client of a request is on this machine. For a request through a proxy on this machine that holds only
 * when the proxy is one of `proxies` and `X-Forwarded-For` has loopback addresses alone.
 */
export function createIsLocal(proxies: readonly string[]): (peer: Peer) => boolean {
  const list = parseProxies(proxies);
  return ({ peer, forwarded }) => {
    const address = textOf(peer);
    if (!isLoopback(address)) return false;
    const entries = forwarded().flatMap((line) => line.split(','));
    if (entries.length === 0) return true;
    return trusts(list, address) && entries.every((entry) => isLoopback(entryOf(entry)));
  };
}

/**
 * Addresses of clients, behind `proxies` if there are any: reads `X-Forwarded-For` from the right, past trusted
 * proxies, to the first other address. An invalid entry ends the search.
 */
export function createAddressOf(proxies: readonly string[]): AddressOf {
  if (proxies.length === 0) return ({ peer }) => network(textOf(peer));
  const list = parseProxies(proxies);
  const trusted = (address: string) => trusts(list, address);
  return ({ peer, forwarded }) => {
    let client = textOf(peer);
    if (!trusted(client)) return network(client);
    const entries = forwarded().flatMap((line) => line.split(','));
    for (const entry of entries.reverse()) {
      const address = entryOf(entry);
      if (address === null) break;
      client = address;
      if (!trusted(client)) break;
    }
    return network(client);
  };
}
