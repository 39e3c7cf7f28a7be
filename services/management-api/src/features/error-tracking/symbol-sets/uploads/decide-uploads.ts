import { AppError } from '@millrace/http/errors/errors.ts';
import { nameSome } from './name-some.ts';
import type { Offer, OfferedSet } from './upload-request.ts';

/** A set that is there. */
interface KnownSet {
  contentHash: string | null;
  releaseId: string | null;
}

interface Decision {
  /** Their files are to be uploaded. */
  upload: OfferedSet[];
  /** They have no release yet, and get that of the offer. */
  bind: OfferedSet[];
}

/**
 * The decision table of contract/orgs-errors 4.3, releases before content. Pure.
 * @throws {AppError} release_id_mismatch, content_hash_required, content_hash_mismatch, which name all the sets that they are about
 */
export function decideUploads({ sets, conflicts }: Offer, known: ReadonlyMap<string, KnownSet>): Decision {
  const refuse = (
    code: 'release_id_mismatch' | 'content_hash_required' | 'content_hash_mismatch',
    bad: OfferedSet[],
  ) => {
    if (bad.length > 0) throw new AppError(code, { detail: `${sentences[code]}: ${nameSome(bad)}.` });
  };
  const hashOf = ({ ref }: OfferedSet): string | null => known.get(ref)?.contentHash ?? null;
  const releaseOf = ({ ref }: OfferedSet): string | null => known.get(ref)?.releaseId ?? null;

  refuse(
    'release_id_mismatch',
    sets.filter((set) => set.releaseId !== null && releaseOf(set) !== null && releaseOf(set) !== set.releaseId),
  );
  const stored = sets.filter((set) => hashOf(set) !== null);
  refuse(
    'content_hash_required',
    stored.filter(({ contentHash }) => contentHash === null),
  );
  const changed = stored.filter((set) => set.contentHash !== hashOf(set));
  if (conflicts === 'refuse') refuse('content_hash_mismatch', changed);
  return {
    upload: sets.filter((set) => hashOf(set) === null || (conflicts === 'replace' && set.contentHash !== hashOf(set))),
    bind: sets.filter((set) => set.releaseId !== null && known.has(set.ref) && releaseOf(set) === null),
  };
}

const sentences = {
  release_id_mismatch: 'Symbol sets belong to another release',
  content_hash_required: 'Symbol sets are stored already, send their content hash',
  content_hash_mismatch: 'Symbol sets are stored with other content, use force or skip_on_conflict',
} as const;
