import { createHash } from 'node:crypto';
import type { Request } from 'express';
import { plainLine } from '@millrace/http/plain-line.ts';
import { bytes, type BytesReply } from '@millrace/http/replies/reply.ts';
import { html, type Html } from './html.ts';

const style = `
body { margin: 0; font: 16px/1.5 system-ui, sans-serif; color: #1c1e21; background: #f4f5f7 }
main { max-width: 34rem; margin: 4rem auto; padding: 2rem; background: #fff; border: 1px solid #d9dce1; border-radius: 8px }
h1 { font-size: 1.4rem; margin-top: 0 }
label { display: block; margin: 1rem 0 .25rem }
input { font: inherit; width: 100%; box-sizing: border-box; padding: .5rem; border: 1px solid #9aa0a9; border-radius: 4px }
input[type=checkbox] { width: auto }
button { font: inherit; margin-top: 1.5rem; padding: .5rem 1.5rem; border: 0; border-radius: 4px; color: #fff; background: #1f5fbf }
pre { padding: 1rem; overflow-x: auto; background: #f4f5f7; border-radius: 4px }
section { padding: 0 1rem; max-height: 60vh; overflow-y: auto; border: 1px solid #d9dce1; border-radius: 4px; overflow-wrap: anywhere }
h2 { font-size: 1.2rem }
article { white-space: pre-line; margin-bottom: 1rem }
.facts { margin: 0 0 1rem; padding: .5rem 1rem; border: 2px solid #1c1e21 }
.facts dt { font-weight: bold }
.facts dd { margin: 0 0 .5rem }
.wrong { color: #a3231f }
main.wide { max-width: 80rem; margin: 1rem auto }
.text { font: 13px/1.5 ui-monospace, monospace; white-space: pre-wrap; overflow-wrap: anywhere; unicode-bidi: plaintext }
`;

/**
 * Nothing from elsewhere, no script, no frame; the form goes here and nowhere else; the address, which holds the
 * secret, is sent nowhere and the page is cached nowhere.
 */
const headers = {
  'content-security-policy': `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'x-robots-tag': 'noindex',
};

/** A page that is opened by a secret link, or asks for a key. Pure. */
export function page(name: string, content: Html): BytesReply {
  return pageOf(pageBytes(name, content));
}

/** A page that was made by `pageBytes`. Pure. */
export function pageOf(whole: Uint8Array): BytesReply {
  return bytes('text/html; charset=utf-8', [whole], headers);
}

/** A page without its headers, for threads. `wide`: as wide as the window. Pure. */
export function pageBytes(name: string, content: Html, width: 'wide' | 'narrow' = 'narrow'): Uint8Array<ArrayBuffer> {
  const title = plainLine(name);
  const whole =
    html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>`.text +
    style +
    html`</style>
</head>
<body>
<main class="${width}">
<h1>${title}</h1>
${content}
</main>
</body>
</html>
`.text;
  return new TextEncoder().encode(whole);
}

/** Browsers say where a form comes from. Other clients do not, and have no user to be tricked. Pure. */
export function isFromElsewhere(request: Pick<Request, 'headers'>): boolean {
  const site = request.headers['sec-fetch-site'];
  return site !== undefined && site !== 'same-origin' && site !== 'none';
}
