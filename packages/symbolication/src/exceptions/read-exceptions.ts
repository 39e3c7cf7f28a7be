import { sentOrder } from '../frames/frame-order.ts';
import { isObject, type JsonObject, readFrame, type RawFrame, textOf } from '../frames/raw-frame.ts';
import { platformOf } from '../frames/platforms.ts';
import { lengthsMax } from '../lengths.ts';
import { cut } from '../text/cut.ts';

/** A frame as it was sent, or one that came in the form in which we store frames. */
export type SentFrame = { raw: RawFrame } | { resolved: JsonObject };

/** One of the exceptions of an event, its texts and frames cut to what we keep. */
export interface SentException {
  type: string;
  value: string;
  module: string | undefined;
  mechanism: JsonObject | undefined;
  /** Null without a stack. The entry comes first, the crash last. */
  frames: SentFrame[] | null;
  /** All members as sent. */
  sent: JsonObject;
}

/** The list of an event, and why it or a part of it cannot be read; these sentences stand in `$cymbal_errors`. */
export interface ReadExceptions {
  /** The outermost first. */
  exceptions: SentException[];
  errors: string[];
}

/** Exceptions of an event, and frames of a stack, that are kept (contract/decisions 108). */
export const limits = { exceptions: 50, firstFrames: 50, lastFrames: 200 };
/** Frames of an event; of stacks beyond them fewer are kept (contract/decisions 130). */
const framesMax = { event: 2_000, firstBeyond: 2, lastBeyond: 8 };

/**
 * Reads `$exception_list` in our order, whatever the order of the SDK. A list that is none, or is empty, gives no exceptions and an
 * error (contract/decisions 119); an entry that is none is left out with an error. Pure.
 */
export function readExceptions(list: unknown, lib: unknown, libVersion: unknown): ReadExceptions {
  if (list === undefined || list === null) return { exceptions: [], errors: ['$exception_list is missing'] };
  if (!Array.isArray(list)) return { exceptions: [], errors: ['$exception_list is not a list'] };
  if (list.length === 0) return { exceptions: [], errors: ['$exception_list is empty'] };
  const { areFramesTurned, areExceptionsTurned } = sentOrder(lib, libVersion);
  const exceptions: SentException[] = [];
  const errors: string[] = [];
  const entries = [...(list as unknown[]).entries()];
  let framesLeft = framesMax.event;
  for (const [index, value] of areExceptionsTurned ? entries.reverse() : entries) {
    if (exceptions.length + errors.length === limits.exceptions) break;
    if (!isObject(value)) errors.push(`$exception_list[${index}] is not an object`);
    else if (typeof value.type !== 'string') errors.push(`$exception_list[${index}].type is not a text`);
    else {
      const read = readException(value, value.type, { areFramesTurned, framesLeft });
      exceptions.push(read);
      framesLeft = Math.max(0, framesLeft - (read.frames?.length ?? 0));
    }
  }
  return { exceptions, errors };
}

interface Reading {
  areFramesTurned: boolean;
  /** Frames that the event may have yet. */
  framesLeft: number;
}

function readException(sent: JsonObject, type: string, reading: Reading): SentException {
  return {
    type: cut(type, lengthsMax.name),
    value: typeof sent.value === 'string' ? cut(sent.value, lengthsMax.message) : '',
    module: textOf(sent.module, lengthsMax.name),
    mechanism: isObject(sent.mechanism) ? sent.mechanism : undefined,
    frames: readFrames(sent.stacktrace, reading),
    sent,
  };
}

function readFrames(stack: unknown, { areFramesTurned, framesLeft }: Reading): SentFrame[] | null {
  if (!isObject(stack) || !Array.isArray(stack.frames)) return null;
  const frames = stack.frames as unknown[];
  const isResolved = stack.type === 'resolved';
  // A stack that came resolved is in our order.
  const ordered = areFramesTurned && !isResolved ? frames.toReversed() : frames;
  const kept = firstAndLast(ordered);
  const { firstBeyond, lastBeyond } = framesMax;
  return (kept.length <= framesLeft ? kept : firstAndLast(ordered, firstBeyond, lastBeyond)).flatMap(
    (value): SentFrame[] => {
      const raw = readFrame(value);
      if (raw === null) return [];
      return isResolved && !isOfBrowser(raw) ? [{ resolved: raw.sent }] : [{ raw }];
    },
  );
}

/** A browser's frame may not call itself resolved (contract/decisions 126). */
const isOfBrowser = ({ platform }: RawFrame): boolean => platformOf(platform).isWeb === true;

/** Longer stacks keep the entry, and the last frames, where the crash is. */
export function firstAndLast<Frame>(frames: Frame[], first = limits.firstFrames, last = limits.lastFrames): Frame[] {
  return frames.length <= first + last ? frames : [...frames.slice(0, first), ...frames.slice(-last)];
}
