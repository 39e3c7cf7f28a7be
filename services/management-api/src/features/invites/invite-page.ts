import { plainLine } from '@millrace/http/plain-line.ts';
import type { BytesReply } from '@millrace/http/replies/reply.ts';
import { html, joined, type Html } from '../../pages/html.ts';
import { page } from '../../pages/page.ts';
import { inviterOf, levelNames, untilOf } from './invite-mails.ts';
import type { StoredInvite } from './invite.ts';

/** Content of an invite's page. */
export interface InvitePageFacts {
  invite: Pick<StoredInvite, 'targetEmail' | 'level' | 'createdAt'> & {
    createdBy: { firstName: string; email: string } | null;
  };
  organizationName: string;
  lifeMs: number;
  /** The address has an account without proof: the person who joins takes it over. */
  isClaim?: boolean;
}

/** The page with the form for a person without an account. `wrong`: the error of the sent form. Pure. */
export function joinPage(
  facts: InvitePageFacts,
  sent: { firstName: string; lastName: string },
  error = '',
): BytesReply {
  const alert = error === '' ? '' : html`<p class="wrong" role="alert">${error}</p>`;
  return page(
    `Join ${facts.organizationName}`,
    html`${introduction(facts)}${facts.isClaim === true ? claimNotice : ''}${alert}
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

const claimNotice = html`<p>This address already has an account. It was made with a link that somebody passed on, and nobody has proven that the address is theirs.
If you join here, with the link that was mailed to you, you take the account over: all its keys stop working, and you get a new one.</p>`;

/** The page for a person with an account: they must join with one of their keys, which proves who they are. Pure. */
export function accountPage(facts: InvitePageFacts, acceptUrl: string): BytesReply {
  return page(
    `Join ${facts.organizationName}`,
    html`${introduction(facts)}
<p>You have an account already. Join with one of its personal API keys:</p>
<pre>curl -X POST '${acceptUrl}' -H "Authorization: Bearer $KEY"</pre>
<p>The invite can be accepted until ${untilOf(facts.invite, facts.lifeMs)}.</p>`,
  );
}

/** Facts that the page after joining shows. */
interface JoinedFacts {
  organizationName: string;
  key: string;
  projectsUrl: string;
  /** Organizations where a claimed account was a member before, and how to leave them; null: the account is new. */
  claimed?: { name: string; leaveUrl: string }[] | null;
}

/** After joining: the key, this once. Pure. */
export function joinedPage({ organizationName, key, projectsUrl, claimed = null }: JoinedFacts): BytesReply {
  return page(
    `Welcome to ${organizationName}`,
    html`<p>This is your personal API key. It acts as you. It is shown only this once: store it where nobody else can read it.</p>
<pre>${key}</pre>
<p>Your projects:</p>
<pre>curl '${projectsUrl}' -H "Authorization: Bearer $KEY"</pre>
<p>The <a href="/docs">reference</a> shows all that you can do.</p>${claimed === null ? '' : formerPart(claimed)}`,
  );
}

/** The page of a link without an invite to accept. Pure. */
export function nothingPage(why: string): BytesReply {
  return page('Nothing to accept', html`<p>${why}</p><p>Ask the person who invited you for a new invite.</p>`);
}

/** Part of the page about changes that another person may have made with the account. */
function formerPart(claimed: readonly { name: string; leaveUrl: string }[]): Html {
  const places = claimed.map(
    ({ name, leaveUrl }) => html`<p>It is in the organization <strong>${plainLine(name)}</strong>. To leave it:</p>
<pre>curl -X DELETE '${leaveUrl}' -H "Authorization: Bearer $KEY"</pre>`,
  );
  return html`<h2>The account existed before you joined</h2>
<p>Nobody who used it before can use it now: its keys and run tokens no longer work, and the invites that it made are withdrawn. You did not do what was done with it before. The activity log shows administrators when you took it over.</p>
${joined(places)}`;
}

function introduction({ invite, organizationName }: InvitePageFacts): Html {
  return html`<p>${inviterOf(invite)} invites <strong>${invite.targetEmail}</strong> to the organization <strong>${plainLine(organizationName)}</strong>, as ${levelNames[invite.level] ?? ''}.</p>`;
}
