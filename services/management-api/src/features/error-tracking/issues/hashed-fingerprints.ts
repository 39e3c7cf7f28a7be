import { createHash } from 'node:crypto';
import type { IssueFingerprint } from './issue-queries.ts';

/** Hexadecimal digits of a hash. The address of a query takes 131,000 bytes: whole fingerprints would be a thousand. */
const digits = 16;

/** Hash of the fingerprint of an event, in the language of saved queries; NULL without one. */
export const fingerprintHash = `left(lower(hex(MD5(properties.$exception_fingerprint))), ${digits})`;

/** The place, as a text, of the issue of an event among those of `hashFingerprints`; empty: of none of them. */
export const issuePlace = `transform(${fingerprintHash}, {hashes}, {places}, '')`;

/** Values to bind for fingerprints, texts because lists of numbers are printed into the query, and the issue of a place. */
interface HashedFingerprints {
  values: { hashes: string[]; places: string[] };
  issueAt: (place: number | string) => string;
}

/** Pure. */
export function hashFingerprints(fingerprints: readonly IssueFingerprint[]): HashedFingerprints {
  const issues = [...new Set(fingerprints.map(({ issueId }) => issueId))];
  const placeOf = new Map(issues.map((id, index) => [id, index + 1]));
  return {
    values: {
      hashes: fingerprints.map(({ fingerprint }) =>
        createHash('md5').update(fingerprint).digest('hex').slice(0, digits),
      ),
      places: fingerprints.map(({ issueId }) => String(placeOf.get(issueId))),
    },
    issueAt: (place) => issues[Number(place) - 1] ?? '',
  };
}
