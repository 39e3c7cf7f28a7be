import { expect, test } from '@jest/globals';
import { newWebhookSecret, signatureHeaders, signingSecrets } from './webhook-secret.ts';

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

test('the secret of before signs for a day after another was made', () => {
  const settings = { webhookSecret: 'new', previousWebhookSecret: 'old', webhookSecretAt: new Date(0) };
  expect(signingSecrets(settings, dayMs - 1)).toEqual(['new', 'old']);
  expect(signingSecrets(settings, dayMs)).toEqual(['new']);
  expect(signingSecrets({ ...settings, previousWebhookSecret: null }, 0)).toEqual(['new']);
});
