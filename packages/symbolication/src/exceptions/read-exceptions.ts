import { sentOrder } from '../frames/frame-order.ts';
import { isObject, type JsonObject, readFrame, type RawFrame, textOf } from '../frames/raw-frame.ts';
import { platformOf } from '../frames/platforms.ts';
import { lengthsMax } from '../lengths.ts';
import { cut } from '../text/cut.ts';
import { KeptFrames } from './kept-frames.ts';

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

/** Exceptions of an event that are kept (contract/decisions 108). */
const exceptionsMax = 50;

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
  const kept = new KeptFrames();
  for (const [index, value] of areExceptionsTurned ? entries.reverse() : entries) {
    if (exceptions.length + errors.length === exceptionsMax) break;
    if (!isObject(value)) errors.push(`$exception_list[${index}] is not an object`);
    else if (typeof value.type !== 'string') errors.push(`$exception_list[${index}].type is not a text`);
    else exceptions.push(readException(value, value.type, { areFramesTurned, kept }));
  }
  return { exceptions, errors };
}

interface Reading {
  areFramesTurned: boolean;
  /** Frames of the event. */
  kept: KeptFrames;
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

function readFrames(stack: unknown, { areFramesTurned, kept }: Reading): SentFrame[] | null {
  if (!isObject(stack) || !Array.isArray(stack.frames)) return null;
  const frames = stack.frames as unknown[];
  const isResolved = stack.type === 'resolved';
  // A stack that came resolved is in our order.
  const ordered = areFramesTurned && !isResolved ? frames.toReversed() : frames;
  const values = kept.of(ordered, (value) => [value]);
  return values.flatMap((value): SentFrame[] => {
    const raw = readFrame(value);
    if (raw === null) return [];
    return isResolved && !isOfBrowser(raw) ? [{ resolved: raw.sent }] : [{ raw }];
  });
}

/** A browser's frame may not call itself resolved (contract/decisions 126). */
const isOfBrowser = ({ platform }: RawFrame): boolean => platformOf(platform).isWeb === true;
