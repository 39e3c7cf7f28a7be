import { packTrace } from './packed-trace.ts';
import type { StoredTrace } from './stored-event.ts';
import { tracePageBytes } from './trace-page.ts';

/** Largest trace that is rendered in the event loop, in characters (contract/decisions 61). */
const hereLengthMax = 262_144;

/** As `tracePageBytes`; `inThread` makes the page of a large trace, which comes packed. @throws {AppError} as both do */
export async function makeTracePage(
  traceId: string,
  stored: StoredTrace,
  inThread: (packed: Uint8Array) => Promise<Uint8Array>,
): Promise<Uint8Array> {
  const length = stored.events.reduce((sum, { propertiesText }) => sum + propertiesText.length, 0);
  return length <= hereLengthMax ? tracePageBytes(traceId, stored) : await inThread(await packTrace(stored));
}
