import { hash } from 'node:crypto';
import { wantsTestAccounts, type FilterContext } from '../definition/filters.ts';
import type { CheckedQuery } from './check-query.ts';
import { semantics } from './semantics.ts';

/** A version, as far as its table depends on it. It never changes but for its buckets, which make it another object here. */
export interface FingerprintedVersion {
  query: unknown;
  propertyTypes: unknown;
  bucketOverrides: unknown;
}

const versions = new WeakMap<FingerprintedVersion, string>();

/**
 * Names everything but events and time that the rows of a table depend on: the version's definition, kept types and buckets, and the time zone
 * and filters of test accounts of its project. A table with another one is not the version's. Pure; a version is looked at once.
 */
export function sourceFingerprint(
  version: FingerprintedVersion,
  { timeZone, testAccounts }: Omit<FilterContext, 'nowMs'>,
): string {
  const ofVersion = versions.get(version) ?? versionFingerprint(version);
  versions.set(version, ofVersion);
  // An insight says so itself.
  const query = version.query as CheckedQuery;
  const wanted = [query, query.filters].some(wantsTestAccounts) ? testAccounts : [];
  return digest([ofVersion, timeZone, wanted]);
}

const versionFingerprint = ({ query, propertyTypes, bucketOverrides }: FingerprintedVersion): string =>
  digest([semantics, query, propertyTypes, bucketOverrides]);

const digest = (parts: readonly unknown[]): string => hash('sha256', JSON.stringify(parts), 'base64url');
