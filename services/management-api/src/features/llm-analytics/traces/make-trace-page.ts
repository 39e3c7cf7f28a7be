import { packTrace } from './packed-trace.ts';
import { isLarge, type StoredTrace } from './stored-event.ts';
import { tracePageBytes } from './trace-page.ts';

/** As `tracePageBytes`; `inThread` makes the page of a large trace, which comes packed. @throws {AppError} as both do */
export async function makeTracePage(
  traceId: string,
  stored: StoredTrace,
  inThread: (packed: Uint8Array) => Promise<Uint8Array>,
): Promise<Uint8Array> {
  return isLarge(stored) ? await inThread(await packTrace(stored)) : tracePageBytes(traceId, stored);
}
