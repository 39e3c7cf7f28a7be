import type { UnparsedBody } from '@millrace/http/define-route.ts';
import { prepareSummary, type PreparedSummary } from './summarize.ts';
import { readSummaryRequest, type SummaryRequest } from './summary-request.ts';

/** A request whose data was read. */
export interface PreparedRequest {
  /** Without its data. */
  readonly request: Omit<SummaryRequest, 'source'>;
  /** Null: the data is to be found by its id. */
  readonly prepared: PreparedSummary | null;
}

/** The request of a body and the summary of its data without a model, as JSON in bytes: for threads. Pure. @throws {AppError} */
export function requestBytes(body: UnparsedBody, textLengthMax: number): Uint8Array<ArrayBuffer> {
  const { source, ...request } = readSummaryRequest(body);
  const prepared = source === null ? null : prepareSummary(source, request.mode, textLengthMax);
  return new TextEncoder().encode(JSON.stringify({ request, prepared } satisfies PreparedRequest));
}
