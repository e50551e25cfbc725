import { exportSPKI, SignJWT, UnsecuredJWT } from 'jose';
import t, { type Test } from 'tap';
import { defaultPlans } from '../../../config/plans.ts';
import { type Identity, Verifier } from '../../../http/auth/identity.ts';
import { jwksTimes } from '../../../http/auth/jwks.ts';
import {
  badToken,
  expiredToken,
  noToken,
  providerUnavailable,
} from '../../../http/auth/refusals.ts';
import { FakeClock } from '../../support/clock.ts';
import { until } from '../../support/until.ts';
import { audience, issuer, LogBook, sign, signingKey, startProvider } from './world.ts';

async function world(t: Test) {
  const key = await signingKey('one');
  const provider = await startProvider(t, [key]);
  const clock = new FakeClock();
  const book = new LogBook();
  const verifier = new Verifier(provider, defaultPlans, clock, book.log);
  const verify = (token: string) => verifier.verify(`Bearer ${token}`);
  return { key, provider, clock, book, verifier, verify };
}

t.test('a good token, and what it says', async (t) => {
  const { key, clock, verify, verifier, book } = await world(t);
  const now = clock.now();
  const issued = Math.floor(now / 1000);
  const until = (issued + 3_600) * 1000;
  const alice: Identity = { account: 'alice', plan: null, issued, until };
  t.same(await verify(await sign(key, now)), alice);
  const paying = { plan: 'pro', email: 'alice@example.com' };
  t.same(await verify(await sign(key, now, paying)), { ...alice, ...paying });
  t.same(await verify(await sign(key, now, { aud: ['other', audience] })), alice);
  for (const plan of ['gold', 7, null]) {
    t.same(
      await verify(await sign(key, now, { plan })),
      { ...alice, plan: 'free' },
      'an unknown plan is free',
    );
    await verify(await sign(key, now, { plan }));
  }
  t.equal(book.text.split('a plan that is not known').length - 1, 3, 'and is logged once each');
  for (let i = 0; i < 98; i++) await verify(await sign(key, now, { plan: `${i}`.padEnd(80, '-') }));
  const logged = book.text.match(/plan: '.*'/g) ?? [];
  t.strictSame([logged.length, logged.at(-1)?.length], [100, 72], 'a hundred, each cut');
  t.same(await verifier.verify(`bearer  ${await sign(key, now)}`), alice, 'scheme in any case');
});

