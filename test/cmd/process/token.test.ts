import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { type Clock, systemClock } from '../../../actors/kernel/clock.ts';
import { developmentIssuer } from '../../../cmd/process/issuer.ts';
import { providerOf } from '../../../cmd/process/provider.ts';
import { claimsOf } from '../../../cmd/process/token-claims.ts';
import { defaultPlans } from '../../../config/plans.ts';
import { Verifier } from '../../../http/auth/identity.ts';
import { expiredToken } from '../../../http/auth/refusals.ts';
import { FakeClock } from '../../support/clock.ts';
import { runCommand } from '../../support/command.ts';

const silent = { warn: () => {}, debug: () => {} };

function folder(t: Test): string {
  const path = mkdtempSync(join(tmpdir(), 'tidemark-token-'));
  t.teardown(() => rmSync(path, { recursive: true }));
  return path;
}

/** Runs `cmd/token.ts` on a folder where the service ran once, and gives what it says. */
async function token(dataDir: string, args: string[], more: Record<string, string> = {}) {
  await developmentIssuer(dataDir, null);
  return command(dataDir, args, more);
}

const command = (dataDir: string, args: string[], more: Record<string, string> = {}) =>
  runCommand('cmd/token.ts', args, { AUTH_JWKS_URL: '', NODE_ENV: '', DATA_DIR: dataDir, ...more });

async function verifierOf(dataDir: string, clock: Clock = systemClock) {
  const { provider } = await developmentIssuer(dataDir, null);
  return new Verifier(provider, defaultPlans, clock, silent);
}

t.test('it prints a token and nothing else, which a local instance believes', async (t) => {
  const dataDir = folder(t);
  const args = ['--sub', 'alice', '--plan', 'pro', '--email', 'a@example.com'];
  const { out, err, code } = await token(dataDir, args);
  t.equal(code, 0);
  t.equal(err, '');
  t.match(out, /^[\w-]+\.[\w-]+\.[\w-]+\n$/);
  const verifier = await verifierOf(dataDir);
  const told = await verifier.verify(`Bearer ${out.trim()}`);
  t.match(told, { account: 'alice', plan: 'pro', email: 'a@example.com' });
  const plain = await token(dataDir, ['--sub', 'bob']);
  t.match(
    await verifier.verify(`Bearer ${plain.out.trim()}`),
    { account: 'bob', plan: null },
    'it says nothing of the plan',
  );
});

t.test('--expires', async (t) => {
  const lives = [
    ['90m', 5_400],
    ['45s', 45],
    ['2h', 7_200],
    ['365d', 31_536_000],
  ] as const;
  const args = ['--sub', 'a'.repeat(255)];
  for (const [text, seconds] of lives)
    t.equal(claimsOf([...args, '--expires', text], defaultPlans).expires, seconds);
  t.equal(claimsOf(args, defaultPlans).expires, 3_600);

  const dataDir = folder(t);
  const clock = new FakeClock(Date.now());
  const verifier = await verifierOf(dataDir, clock);
  const { out } = await token(dataDir, [...args, '--expires', '90m']);
  await clock.advance(89 * 60_000);
  t.match(await verifier.verify(`Bearer ${out.trim()}`), { account: /^a+$/ });
  await clock.advance(3 * 60_000);
  t.equal(await verifier.verify(`Bearer ${out.trim()}`), expiredToken);
});

t.test('arguments that will not do are named, on standard error', async (t) => {
  const wrong: [string[], RegExp][] = [
    [[], /--sub must be 1 to 255 characters/],
    [['--sub', ''], /--sub/],
    [['--sub', 'a'.repeat(256)], /--sub must be 1 to 255/],
    [['--sub', 'a', '--plan', 'gold'], /--plan must be one of free, pro, local/],
    [['--sub', 'a', '--expires', '1y'], /--expires must be/],
    [['--sub', 'a', '--expires', '0s'], /--expires/],
    [['--sub', 'a', '--expires', '366d'], /at most 365d/],
    [['--subject', 'a'], /--subject/],
    [['alice'], /alice/],
  ];
  for (const [args, message] of wrong) {
    t.throws(() => claimsOf(args, defaultPlans), { message });
    t.throws(() => claimsOf(args, defaultPlans), { message: /usage: / });
  }
  const { out, err, code } = await token(folder(t), []);
  t.same({ out, code }, { out: '', code: 2 });
  t.match(err, /--sub must be.*\nusage: /);
});

t.test('it makes no issuer where nothing ran', async (t) => {
  const dataDir = folder(t);
  const { out, err, code } = await command(dataDir, ['--sub', 'alice']);
  t.match(err, `nothing has run with the data folder ${dataDir} yet`);
  t.same({ out, code }, { out: '', code: 2 });
  t.notOk(existsSync(join(dataDir, 'issuer')));
});

t.test('there is no development issuer in production', async (t) => {
  const dataDir = folder(t);
  const inProduction = await token(dataDir, ['--sub', 'a'], { NODE_ENV: 'production' });
  t.match(inProduction, { out: '', err: /NODE_ENV is production/, code: 2 });
  const elsewhere = { AUTH_JWKS_URL: 'https://id.example/jwks.json' };
  const other = await token(dataDir, ['--sub', 'a'], elsewhere);
  t.match(other, { out: '', err: /AUTH_JWKS_URL is set/, code: 2 });
  await t.rejects(developmentIssuer(dataDir, 'production'), { message: /NODE_ENV/ });
  const { provider } = await developmentIssuer(dataDir, null);
  const settings = {
    authJwksUrl: provider.jwksUrl,
    authIssuer: provider.issuer,
    authAudience: provider.audience,
    nodeEnv: null,
  };
  t.same(providerOf(settings), provider);
  t.throws(() => providerOf({ ...settings, nodeEnv: 'production' }), { message: /NODE_ENV/ });
  t.throws(() => providerOf({ ...settings, authAudience: null }), { message: /go together/ });
  const none = { authJwksUrl: null, authIssuer: null, authAudience: null, nodeEnv: 'production' };
  t.equal(providerOf(none), null);
});

t.test('one key pair per folder, for its owner’s eyes alone', async (t) => {
  const dataDir = folder(t);
  const issuers = await Promise.all(
    Array.from({ length: 8 }, () => developmentIssuer(dataDir, null)),
  );
  const verifier = await verifierOf(dataDir);
  for (const issuer of issuers) {
    const text = await issuer.token({ sub: 'alice', expires: 60 });
    t.match(await verifier.verify(`Bearer ${text}`), { account: 'alice' });
  }
  const path = join(dataDir, 'issuer', 'private.json');
  t.equal(statSync(path).mode & 0o777, 0o600);
  t.equal(statSync(join(dataDir, 'issuer')).mode & 0o777, 0o700);
  const published = readFileSync(join(dataDir, 'issuer', 'jwks.json'), 'utf8');
  const [key] = JSON.parse(published).keys;
  t.notOk('d' in key, 'the private part is not published');
  t.match(key, { alg: 'ES256', use: 'sig', kty: 'EC', crv: 'P-256' });
  const stranger = await developmentIssuer(folder(t), null);
  const forged = await stranger.token({ sub: 'alice', expires: 60 });
  t.match(await verifier.verify(`Bearer ${forged}`), { error: 'unauthorized' });
  for (const broken of ['', 'null', '{"kty":"EC"}']) {
    writeFileSync(path, broken);
    await t.rejects(developmentIssuer(dataDir, null), { message: /holds no ES256 private key/ });
  }
});
