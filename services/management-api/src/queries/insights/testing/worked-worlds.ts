import type { WorldEvent } from './world.ts';

const at = (time: string): string => `2025-${time}:00`;

/** W1 of contract/insights 5.8. */
export const w1: readonly WorldEvent[] = [
  { at: at('01-06 09:00'), who: 'ann', event: 'view', properties: { plan: 'pro', n: 10 } },
  { at: at('01-06 09:30'), who: 'ann', event: 'buy', properties: { plan: 'pro', amount: 20 } },
  { at: at('01-06 12:00'), who: 'bob', event: 'view', properties: { plan: 'free', n: 4 } },
  { at: at('01-07 08:00'), who: 'ann', event: 'view', properties: { plan: 'pro', n: 2 } },
  { at: at('01-07 10:00'), who: 'cat', event: 'view', properties: { n: 1 } },
  { at: at('01-08 10:00'), who: 'bob', event: 'view', properties: { plan: 'free', n: 6 } },
  { at: at('01-08 23:30'), who: 'bob', event: 'buy', properties: { plan: 'free', amount: 5.5 } },
  { at: at('01-09 00:15'), who: 'cat', event: 'view', properties: { plan: '', n: 3 } },
  { at: at('01-09 07:00'), who: 'ann', event: 'view', properties: { plan: 'team', n: 7 } },
  { at: at('01-09 07:00'), who: 'dee', event: 'buy', properties: { plan: 'pro', amount: 100 } },
  { at: at('01-10 11:00'), who: 'ann', event: 'buy', properties: { plan: 'team', amount: 1 } },
  { at: at('01-10 12:00'), who: 'dee', event: 'view', properties: { plan: 'pro', n: 5 } },
];

const page = (path: string) => ({
  $current_url: `https://x.example${path}`,
  $pathname: path === '/' ? '/' : path.replace(/\/$/, ''),
});

/** W2 of contract/insights 10.4, which W1 belongs to. */
export const w2: readonly WorldEvent[] = [
  { at: '2025-01-06 10:00:00', who: 'eve', event: '$pageview', session: 's1', properties: page('/') },
  { at: '2025-01-06 10:00:30', who: 'eve', event: '$pageview', session: 's1', properties: page('/pricing') },
  { at: '2025-01-06 10:02:00', who: 'eve', event: '$pageview', session: 's1', properties: page('/pricing') },
  { at: '2025-01-06 10:03:00', who: 'eve', event: 'signed up', session: 's1' },
  { at: '2025-01-06 11:00:00', who: 'fay', event: '$pageview', session: 's2', properties: page('/') },
  { at: '2025-01-06 11:00:20', who: 'fay', event: '$pageview', session: 's2', properties: page('/pricing/') },
  { at: '2025-01-06 11:00:00', who: 'eve', event: '$pageview', session: 's3', properties: page('/pricing') },
  { at: '2025-01-07 09:00:00', who: 'gus', event: '$pageview', session: 's4', properties: page('/blog') },
];
