import { hereSizeMax } from '../here-size-max.ts';
import { packTrace } from './packed-trace.ts';
import type { StoredTrace } from './stored-event.ts';

/** Makes something of a trace: `here`, or of a large one `inThread`, to which it goes packed. @throws {AppError} as both do */
export async function makeOfTrace<Made>(
  stored: StoredTrace,
  here: () => Made,
  inThread: (packed: Uint8Array) => Promise<Made>,
): Promise<Made> {
  const size = stored.events.reduce((sum, { propertiesText }) => sum + propertiesText.length, 0);
  return size > hereSizeMax ? await inThread(await packTrace(stored)) : here();
}
