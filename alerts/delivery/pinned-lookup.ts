/** Looks at the addresses of a name, and pins the connection to them. */
import type { lookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { isPublicAddress } from '../rules/addresses.ts';

/** The name of a receiver leads to an address that alerts are not sent to. */
export class Blocked extends Error {
  override name = 'Blocked';
}

/**
 * Resolves a name and gives the connection the very addresses that were looked at: a name that is asked again may lead elsewhere.
 * One address that is not public is enough to refuse the name.
 */
export const pinnedLookup =
  (resolve: typeof lookup): LookupFunction =>
  (hostname, options, done) => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return done(error, []);
      const [first] = addresses;
      if (first === undefined || !addresses.every(({ address }) => isPublicAddress(address))) {
        return done(new Blocked(hostname), []);
      }
      if (options.all) done(null, addresses);
      else done(null, first.address, first.family);
    });
  };
