import { expect, test } from '@jest/globals';
import { isPlaceholder } from './placeholders.ts';

test.each([
  'phc_...',
  'phx_…',
  'phx_\u00e2\u0080\u00a6',
  'phr_<token>',
  '<your-personal-api-key>',
  '<ph_project_token>',
  '$POSTHOG_PROJECT_TOKEN',
  '${TOKEN}',
  '{{token}}',
  '{token}',
  '[your token]',
  '%TOKEN%',
  'phc_xxxxxxxx',
  'XXX',
  '***',
  'YOUR_API_KEY',
  'your project token',
  'phc_your_token',
  'API_KEY',
  'PROJECT_TOKEN',
])('%s is a placeholder', (text) => expect(isPlaceholder(text)).toBe(true));

test.each(['phc_k3J9dSx', 'phx_0', 'sTMFPsFhdP1Ssg', 'token', 'my-key', 'yourself', 'phc_', '', 'xx', 'KEYS'])(
  '%s is none',
  (text) => expect(isPlaceholder(text)).toBe(false),
);
