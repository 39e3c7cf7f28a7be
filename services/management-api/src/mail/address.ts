/** One address as it stands in front of and behind the @, without quotes, comments or a name (RFC 5321 4.1.2, the common part). */
const plainAddress = /^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@(?=.{1,253}$)[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?)*$/;
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

/** Reads `address` or `Name <address>`; undefined when it is neither. */
export function parseMailAddress(text: string): MailAddress | undefined {
  const [, name = '', inBrackets] = /^\s*([^<>]*?)\s*<([^<>]*)>\s*$/.exec(text) ?? [];
  const address = inBrackets ?? text.trim();
  return isMailAddress(address) && !hasControls(name) ? { name: name.replace(/^"(.*)"$/, '$1'), address } : undefined;
}

/** The text on one line: each run of control characters and line ends is one space. */
export function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim();
}

const hasControls = (text: string): boolean => /\p{Cc}/u.test(text);
