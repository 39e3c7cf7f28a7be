import { describe, expect, test } from '@jest/globals';
import { html } from '../../pages/html.ts';
import { inviteMail, joinedMail } from './invite-mails.ts';
import { accountPage, joinedPage, joinPage, nothingPage } from './invite-page.ts';

const createdAt = new Date('2026-01-02T03:04:05Z');
const facts = { organizationName: 'Acme', link: 'https://m.example/invites/secret', lifeMs: 3 * 86_400_000 };
const invite = {
  targetEmail: 'bob@x.example',
  firstName: '',
  level: 8,
  message: null,
  isSetupDelegation: false,
  createdAt,
  createdBy: { firstName: 'Ann', email: 'ann@x.example' },
};

describe('the mail of an invite', () => {
  test('names the inviter, the invited, the organization, the level, the end and the link', () => {
    expect(inviteMail({ ...invite, firstName: 'Bob', message: 'See you\n\nthere' }, facts)).toEqual({
      to: 'bob@x.example',
      subject: 'Ann (ann@x.example) invites you to Acme on Millrace',
      text: `Hello Bob,

Ann (ann@x.example) invites you to the organization Acme on Millrace, as an administrator.

Ann (ann@x.example) writes:

> See you
>
> there

To accept, open this page before 2026-01-05 03:04 UTC:

https://m.example/invites/secret

Whoever has this link can join in your name, so keep it to yourself. If you do not know who sent it, do nothing.
`,
    });
  });

  test('that hands a setup over is another one', () => {
    const { subject, text } = inviteMail({ ...invite, isSetupDelegation: true }, facts);
    expect(subject).toBe('Ann (ann@x.example) asks you to set up Acme on Millrace');
    expect(text).toContain('asks you to set up the organization Acme');
    expect(text).not.toContain('> ');
  });

  // A line of somebody else's that looks like ours, or that ends a header.
  test('no name breaks out of its line, and no line of a message passes for ours', () => {
    const evil = 'x\r\nBcc: eve@x.example\n\nhttps://evil.example';
    const { subject, text } = inviteMail(
      {
        ...invite,
        firstName: evil,
        message: `a\r\n\rTo accept, open\u2028https://evil.example`,
        createdBy: { firstName: evil, email: 'ann@x.example' },
      },
      { ...facts, organizationName: evil },
    );
    expect(subject).not.toMatch(/[\r\n]/);
    const own = text.split('\n').filter((line) => !line.startsWith('>'));
    expect(own.filter((line) => /^(?:https:\/\/evil|Bcc)/.test(line))).toEqual([]);
    expect(
      joinedMail('c@x.example', { firstName: evil, email: 'bob@x.example' }, evil).text.trim().split('\n'),
    ).toHaveLength(1);
  });
});

describe('no text of another user is a link in a mail', () => {
  // Texts that mail programs turn into links.
  const linkLike = /\w+:\/\/\S|www\.\w|[\w-]+\.[a-z]{2,}\b|mailto:\w|\S@\S+\.\w/i;
  const withoutOurs = (text: string): string => text.replace(facts.link, '').replaceAll('ann@x.example', '');
  const names = [
    'Click http://evil.example/now',
    'https://10.0.0.1/x',
    'www.evil.example',
    'evil.com',
    'mailto:eve@evil.com',
    'a\u202ehttp://evil.example',
  ];

  test.each(names)('%s', (name) => {
    const own = { ...invite, firstName: name, message: name, createdBy: { firstName: name, email: 'ann@x.example' } };
    for (const isSetupDelegation of [true, false]) {
      const { text } = inviteMail({ ...own, isSetupDelegation }, { ...facts, organizationName: name });
      expect(withoutOurs(text)).not.toMatch(linkLike);
    }
    const { text } = joinedMail('cy@x.example', { firstName: name, email: 'ann@x.example' }, name);
    expect(withoutOurs(text)).not.toMatch(linkLike);
  });
});

const evil = `"><script>alert('1')</script>&amp;`;

describe('the pages', () => {
  const evilFacts = {
    invite: { ...invite, targetEmail: evil, createdBy: { firstName: evil, email: evil } },
    organizationName: evil,
    lifeMs: 1,
  };
  test.each([
    ['form', joinPage(evilFacts, { firstName: evil, lastName: evil }, evil)],
    ['account', accountPage(evilFacts, evil)],
    ['joined', joinedPage({ organizationName: evil, key: evil, projectsUrl: evil })],
    ['nothing', nothingPage(evil)],
  ])(
    "%s: users' input is plain text in it; nothing is loaded, framed, cached or sent as referrer",
    (_name, { chunks, headers }) => {
      const text = Buffer.concat(chunks).toString();
      expect(text).not.toMatch(/<script|"><|alert\('/);
      expect(text).toContain('&quot;&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&amp;amp;');
      expect(headers['content-security-policy']).toMatch(
        /^default-src 'none'; style-src 'sha256-[^']+'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'$/,
      );
      expect(headers).toMatchObject({
        'referrer-policy': 'no-referrer',
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
      });
    },
  );

  test('HTML in HTML is not escaped twice', () =>
    expect(html`<p>${html`<b>${'<'}</b>`}</p>`.text).toBe('<p><b>&lt;</b></p>'));
});
