import { expect, test } from '@jest/globals';
import { newWebhookSecret, rotated, signatureHeaders, signingSecrets } from './webhook-secret.ts';

const dayMs = 24 * 3_600_000;

test('a message is signed as the specification of Standard Webhooks has it', () => {
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
  const message = { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', timestamp: 1614265330, body: '{"test": 2432232314}' };
  expect(signatureHeaders([secret], message)).toEqual({
    'webhook-id': message.id,
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  });
});

test('a secret is 32 random bytes, never the same twice', () => {
  expect(Buffer.from(newWebhookSecret().replace(/^whsec_/, ''), 'base64')).toHaveLength(32);
  expect(newWebhookSecret()).not.toBe(newWebhookSecret());
});

test('each secret signs for a day after it was replaced, and is not kept for longer', () => {
  const none = { webhookSecret: null, formerWebhookSecrets: [] };
  const first = rotated(none, 'first', 0);
  expect(first).toEqual({ webhookSecret: 'first', formerWebhookSecrets: [] });
  const third = rotated(rotated(first, 'second', 0), 'third', 1_000);
  expect(signingSecrets(third, dayMs - 1)).toEqual(['third', 'second', 'first']);
  expect(signingSecrets(third, dayMs)).toEqual(['third', 'second']);
  expect(signingSecrets(third, dayMs + 1_000)).toEqual(['third']);
  expect(rotated(third, 'fourth', dayMs).formerWebhookSecrets.map(({ secret }) => secret)).toEqual(['third', 'second']);
  expect(signingSecrets(none, 0)).toEqual([]);
});
