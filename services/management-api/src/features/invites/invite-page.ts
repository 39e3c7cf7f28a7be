import { createHash } from 'node:crypto';
import { bytes, type BytesReply } from '@millrace/http/reply.ts';
import { html, type Html } from './html.ts';
import { inviterOf, levelNames, untilOf } from './invite-mails.ts';
import type { StoredInvite } from './invite.ts';

/** What the page of an invite says of it. */
export interface InvitePageFacts {
  invite: Pick<StoredInvite, 'targetEmail' | 'firstName' | 'level' | 'createdBy' | 'createdAt'>;
  organizationName: string;
  lifeMs: number;
}

const style = `
body { margin: 0; font: 16px/1.5 system-ui, sans-serif; color: #1c1e21; background: #f4f5f7 }
main { max-width: 34rem; margin: 4rem auto; padding: 2rem; background: #fff; border: 1px solid #d9dce1; border-radius: 8px }
h1 { font-size: 1.4rem; margin-top: 0 }
label { display: block; margin: 1rem 0 .25rem }
input { font: inherit; width: 100%; box-sizing: border-box; padding: .5rem; border: 1px solid #9aa0a9; border-radius: 4px }
button { font: inherit; margin-top: 1.5rem; padding: .5rem 1.5rem; border: 0; border-radius: 4px; color: #fff; background: #1f5fbf }
pre { padding: 1rem; overflow-x: auto; background: #f4f5f7; border-radius: 4px }
.wrong { color: #a3231f }
`;

/**
 * Nothing from elsewhere, no script, no frame; the form goes here and nowhere else; the address, which holds the secret, is
 * told to nobody and the page is kept nowhere.
 */
const headers = {
  'content-security-policy': `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'x-robots-tag': 'noindex',
};

/** The page with the form of somebody who has no account yet. `wrong`: what was wrong with what was sent. Pure. */
export function joinPage(facts: InvitePageFacts, sent: { firstName: string; lastName: string }, wrong = ''): BytesReply {
  const problem = wrong === '' ? '' : html`<p class="wrong" role="alert">${wrong}</p>`;
  return page(
    `Join ${facts.organizationName}`,
    html`${introduction(facts)}${problem}
<form method="post" autocomplete="on">
<label for="first_name">First name</label>
<input id="first_name" name="first_name" value="${sent.firstName}" maxlength="150" required autocomplete="given-name">
<label for="last_name">Last name</label>
<input id="last_name" name="last_name" value="${sent.lastName}" maxlength="150" autocomplete="family-name">
<button>Join</button>
</form>
<p>The invite can be accepted until ${untilOf(facts.invite, facts.lifeMs)}.</p>`,
  );
}

/** For somebody who has an account: he joins with one of his keys, so that nobody else does. Pure. */
export function accountPage(facts: InvitePageFacts, acceptUrl: string): BytesReply {
  return page(
    `Join ${facts.organizationName}`,
    html`${introduction(facts)}
<p>You have an account already. Join with one of its personal API keys:</p>
<pre>curl -X POST '${acceptUrl}' -H "Authorization: Bearer $KEY"</pre>
<p>The invite can be accepted until ${untilOf(facts.invite, facts.lifeMs)}.</p>`,
  );
}

/** After joining: the key, this once. Pure. */
export function joinedPage({ organizationName, key, projectsUrl }: { organizationName: string; key: string; projectsUrl: string }): BytesReply {
  return page(
    `Welcome to ${organizationName}`,
    html`<p>This is your personal API key. It acts as you, and it is shown this once: keep it where nobody else reads it.</p>
<pre>${key}</pre>
<p>Your projects:</p>
<pre>curl '${projectsUrl}' -H "Authorization: Bearer $KEY"</pre>
<p>All that you can do is in the <a href="/docs">reference</a>.</p>`,
  );
}

/** For links behind which there is nothing to accept. Pure. */
export function nothingPage(why: string): BytesReply {
  return page('Nothing to accept', html`<p>${why}</p><p>Ask whoever invited you for a new invite.</p>`);
}

function introduction({ invite, organizationName }: InvitePageFacts): Html {
  return html`<p>${inviterOf(invite)} invites <strong>${invite.targetEmail}</strong> to the organization <strong>${organizationName}</strong>, as ${levelNames[invite.level] ?? ''}.</p>`;
}

function page(title: string, content: Html): BytesReply {
  const whole = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>`.text + style + html`</style>
</head>
<body>
<main>
<h1>${title}</h1>
${content}
</main>
</body>
</html>
`.text;
  return bytes('text/html; charset=utf-8', [Buffer.from(whole)], headers);
}
