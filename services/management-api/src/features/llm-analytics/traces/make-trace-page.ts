import type { RenderThreads } from '../threads/render-threads.ts';
import { packTrace } from './packed-trace.ts';
import type { StoredTrace } from './stored-event.ts';
import { tracePageBytes } from './trace-page.ts';

/** Largest trace that is rendered in the event loop, in characters (contract/decisions 61). */
const hereLengthMax = 262_144;

type Asker = Parameters<RenderThreads['tracePage']>[2];

/** As `tracePageBytes`, in a thread for a large trace. @throws {AppError} as it and `RenderThreads` do */
export async function makeTracePage(
  renderThreads: Pick<RenderThreads, 'tracePage'>,
  { traceId, stored }: { traceId: string; stored: StoredTrace },
  asker: Asker,
): Promise<Uint8Array> {
  const length = stored.events.reduce((sum, { propertiesText }) => sum + propertiesText.length, 0);
  if (length <= hereLengthMax) return tracePageBytes(traceId, stored);
  return await renderThreads.tracePage(traceId, await packTrace(stored), asker);
}
