import { cleanJson } from '@millrace/json/clean-json.ts';
import { deriveProperties } from '@millrace/symbolication/exceptions/derive-properties.ts';
import { fingerprintOf } from '@millrace/symbolication/exceptions/fingerprint.ts';
import { resolveExceptions } from '@millrace/symbolication/exceptions/resolve-exceptions.ts';
import type { FindSymbols } from '@millrace/symbolication/frames/resolve-frame.ts';
import type { FrameRecord } from '@millrace/symbolication/frames/resolved-frame.ts';
import type { ExceptionDraft } from './exception-draft.ts';

/** Properties that a client must not claim (contract/decisions 102). */
const serverProperties = [
  '$exception_types',
  '$exception_values',
  '$exception_sources',
  '$exception_functions',
  '$exception_handled',
  '$exception_releases',
  '$exception_issue_id',
  '$cymbal_errors',
] as const;

/**
 * Writes into an event what its exceptions say: resolved frames, derived properties, fingerprint. All other properties keep their bytes
 * (contract/decisions 102). A list that cannot be read is kept, with the reason (119). Answers the records of its frames.
 */
export function completeDraft({ draft, sent, errors }: ExceptionDraft, find: FindSymbols): readonly FrameRecord[] {
  const { properties } = draft;
  properties.remove(serverProperties);
  const { exceptions, records } = resolveExceptions(sent, find);
  const found: Record<string, unknown> =
    exceptions.length === 0
      ? {}
      : {
          $exception_list: exceptions,
          ...deriveProperties(exceptions),
          $exception_fingerprint: fingerprintOf(exceptions, properties.get('$exception_fingerprint')),
        };
  if (errors.length > 0) found['$cymbal_errors'] = errors;
  // Names of a map may hold what no column takes.
  for (const [name, value] of Object.entries(cleanJson(found) as object)) properties.replace(name, value);
  return records;
}
