import { readExceptions, type SentException } from '@millrace/symbolication/exceptions/read-exceptions.ts';
import { referenceOf, type SymbolReference } from '@millrace/symbolication/frames/symbol-reference.ts';
import type { EventDraft } from '../events/event-draft.ts';

/** A `$exception` event whose list was read. */
export interface ExceptionDraft {
  draft: EventDraft;
  /** The outermost first; empty when the list cannot be read. */
  sent: readonly SentException[];
  /** Sentences for `$cymbal_errors`. */
  errors: readonly string[];
  /** Symbols that its frames need, in the order of the frames. */
  references: readonly SymbolReference[];
}

/** Reads the list of an event. Pure. */
export function readExceptionDraft(draft: EventDraft): ExceptionDraft {
  const { values } = draft.properties;
  const { exceptions, errors } = readExceptions(values['$exception_list'], values['$lib'], values['$lib_version']);
  const references = exceptions.flatMap(({ frames }) =>
    (frames ?? []).flatMap((frame) => {
      const reference = 'raw' in frame ? referenceOf(frame.raw) : null;
      return reference === null || 'text' in reference ? [] : [reference];
    }),
  );
  return { draft, sent: exceptions, errors, references };
}
