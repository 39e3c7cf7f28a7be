import { isInApp } from '../frames/in-app.ts';
import { type JsonObject, type RawFrame, readFrame } from '../frames/raw-frame.ts';
import { type FindSymbols, resolveFrame } from '../frames/resolve-frame.ts';
import type { FrameRecord, ResolvedFrame } from '../frames/resolved-frame.ts';
import { KeptFrames } from './kept-frames.ts';
import { originalType } from './original-type.ts';
import type { ResolvedException, ResolvedExceptions } from './resolve-exceptions.ts';

/** A frame as it was sent, by its id: `junk_drawer.raw_frame` of its record. Undefined when there is none. */
type FindRawFrame = (rawId: string) => JsonObject | undefined;

/**
 * Resolves the exceptions of a stored event anew, since symbols came late (contract/decisions 109). Only frames with a failure are
 * looked up; all others stay, and those without a record too. Members keep their order. Records are those of frames that were looked up. Pure but for
 * `rawFrameOf` and `find`.
 */
export function resolveAgain(
  stored: readonly ResolvedException[],
  rawFrameOf: FindRawFrame,
  find: FindSymbols,
): ResolvedExceptions {
  const kept = new KeptFrames();
  const records = new Map<string, FrameRecord>();
  const exceptions = stored.map((exception): ResolvedException => {
    const sent = exception.stacktrace?.frames.map((frame) => ({ frame, raw: rawFrame(frame, rawFrameOf) }));
    if (sent === undefined) return exception;
    const outcomes = kept.of(sent, ({ frame, raw }) =>
      raw === null ? [{ frame, record: null }] : resolveFrame(raw, find),
    );
    for (const { record } of outcomes) if (record !== null) records.set(record.contents.raw_id, record);
    const raws = sent.flatMap(({ raw }) => raw ?? []);
    if (raws.length === 0) return exception;
    const { module: _module, ...others } = exception;
    const named = originalType(exception, raws, find);
    // Members keep their order: bytes that are the same say that nothing is new.
    return {
      ...(named.module === undefined ? others : exception),
      ...named,
      stacktrace: { type: 'resolved', frames: outcomes.map(({ frame }) => frame) },
    };
  });
  return { exceptions, records: [...records.values()] };
}

/** The frame as it was sent, of one that failed; null for others, and those without a record. */
function rawFrame(frame: ResolvedFrame, rawFrameOf: FindRawFrame): RawFrame | null {
  const recorded = frame.resolve_failure === undefined ? null : readFrame(rawFrameOf(frame.raw_id));
  return recorded === null ? null : ownFrame(recorded, frame);
}

/** A record is of whichever event brought the frame. Members that its hash does not name come from the frame of this event. */
function ownFrame(recorded: RawFrame, { in_app, synthetic, code_variables }: ResolvedFrame): RawFrame {
  // A frame that is not in the application for its place does not tell what was sent.
  const isTold = in_app || isInApp({ ...recorded, inApp: true }, undefined);
  return {
    ...recorded,
    inApp: isTold ? in_app : recorded.inApp,
    isSynthetic: synthetic,
    codeVariables: code_variables,
  };
}
