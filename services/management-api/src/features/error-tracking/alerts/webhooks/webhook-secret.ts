import { createHmac, randomBytes } from 'node:crypto';
import type { ErrorTrackingAlertSettings } from '@millrace/postgres/generated/client.ts';

const prefix = 'whsec_';
/** Deliveries are signed with a former secret too, so long after another was made. */
const overlapMs = 24 * 3_600_000;
/** Former secrets at a time: each makes the header longer. The oldest goes first, since a key that leaked must be replaced at once. */
export const formerMax = 5;

/** A secret that was replaced, and the time until which it signs, in ISO 8601. */
type FormerSecret = Record<'secret' | 'until', string>;

/** A new secret, as Standard Webhooks writes it: `whsec_` and 32 bytes in base64. */
export const newWebhookSecret = (): string => prefix + randomBytes(32).toString('base64');

/** Secrets as the settings keep them; `formerWebhookSecrets` has `FormerSecret`s, the newest first. */
type Secrets = Pick<ErrorTrackingAlertSettings, 'webhookSecret' | 'formerWebhookSecrets'>;

/** Former secrets that sign at this time, the newest first. Pure. */
const validFormer = ({ formerWebhookSecrets }: Secrets, nowMs: number): FormerSecret[] =>
  (formerWebhookSecrets as unknown as FormerSecret[]).filter(({ until }) => nowMs < Date.parse(until));

/** The settings once `made` replaces their secret. Pure. */
export function rotated(settings: Secrets, made: string, nowMs: number) {
  const { webhookSecret: secret } = settings;
  const replaced = secret === null ? [] : [{ secret, until: new Date(nowMs + overlapMs).toISOString() }];
  return {
    webhookSecret: made,
    formerWebhookSecrets: [...replaced, ...validFormer(settings, nowMs)].slice(0, formerMax),
  };
}

/** The secrets that sign at this time, the newest first. Pure. */
export function signingSecrets(settings: Secrets, nowMs: number): string[] {
  const { webhookSecret } = settings;
  const former = validFormer(settings, nowMs).map(({ secret }) => secret);
  return webhookSecret === null ? former : [webhookSecret, ...former];
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
