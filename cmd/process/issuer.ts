/** Identity providers: the configured one, and the development issuer that stands in for it in local mode. */
import { existsSync, linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK, SignJWT } from 'jose';
import type { IdentityProvider } from '../../http/auth/identity.ts';
import { makeFolder } from './folder.ts';
import { StartError } from './process.ts';
import { refuseInProduction } from './provider.ts';

const algorithm = 'ES256';
const issuer = 'tidemark-development';
const audience = 'tidemark';

/** The claims of a token of the development issuer. */
export interface TokenClaims {
  sub: string;
  /** Absent: the token says nothing of the plan, and the account keeps its own. */
  plan?: string | undefined;
  email?: string | undefined;
  /** Life in seconds. */
  expires: number;
}

export interface DevelopmentIssuer {
  provider: IdentityProvider;
  /** A signed token. */
  token(claims: TokenClaims): Promise<string>;
}

/** Whether an issuer was made under `dataDir`: the service ran with this folder. */
export const hasIssuer = (dataDir: string): boolean => existsSync(privateFile(dataDir));

const privateFile = (dataDir: string) => resolve(dataDir, 'issuer', 'private.json');

/**
 * The issuer whose key pair is under `dataDir`, made when there is none: `issuer/private.json` (mode 0600) and
 * `issuer/jwks.json`. Throws StartError in production.
 */
export async function developmentIssuer(
  dataDir: string,
  nodeEnv: string | null,
): Promise<DevelopmentIssuer> {
  refuseInProduction(nodeEnv);
  const folder = makeFolder(dataDir, 'issuer');
  const { d, ...open } = await keyPair(privateFile(dataDir));
  const kid = await calculateJwkThumbprint(open);
  const published = join(folder, 'jwks.json');
  const keys = [{ ...open, kid, alg: algorithm, use: 'sig' }];
  const draft = draftOf(published);
  writeFileSync(draft, JSON.stringify({ keys }), { mode: 0o600 });
  renameSync(draft, published);
  const key = await importJWK({ ...open, d }, algorithm);
  return {
    provider: { jwksUrl: pathToFileURL(published).href, issuer, audience },
    token: ({ sub, plan, email, expires }) =>
      new SignJWT({ plan, email })
        .setProtectedHeader({ alg: algorithm, kid, typ: 'JWT' })
        .setSubject(sub)
        .setIssuer(issuer)
        .setAudience(audience)
        .setIssuedAt()
        .setExpirationTime(new Date(Date.now() + expires * 1000))
        .sign(key),
  };
}

/** The key pair in the file. Of several processes that make one at once, the first to link its file wins. */
async function keyPair(path: string) {
  const known = read(path);
  if (known !== null) return known;
  const pair = await generateKeyPair(algorithm, { extractable: true });
  const draft = draftOf(path);
  writeFileSync(draft, JSON.stringify(await exportJWK(pair.privateKey)), { mode: 0o600 });
  try {
    linkSync(draft, path);
  } catch (error) {
    if (!isError(error, 'EEXIST')) throw error;
  } finally {
    rmSync(draft);
  }
  const made = read(path);
  if (made === null) throw new StartError(`${path} has gone while it was made`);
  return made;
}

function read(path: string): { kty: 'EC'; crv: string; x: string; y: string; d: string } | null {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (isError(error, 'ENOENT')) return null;
    throw error;
  }
  const fault = new StartError(`${path} holds no ${algorithm} private key: remove it`);
  let jwk: Record<string, unknown>;
  try {
    jwk = Object(JSON.parse(text));
  } catch {
    throw fault;
  }
  const { kty, crv, x, y, d } = jwk;
  if (kty !== 'EC' || typeof crv !== 'string' || typeof d !== 'string') throw fault;
  if (typeof x !== 'string' || typeof y !== 'string') throw fault;
  return { kty, crv, x, y, d };
}

const draftOf = (path: string): string => `${path}.${process.pid}`;

const isError = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code;
