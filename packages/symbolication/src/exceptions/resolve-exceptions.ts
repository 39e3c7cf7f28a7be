import { keepResolved } from '../frames/keep-resolved.ts';
import type { JsonObject, RawFrame } from '../frames/raw-frame.ts';
import { type FindSymbols, resolveFrame } from '../frames/resolve-frame.ts';
import type { FrameOutcome, FrameRecord, ResolvedFrame } from '../frames/resolved-frame.ts';
import { originalType } from './original-type.ts';
import { KeptFrames } from './kept-frames.ts';
import type { SentException, SentFrame } from './read-exceptions.ts';

/** An exception as it is stored with its event; other members stay as they were sent. */
export interface ResolvedException {
  type: string;
  value: string;
  module?: string;
  mechanism?: JsonObject;
  stacktrace?: { type: 'resolved'; frames: ResolvedFrame[] };
}

/** The exceptions of an event, and records of the frames that it keeps, one for each hash and part. */
export interface ResolvedExceptions {
  exceptions: ResolvedException[];
  records: FrameRecord[];
}

/** Resolves all frames of an event, and types of obfuscated Java. Pure but for `find`, which need not remember its answers. */
export function resolveExceptions(sent: readonly SentException[], find: FindSymbols): ResolvedExceptions {
  const kept = new KeptFrames();
  const records = new Map<string, FrameRecord>();
  const exceptions = sent.map((exception): ResolvedException => {
    const { type, value, module, mechanism, frames, sent: all } = exception;
    const { stacktrace: _stack, module: _module, mechanism: _mechanism, ...others } = all;
    // Functions that were inlined make a stack longer.
    const outcomes = frames === null ? undefined : kept.of(frames, (frame) => resolveSent(frame, find));
    for (const { frame, record } of outcomes ?? []) if (record !== null) records.set(frame.raw_id, record);
    return {
      ...others,
      value,
      ...(mechanism !== undefined && { mechanism }),
      ...originalType({ type, module }, rawFramesOf(frames), find),
      ...(outcomes !== undefined && {
        stacktrace: { type: 'resolved', frames: outcomes.map(({ frame }) => frame) },
      }),
    };
  });
  return { exceptions, records: [...records.values()] };
}

const resolveSent = (frame: SentFrame, find: FindSymbols): FrameOutcome[] =>
  'raw' in frame ? resolveFrame(frame.raw, find) : [keepResolved(frame.resolved)];

const rawFramesOf = (frames: readonly SentFrame[] | null): RawFrame[] =>
  (frames ?? []).flatMap((frame) => ('raw' in frame ? [frame.raw] : []));
