import { deriveProperties, serverProperties } from '@millrace/symbolication/exceptions/derive-properties.ts';
import { exceptionReleases, type Release } from '@millrace/symbolication/exceptions/exception-releases.ts';
import { fingerprintOf } from '@millrace/symbolication/exceptions/fingerprint.ts';
import { resolveExceptions } from '@millrace/symbolication/exceptions/resolve-exceptions.ts';
import type { FindSymbols } from '@millrace/symbolication/frames/resolve-frame.ts';
import type { FrameRecord } from '@millrace/symbolication/frames/resolved-frame.ts';
import type { ExceptionDraft } from './exception-draft.ts';

const derivedProperties = serverProperties.filter((name) => name !== '$exception_list');

/**
 * Writes into an event what its exceptions say: resolved frames, derived properties, releases, fingerprint. All other properties keep their
 * bytes (contract/decisions 102). A list that cannot be read is kept, with the reason (119). Answers the records of its frames.
 * `releasesOf` is asked when all frames are resolved.
 */
export function completeDraft(
  { draft, sent, errors }: ExceptionDraft,
  find: FindSymbols,
  releasesOf: () => readonly Release[],
): readonly FrameRecord[] {
  const { properties } = draft;
  properties.remove(derivedProperties);
  const { exceptions, records } = resolveExceptions(sent, find);
  const releases = exceptionReleases(releasesOf());
  const found = {
    ...(exceptions.length > 0 && {
      $exception_list: exceptions,
      ...deriveProperties(exceptions),
      $exception_fingerprint: fingerprintOf(exceptions, properties.get('$exception_fingerprint')),
    }),
    ...(Object.keys(releases).length > 0 && { $exception_releases: releases }),
    ...(errors.length > 0 && { $cymbal_errors: errors }),
  };
  properties.replaceAll(found);
  return records;
}
