import { hash } from 'node:crypto';
import type { RawFrame } from './raw-frame.ts';

/**
 * Hash of a frame as it was sent: hex SHA-512. Frames of one hash are resolved alike and have one record, so the chunk id counts, by which two
 * builds of one URL differ (contract/orgs-errors 5.3). Lines around the frame count too, and whether its client resolved it: otherwise anyone
 * with the public token could give lines to the frames of others. Parts are kept apart: `t` at column 12345 is not `t1` at column 2345. Pure.
 */
export function frameHash(frame: RawFrame): string {
  const { platform, functionName, line, column, filename, chunkId } = frame;
  const { absPath, module, lang, contextLine, rawId } = frame;
  const parts = [platform, functionName, line, column, filename, chunkId, absPath, module, lang, contextLine, rawId];
  const { preContext, postContext, isClientResolved } = frame;
  const isPlain = preContext.length === 0 && postContext.length === 0 && !isClientResolved;
  // Others keep the ids that they had when these did not count.
  const more = isPlain ? [] : [preContext, postContext, isClientResolved];
  return hash('sha512', JSON.stringify([...parts.map((part) => part ?? null), ...more]));
}

/** Id of one of the frames that a raw frame expands into: the first has part 0. */
export const rawIdOf = (hash: string, part = 0): string => `${hash}/${part}`;
