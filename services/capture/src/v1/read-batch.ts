import type { CaptureWarningType } from '@millrace/contracts/capture-reasons.ts';
import { parseBody, parseLargeBody, type ParsedBody } from '../http/parse-body.ts';
import { atOnceBytesMax } from '../body/in-turns.ts';
import { propertyMembers } from '../body/known-members.ts';
import type { ErrorReplyName } from '../http/error-replies.ts';
import { RequestError } from '../http/request-error.ts';
import { batchUuids } from './v1-results.ts';

/** Errors of a batch that leave a warning: its token is known before the batch is read (contract/capture 4.7). */
const warnings: Partial<Record<ErrorReplyName, CaptureWarningType>> = {
  emptyBatch: 'empty_batch',
  notAnEvent: 'invalid_batch',
  batchNotAnArray: 'invalid_batch',
  missingUuid: 'missing_event_uuid',
  invalidUuid: 'invalid_event_uuid',
  duplicateUuid: 'duplicate_event_uuid',
};

/**
 * Reads the batch of a V1 request and the uuids of its events. Before it throws because of the batch, it awaits `report`, with
 * the number of events as far as it is known.
 * @throws {RequestError} as `parseBody` and `batchUuids` do.
 */
export async function readBatch(
  json: Buffer,
  report: (type: CaptureWarningType, events: number) => Promise<void>,
): Promise<{ body: ParsedBody; uuids: string[] }> {
  let events = 0;
  try {
    const body =
      json.length > atOnceBytesMax ? await parseLargeBody(json, propertyMembers) : parseBody(json, propertyMembers);
    events = body.events.length;
    return { body, uuids: batchUuids(body) };
  } catch (error) {
    const type = error instanceof RequestError ? warnings[error.reply] : undefined;
    if (type !== undefined) await report(type, events);
    throw error;
  }
}
