import { plainLine } from '@millrace/http/plain-line.ts';

/** One address, in front of and after the @, without quotes, comments or a name (RFC 5321 4.1.2, the common part). */
const plainAddress =
  /^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@(?=.{1,253}$)[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?)*$/;
const lengthMax = 254;

export interface MailAddress {
  /** Empty: none. */
  name: string;
  address: string;
}

/** True for one plain mail address of at most 254 characters: nothing in it can end a header or name a second receiver. */
export function isMailAddress(text: string): boolean {
  return text.length <= lengthMax && plainAddress.test(text) && !/^\.|\.\.|\.@/.test(text);
}

/**
 * True when both are one address: the case of the letters A to Z does not distinguish mailboxes here. Other letters do,
 * also those that some rules of case take for one of these, such as the Kelvin sign. Pure.
 */
export function isSameAddress(one: string, other: string): boolean {
  return inLowerCase(one) === inLowerCase(other);
}

/**
 * The mailbox of an address, to count its mails by: in lower case, without a tag after `+` (RFC 5233), and without dots where the provider
 * passes over them. One mailbox has addresses without number by them. Pure.
 */
export function mailboxOf(address: string): string {
  const at = address.lastIndexOf('@');
  const tag = address.indexOf('+', 1);
  const name = address.slice(0, tag < 0 || tag > at ? at : tag).toLowerCase();
  const domain = address.slice(at).toLowerCase();
  return (dotless.has(domain) ? name.replaceAll('.', '') : name) + domain;
}

const dotless: ReadonlySet<string> = new Set(['@gmail.com', '@googlemail.com']);

const inLowerCase = (address: string): string => address.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());

/** Reads `address` or `Name <address>`; undefined when it is neither. */
export function parseMailAddress(text: string): MailAddress | undefined {
  const whole = text.trim();
  const bracket = whole.endsWith('>') ? whole.indexOf('<') : -1;
  const name = bracket < 0 ? '' : whole.slice(0, bracket).trim();
  const address = bracket < 0 ? whole : whole.slice(bracket + 1, -1);
  return isMailAddress(address) && !name.includes('>') && !hasControls(name)
    ? { name: name.replace(/^"(.*)"$/, '$1'), address }
    : undefined;
}

/**
 * Text of other people, as plain words of a mail: on one line, and without links. Mail programs turn everything that
 * looks like an address into a link, so a zero-width space follows each `.`, `:` and `@` that an address needs. Pure.
 */
export function asWords(text: string): string {
  return plainLine(text).replaceAll(/[.:@\u3002\uff0e\uff61\uff1a\uff20](?=\S)/g, '$&\u200b');
}

const hasControls = (text: string): boolean => /\p{Cc}/u.test(text);
