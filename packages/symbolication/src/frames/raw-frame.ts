import { lengthsMax } from '../lengths.ts';
import { cut } from '../text/cut.ts';

/** JSON of an object. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** A frame as an SDK sent it (contract/orgs-errors 5.1), its texts cut to what we keep. */
export interface RawFrame {
  platform: string;
  lang: string | undefined;
  functionName: string | undefined;
  filename: string | undefined;
  absPath: string | undefined;
  module: string | undefined;
  /** From 1. */
  line: number | undefined;
  /** As sent: JavaScript engines count from 1. */
  column: number | undefined;
  /** By which its symbols were uploaded; a mapping's id for Java. */
  chunkId: string | undefined;
  inApp: boolean | undefined;
  isSynthetic: boolean;
  /** The SDK has resolved it. */
  isClientResolved: boolean;
  rawId: string | undefined;
  preContext: string[];
  contextLine: string | undefined;
  postContext: string[];
  /** Values of its variables, in any form. */
  codeVariables: unknown;
  /** The frame with all its members. */
  sent: JsonObject;
}

/** Reads a frame; null for what is no object. A member of the wrong type counts as missing. Pure. */
export function readFrame(value: unknown): RawFrame | null {
  if (!isObject(value)) return null;
  return {
    platform: textOf(value.platform, lengthsMax.name) ?? 'custom',
    lang: textOf(value.lang, lengthsMax.name),
    functionName: textOf(value.function, lengthsMax.name),
    filename: textOf(value.filename, lengthsMax.file),
    absPath: textOf(value.abs_path, lengthsMax.file),
    module: textOf(value.module, lengthsMax.name),
    line: numberOf(value.lineno),
    column: numberOf(value.colno),
    // A reference that is too long finds nothing; its name is cut where it is stored.
    chunkId: textOf(value.chunk_id ?? value.chunkId ?? value.map_id, lengthsMax.file),
    inApp: typeof value.in_app === 'boolean' ? value.in_app : undefined,
    isSynthetic: value.synthetic === true,
    isClientResolved: value.client_resolved === true,
    rawId: textOf(value.raw_id, lengthsMax.name),
    preContext: textsOf(value.pre_context),
    contextLine: typeof value.context_line === 'string' ? value.context_line : undefined,
    postContext: textsOf(value.post_context),
    codeVariables: value.code_variables,
    sent: value,
  };
}

/** True for what JSON calls an object. */
export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A text that is not empty, cut to a length. */
export const textOf = (value: unknown, lengthMax: number): string | undefined =>
  typeof value === 'string' && value !== '' ? cut(value, lengthMax) : undefined;

const numberOf = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 ? value : undefined;

const textsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((line): line is string => typeof line === 'string') : [];
