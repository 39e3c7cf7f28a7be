import { createHmac, randomBytes } from 'node:crypto';

const prefix = 'whsec_';
/** Deliveries are signed with the secret of before too, so long after another was made. */
const overlapMs = 24 * 3_600_000;

/** A new secret, as Standard Webhooks writes it: `whsec_` and 32 bytes in base64. */
export const newWebhookSecret = (): string => prefix + randomBytes(32).toString('base64');

/** The secrets that sign at this time, the newest first. Pure. */
export function signingSecrets(
  settings: { webhookSecret: string | null; previousWebhookSecret: string | null; webhookSecretAt: Date | null },
  nowMs: number,
): string[] {
  const { webhookSecret, previousWebhookSecret, webhookSecretAt } = settings;
  const isOverlap = webhookSecretAt !== null && nowMs < webhookSecretAt.getTime() + overlapMs;
  return [webhookSecret, isOverlap ? previousWebhookSecret : null].filter((secret) => secret !== null);
}

/** A message as it is signed; `timestamp` in seconds since 1970. */
interface Signed {
  id: string;
  timestamp: number;
  body: string;
}

/** The three headers of Standard Webhooks (standardwebhooks.com, "Signature scheme"): HMAC-SHA256 of `id.timestamp.body`, one signature for each secret. Pure. */
export function signatureHeaders(secrets: readonly string[], { id, timestamp, body }: Signed): Record<string, string> {
  const content = `${id}.${timestamp}.${body}`;
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(prefix.length), 'base64');
    return `v1,${createHmac('sha256', key).update(content).digest('base64')}`;
  });
  return { 'webhook-id': id, 'webhook-timestamp': String(timestamp), 'webhook-signature': signatures.join(' ') };
}
