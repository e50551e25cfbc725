/** Signatures of webhooks by Standard Webhooks: https://www.standardwebhooks.com */
import { createHmac, randomBytes } from 'node:crypto';

const prefix = 'whsec_';

/** A new secret: 32 random bytes. */
export const newSecret = (): string => prefix + randomBytes(32).toString('base64');

/** The header `webhook-signature`: one signature for each secret. `timestamp` is Unix seconds. */
export const signatureOf = (
  secrets: readonly string[],
  { id, timestamp, body }: { id: string; timestamp: number; body: string },
): string =>
  secrets
    .map((secret) => {
      const key = Buffer.from(secret.slice(prefix.length), 'base64');
      const digest = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`);
      return `v1,${digest.digest('base64')}`;
    })
    .join(' ');
