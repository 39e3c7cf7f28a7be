import { releaseNamed, type NamedRelease } from '@millrace/symbolication/exceptions/exception-releases.ts';
import { readExceptions, type SentException } from '@millrace/symbolication/exceptions/read-exceptions.ts';
import { referencesOf } from '@millrace/symbolication/exceptions/references-of.ts';
import type { SymbolReference } from '@millrace/symbolication/frames/symbol-reference.ts';
import type { EventDraft } from '../events/event-draft.ts';

/** A `$exception` event whose list was read. */
export interface ExceptionDraft {
  draft: EventDraft;
  /** The outermost first; empty when the list cannot be read. */
  sent: readonly SentException[];
  /** Sentences for `$cymbal_errors`. */
  errors: readonly string[];
  /** Symbols that its frames need. */
  references: readonly SymbolReference[];
  /** The release that the event says it is of. */
  release: NamedRelease;
}

/** Reads the list of an event. Pure. */
export function readExceptionDraft(draft: EventDraft): ExceptionDraft {
  const { values } = draft.properties;
  const { exceptions, errors } = readExceptions(values['$exception_list'], values['$lib'], values['$lib_version']);
  return { draft, sent: exceptions, errors, references: referencesOf(exceptions), release: releaseNamed(values) };
}
