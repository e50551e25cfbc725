/** Where alerts may be sent: the URL of a receiver, and the addresses that its name leads to. Pure. */
import { BlockList, isIP, isIPv4 } from 'node:net';

/** IPv4 networks that are not the internet (IANA, special-purpose address registry). */
const blockedV4: readonly [network: string, bits: number][] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.31.196.0', 24],
  ['192.52.193.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['192.175.48.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
  // Answers metadata at some hosting companies.
  ['168.63.129.16', 32],
];
/** Within the unicast space of IPv6, what is not the internet or leads to an IPv4 address. */
const blockedV6: readonly [network: string, bits: number][] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['2620:4f:8000::', 48],
  ['3fff::', 20],
];

const blocked = new BlockList();
for (const [network, bits] of blockedV4) blocked.addSubnet(network, bits, 'ipv4');
for (const [network, bits] of blockedV6) blocked.addSubnet(network, bits, 'ipv6');
/** All unicast addresses of the internet in IPv6: loopback, mapped, translated, local and multicast ones stand outside. */
const unicastV6 = new BlockList();
unicastV6.addSubnet('2000::', 3, 'ipv6');

/** Whether an address is one of the public internet. False for a text that is none. */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 0 || address.includes('%')) return false;
  if (isIPv4(address)) return !blocked.check(address, 'ipv4');
  return unicastV6.check(address, 'ipv6') && !blocked.check(address, 'ipv6');
}

/** A URL that alerts may be sent to, as far as it says itself. */
export interface CheckedUrl {
  url: URL;
  /** Its host is one of `ALERT_HOSTS_ALLOWED`: its addresses are not looked at. */
  isAllowed: boolean;
}

/** Names that mean this machine or its network (RFC 6761, RFC 6762, RFC 8375), and those of metadata services. */
const localNames =
  /(^|\.)(localhost|local|localdomain|internal|intranet|lan|home|corp|private|home\.arpa|test|invalid|onion|example|default|svc|cluster)$/;

/** The host of a URL without the brackets of IPv6, and without the dot that ends a full name. */
const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');

const noHost = 'its host is not on the internet';

/** The fault of a host that is not one of one's own network; null where it may be on the internet. */
function hostFault(host: string): string | null {
  if (isIP(host) !== 0) return isPublicAddress(host) ? null : 'its address is not on the internet';
  return host.includes('.') && !localNames.test(host) ? null : noHost;
}

/**
 * Checks the URL of a receiver; the fault in words where it may not be sent to. `allowed`: hosts of one's own network, with
 * or without a port.
 */
export function checkUrl(text: string, allowed: ReadonlySet<string>): CheckedUrl | string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null) return 'it is no URL';
  if (url.username !== '' || url.password !== '') return 'it holds a user or a password';
  const host = hostOf(url);
  const isAllowed = allowed.has(host) || allowed.has(url.host);
  const isHttp = url.protocol === 'http:' && isAllowed;
  if (url.protocol !== 'https:' && !isHttp) return 'it must begin with https://';
  const fault = isAllowed ? null : hostFault(host);
  return fault ?? { url, isAllowed };
}
