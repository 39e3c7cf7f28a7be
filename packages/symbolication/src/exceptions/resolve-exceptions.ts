import { keepResolved } from '../frames/keep-resolved.ts';
import type { JsonObject } from '../frames/raw-frame.ts';
import { type FindSymbols, resolveFrame } from '../frames/resolve-frame.ts';
import type { FrameOutcome, FrameRecord, ResolvedFrame } from '../frames/resolved-frame.ts';
import type { SentException, SentFrame } from './read-exceptions.ts';

/** An exception as it is stored with its event; other members stay as they were sent. */
export interface ResolvedException {
  type: string;
  value: string;
  module?: string;
  mechanism?: JsonObject;
  stacktrace?: { type: 'resolved'; frames: ResolvedFrame[] };
}

/** The exceptions of an event, and records of their frames, one for each hash and part. */
export interface ResolvedExceptions {
  exceptions: ResolvedException[];
  records: FrameRecord[];
}

/** Resolves all frames of an event. `find` is called once at most for each frame. Pure but for `find`. */
export function resolveExceptions(sent: readonly SentException[], find: FindSymbols): ResolvedExceptions {
  const records = new Map<string, FrameRecord>();
  const exceptions = sent.map((exception) => {
    const frames = exception.frames?.map((frame) => {
      const outcome = resolveSent(frame, find);
      if (outcome.record !== null) records.set(outcome.frame.raw_id, outcome.record);
      return outcome.frame;
    });
    return withFrames(exception, frames);
  });
  return { exceptions, records: [...records.values()] };
}

const resolveSent = (frame: SentFrame, find: FindSymbols): FrameOutcome =>
  'raw' in frame ? resolveFrame(frame.raw, find) : keepResolved(frame.resolved);

function withFrames({ type, value, module, mechanism, sent }: SentException, frames: ResolvedFrame[] | undefined) {
  const { stacktrace: _stack, module: _module, mechanism: _mechanism, ...others } = sent;
  return {
    ...others,
    type,
    value,
    ...(module !== undefined && { module }),
    ...(mechanism !== undefined && { mechanism }),
    ...(frames !== undefined && { stacktrace: { type: 'resolved' as const, frames } }),
  };
}