t.test('signatures of every pinned kind', async (t) => {
  const { provider, clock, verify } = await world(t);
  const rsa = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'];
  for (const alg of [...rsa, 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519']) {
    const key = await signingKey(alg, alg);
    provider.keys.push(key);
    await clock.advance(jwksTimes.cooldown);
    t.match(await verify(await sign(key, clock.now())), { account: 'alice' }, alg);
  }
});

t.test('tokens that are wrong in one thing', async (t) => {
  const { key, clock, verify, verifier } = await world(t);
  const now = clock.now();
  const seconds = Math.floor(now / 1000);
  const refused = async (what: string, changes: Parameters<typeof sign>[2], as = badToken) =>
    t.equal(await verify(await sign(key, now, changes)), as, what);
  await refused('wrong audience', { aud: 'other' });
  await refused('no audience', { aud: undefined });
  await refused('wrong issuer', { iss: `${issuer}x` });
  await refused('no issuer', { iss: undefined });
  await refused('expired', { exp: seconds - 30 }, expiredToken);
  await refused('never expires', { exp: undefined });
  await refused('not valid yet', { nbf: seconds + 31 });
  await refused('no issue time', { iat: undefined });
  await refused('no subject', { sub: undefined });
  await refused('empty subject', { sub: '' });
  await refused('oversized subject', { sub: 'a'.repeat(256) });
  // RFC 7519, 4.1.2: `sub` is a string, whatever the types say.
  for (const sub of [123, 0, true, null, ['alice'], { id: 'alice' }, '\ud800']) {
    await refused(`subject ${JSON.stringify(sub)}`, { sub });
  }
  await refused('oversized token', { padding: 'x'.repeat(8_192) });
  const tolerated = { exp: seconds - 29, nbf: seconds + 29 };
  t.match(await verify(await sign(key, now, tolerated)), { account: 'alice' }, 'clocks differ');
  const longest = { sub: 'a'.repeat(255), email: 'e'.repeat(320) };
  t.match(await verify(await sign(key, now, longest)), {
    account: longest.sub,
    email: longest.email,
  });
  for (const email of ['e'.repeat(321), 7]) {
    t.notOk('email' in (await verify(await sign(key, now, { email }))), 'no email address');
  }
  const token = await sign(key, now);
  const padded = (length: number) => verifier.verify(`Bearer${token.padStart(length - 6)}`);
  t.match(await padded(8_192), { account: 'alice' });
  t.equal(await padded(8_193), badToken);
});

t.test('forged tokens', async (t) => {
  const { key, clock, verify, book } = await world(t);
  const now = clock.now();
  const good = await sign(key, now);
  const [head = '', body = '', signature = ''] = good.split('.');
  const claims = { sub: 'alice', iss: issuer, aud: audience };
  const none = new UnsecuredJWT(claims).setIssuedAt(now / 1000).setExpirationTime(now / 1000 + 60);
  t.equal(await verify(none.encode()), badToken, 'alg: none');
  t.equal(await verify(`${head}.${body}.`), badToken, 'no signature');
  t.equal(await verify(`${head}.${body}.${signature.slice(4)}AAAA`), badToken, 'other signature');
  const other = Buffer.from(JSON.stringify({ ...claims, sub: 'admin' })).toString('base64url');
  t.equal(await verify(`${head}.${other}.${signature}`), badToken, 'other claims');
  const stranger = await signingKey('one');
  t.equal(await verify(await sign(stranger, now)), badToken, 'another key of the same id');
  t.notMatch(book.text, /alice|eyJ/, 'no claim and no token is logged');
});

t.test('HS256 with the public key as the secret', async (t) => {
  const { provider, clock, verify } = await world(t);
  const rsa = await signingKey('rsa', 'RS256');
  provider.keys.push(rsa);
  const now = clock.now();
  t.match(await verify(await sign(rsa, now)), { account: 'alice' });
  const pem = await exportSPKI(rsa.publicKey);
  const secrets = [pem, JSON.stringify(rsa.jwk), String(rsa.jwk.n)];
  for (const secret of secrets) {
    const forged = await new SignJWT({ sub: 'admin', iss: issuer, aud: audience })
      .setProtectedHeader({ alg: 'HS256', kid: 'rsa' })
      .setIssuedAt(now / 1000)
      .setExpirationTime(now / 1000 + 60)
      .sign(Buffer.from(secret));
    t.equal(await verify(forged), badToken);
  }
});

t.test('what is not a token at all', async (t) => {
  const { verifier, provider } = await world(t);
  t.equal(await verifier.verify(''), noToken);
  const garbage = ['Bearer', 'Bearer ', 'Bearer x', 'Bearer a.b.c', 'Basic YTpi', 'Bearer a.b.c.d'];
  garbage.push(
    'Bearer ..',
    'Bearer eyJ.eyJ.x',
    `Bearer ${'x'.repeat(100_000)}`,
    '\0',
    'Bearer 💥.a.b',
  );
  for (const text of garbage)
    t.equal(await verifier.verify(text), badToken, JSON.stringify(text.slice(0, 20)));
  t.equal(provider.asked, 0, 'no garbage makes the provider be asked');
});

t.test('rotation: an unknown key id has the keys fetched, at most every 30 s', async (t) => {
  const { key, provider, clock, verify } = await world(t);
  await verify(await sign(key, clock.now()));
  t.equal(provider.asked, 1);
  const next = await signingKey('two');
  provider.keys = [next];
  const token = await sign(next, clock.now());
  t.equal(await verify(token), badToken, 'the keys were fetched a moment ago');
  await clock.advance(jwksTimes.cooldown);
  const answers = await Promise.all(Array.from({ length: 20 }, () => verify(token)));
  t.ok(answers.every((answer) => 'account' in answer));
  t.equal(provider.asked, 2, 'twenty tokens share one fetch');
  t.equal(await verify(await sign(key, clock.now())), badToken, 'the old key is gone');
  const unknown = await signingKey('three');
  for (let i = 0; i < 100; i++) await verify(await sign(unknown, clock.now(), { kid: `k${i}` }));
  t.equal(provider.asked, 2, 'made-up key ids do not flood the provider');
});

t.test('a withdrawn signing key is accepted for ten minutes at most', async (t) => {
  const { key, provider, clock, verify } = await world(t);
  const other = await signingKey('two');
  const token = await sign(key, clock.now());
  await verify(token);
  provider.keys = [other];
  await clock.advance(jwksTimes.refresh);
  await verify(token);
  t.equal(provider.asked, 1);
  await clock.advance(1);
  t.match(await verify(token), { account: 'alice' }, 'no request waits for the refresh');
  await until(async () => (await verify(token)) === badToken, 'the key is refused');
  t.equal(provider.asked, 2);
});

t.test('an issuer that is down', async (t) => {
  const { key, provider, clock, verify } = await world(t);
  await provider.down();
  const later = { exp: clock.now() / 1000 + 10 * 86_400 };
  const token = await sign(key, clock.now(), later);
  t.equal(await verify(token), providerUnavailable, 'from the start: try again');
  await provider.up();
  await clock.advance(jwksTimes.start);
  t.match(await verify(token), { account: 'alice' }, 'it is asked again soon');
  await provider.down();
  for (let hour = 0; hour <= 24; hour++) {
    if (hour > 0) await clock.advance(3_600_000);
    t.match(await verify(token), { account: 'alice' }, 'its keys outlive it');
    const unknown = await sign(await signingKey('x'), clock.now());
    t.equal(await verify(unknown), badToken);
  }
  await clock.advance(1);
  t.equal(await verify(token), providerUnavailable, 'for a day');
  await provider.up();
  await clock.advance(jwksTimes.cooldown);
  t.match(await verify(token), { account: 'alice' });
});

t.test('an issuer that is broken', async (t) => {
  const { key, provider, clock, verify, book } = await world(t);
  const token = await sign(key, clock.now());
  const set = JSON.stringify({ keys: [key.jwk] });
  const bodies = ['', 'null', '[]', '{"keys":5}', '<html>', set.padEnd(262_145)];
  const answers = [
    ...bodies.map((body) => ({ status: 200, body })),
    { status: 500, body: '{"keys":[]}' },
    { status: 302, body: '' },
  ];
  for (const broken of answers) {
    provider.broken = broken;
    t.equal(
      await verify(token),
      providerUnavailable,
      `${broken.status} ${broken.body.slice(0, 9)}`,
    );
    await clock.advance(jwksTimes.start);
  }
  provider.broken = { status: 200, body: set.padEnd(262_144) };
  provider.hanging = true;
  t.equal(await verify(token), providerUnavailable, 'no answer within the deadline');
  await clock.advance(jwksTimes.start);
  provider.hanging = false;
  t.match(await verify(token), { account: 'alice' });
  t.match(book.text, /signing keys could not be fetched/);
});
