import { refusedFields } from '@millrace/http/hint.ts';
import { editDistance } from '@millrace/query-language/nearest-name.ts';

const nameLengthMax = 40;

/** Names that others give to `expires_at`. */
export const namesOfEnd = [
  'expires',
  'expires_in',
  'expires_on',
  'expiry',
  'expiration',
  'ends_at',
  'valid_until',
  'ttl',
];

/**
 * Keyword for a body whose fields open or close something: refuses names that were meant for one of `ours`, which would have no
 * effect. Those are the names beside it, its misspellings (two letters; one of a short name), and other ways to write its words
 * together. Every other unknown field is ignored (contract/decisions 10).
 */
export function misnamedFields(ours: Readonly<Record<string, readonly string[]>>): ReturnType<typeof refusedFields> {
  const known = Object.entries(ours).flatMap(([meant, others]) =>
    [meant, ...others].map((name) => ({ name: plain(name), meant, isOurs: name === meant })),
  );
  return refusedFields((given) => {
    if (given.length > nameLengthMax) return undefined;
    const name = plain(given);
    const found =
      known.find((one) => one.name === name) ??
      known.find((one) => one.isOurs && isMisspelling(name, one.name, one.name.length < 6 ? 1 : 2));
    return found && `Write ${found.meant}.`;
  });
}

/** The name without what separates its words. */
const plain = (name: string): string => name.toLowerCase().replaceAll(/[_-]/g, '');

function isMisspelling(name: string, of: string, lettersMax: number): boolean {
  return Math.abs(name.length - of.length) <= lettersMax && editDistance(name, of) <= lettersMax;
}
