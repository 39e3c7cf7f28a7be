import { createHash } from 'node:crypto';
import { styleText } from './theme.ts';

/**
 * Headers of a reply with a chart. Opened by itself, a picture may load and run nothing: its own style sheet alone is allowed.
 * Pictures in a page obey that page's policy, which does not look at the styles inside of them.
 */
export const chartHeaders: Readonly<Record<string, string>> = {
  'content-security-policy': `default-src 'none'; style-src 'sha256-${createHash('sha256').update(styleText).digest('base64')}'`,
  'x-content-type-options': 'nosniff',
};

/** Type of a chart's bytes. */
export const chartType = 'image/svg+xml; charset=utf-8';
