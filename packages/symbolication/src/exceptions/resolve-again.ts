import { type JsonObject, type RawFrame, readFrame } from '../frames/raw-frame.ts';
import { type FindSymbols, resolveFrame } from '../frames/resolve-frame.ts';
import type { FrameRecord, ResolvedFrame } from '../frames/resolved-frame.ts';
import { originalType } from './original-type.ts';
import { firstAndLast } from './read-exceptions.ts';
import type { ResolvedException, ResolvedExceptions } from './resolve-exceptions.ts';

/** A frame as it was sent, by its id: `junk_drawer.raw_frame` of its record. Undefined when there is none. */
type FindRawFrame = (rawId: string) => JsonObject | undefined;

/**
 * Resolves the exceptions of a stored event anew, since symbols came late (contract/decisions 109). Only frames with a failure are
 * looked up; all others stay, and those without a record too. Records are those of frames that were looked up. Pure but for
 * `rawFrameOf` and `find`.
 */
export function resolveAgain(
  stored: readonly ResolvedException[],
  rawFrameOf: FindRawFrame,
  find: FindSymbols,
): ResolvedExceptions {
  const records = new Map<string, FrameRecord>();
  const exceptions = stored.map((exception): ResolvedException => {
    const raws: RawFrame[] = [];
    const frames = exception.stacktrace?.frames.flatMap((frame): ResolvedFrame[] => {
      const raw = frame.resolve_failure === undefined ? null : readFrame(rawFrameOf(frame.raw_id));
      if (raw === null) return [frame];
      raws.push(raw);
      const outcomes = resolveFrame(raw, find);
      for (const { record } of outcomes) if (record !== null) records.set(record.contents.raw_id, record);
      return outcomes.map((outcome) => outcome.frame);
    });
    if (frames === undefined || raws.length === 0) return exception;
    const { type, module, ...others } = exception;
    return {
      ...others,
      ...originalType({ type, module }, raws, find),
      stacktrace: { type: 'resolved', frames: firstAndLast(frames) },
    };
  });
  return { exceptions, records: [...records.values()] };
}
