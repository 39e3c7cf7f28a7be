import { refusedFields } from '@millrace/http/hint.ts';
import { meantName } from '@millrace/query-language/hints/meant-name.ts';

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
 * effect (`meantName`). Every other unknown field is ignored (contract/decisions 10).
 */
export function misnamedFields(ours: Readonly<Record<string, readonly string[]>>): ReturnType<typeof refusedFields> {
  const meant = meantName(ours);
  return refusedFields((given) => {
    const name = meant(given);
    return name && `Write ${name}.`;
  });
}
