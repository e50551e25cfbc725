/** Whether a receiver can ever be reached, as far as that shows when a rule is made. */
import { Resolver } from 'node:dns/promises';
import { checkUrl, isPublicAddress } from './addresses.ts';

/** The addresses of a name; none where they are not known. Never rejects. */
export type Resolve = (host: string) => Promise<readonly string[]>;

/** By DNS alone, which takes no thread of the process: a name that gives no answer within a second has no addresses. */
export const addressesOf: Resolve = async (host) => {
  const resolver = new Resolver({ timeout: 1_000, tries: 1 });
  const found = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
  return found.flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
};

export interface ReachOptions {
  /** Hosts of one's own network that alerts may be sent to. */
  allowed: ReadonlySet<string>;
  resolve: Resolve;
}

/** Why alerts can never be sent to a URL, in words; null where they may be. Each delivery is looked at again. */
export async function reachFault(url: string, options: ReachOptions): Promise<string | null> {
  const checked = checkUrl(url, options.allowed);
  if (typeof checked === 'string') return checked;
  if (checked.isAllowed) return null;
  const addresses = await options.resolve(checked.url.hostname);
  return addresses.every(isPublicAddress) ? null : 'its address is not on the internet';
}
