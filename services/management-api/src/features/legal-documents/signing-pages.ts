import { plainLine } from '@millrace/http/plain-line.ts';
import type { BytesReply } from '@millrace/http/replies/reply.ts';
import { html, joined, type Html } from '../../pages/html.ts';
import { page } from '../../pages/page.ts';
import { partsOf } from './document-facts.ts';
import type { StoredDocument } from './legal-document.ts';
import { longName } from './signing-mails.ts';

/** The page on which a document is read and signed. `wrong`: what was wrong with what was sent. Pure. */
export function signPage(document: StoredDocument, sent: { name: string; title: string }, error = ''): BytesReply {
  const alert = error === '' ? '' : html`<p class="wrong" role="alert">${error}</p>`;
  return page(
    `${longName(document.documentType)} of ${document.companyName}`,
    html`<p>Read this, and sign it below for <strong>${plainLine(document.companyName)}</strong>.</p>
${documentPart(document)}${alert}
<form method="post" autocomplete="on">
<label for="signer_name">Your name</label>
<input id="signer_name" name="signer_name" value="${sent.name}" maxlength="255" required autocomplete="name">
<label for="signer_title">Your title or position</label>
<input id="signer_title" name="signer_title" value="${sent.title}" maxlength="255" autocomplete="organization-title">
<label><input type="checkbox" name="agreed" value="yes" required> I have read the document, I may sign for ${plainLine(document.companyName)}, and I agree.</label>
<button>Sign</button>
</form>
<p>Asked for: ${document.representativeEmail}</p>`,
  );
}

/**
 * The page of a document that is signed. `link`: where it can be downloaded; null: it is not stored as a file. Pure.
 */
export function signedPage(document: StoredDocument, link: string | null): BytesReply {
  const download =
    link === null
      ? ''
      : html`<p><a href="${link}">Download it as a PDF</a> (the link is good for ten minutes; load this page again for another).</p>`;
  const when =
    document.signedAt === null ? '' : html` on ${document.signedAt.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  return page(
    `${longName(document.documentType)} of ${document.companyName}`,
    html`<p>Signed by <strong>${plainLine(document.signerName ?? '')}</strong>${when}.</p>${download}
${documentPart(document)}`,
  );
}

/** The page of a link without a document. Pure. */
export function nothingToSignPage(): BytesReply {
  return page('Nothing to sign', html`<p>This link is no longer valid. Ask the person who sent it for a new one.</p>`);
}

/** The document: a box with the customer's data, then the text. */
function documentPart(document: StoredDocument): Html {
  const { title, facts, words } = partsOf(document);
  const rows = joined(facts.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`));
  return html`<section aria-label="The document" tabindex="0"><h2>${title}</h2>
<dl class="facts">${rows}</dl>
<article>${words}</article></section>`;
}
