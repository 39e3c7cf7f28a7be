import { lengthsMax } from '../lengths.ts';
import { type JsonObject, type RawFrame, readFrame, textOf } from './raw-frame.ts';
import { frameHash, rawIdOf } from './raw-id.ts';
import type { FrameOutcome, ResolvedFrame } from './resolved-frame.ts';

/**
 * Keeps a frame that came resolved, in the form in which we store frames (contract/decisions 126). It gets an id if it has none.
 * There is no record of it: whoever sends it could replace those of others. Pure.
 */
export function keepResolved(sent: JsonObject): FrameOutcome {
  const name = textOf(sent.resolved_name, lengthsMax.name);
  const source = textOf(sent.source, lengthsMax.file);
  const module = textOf(sent.module, lengthsMax.name);
  const failure = textOf(sent.resolve_failure, lengthsMax.file);
  const frame: ResolvedFrame = {
    raw_id: textOf(sent.raw_id, lengthsMax.name) ?? rawIdOf(idOf(sent)),
    mangled_name: textOf(sent.mangled_name, lengthsMax.name) ?? '',
    ...numbersOf(sent),
    ...(source !== undefined && { source }),
    ...(module !== undefined && { module }),
    in_app: sent.in_app !== false,
    ...(name !== undefined && { resolved_name: name }),
    lang: textOf(sent.lang, lengthsMax.name) ?? 'custom',
    resolved: sent.resolved !== false,
    ...(failure !== undefined && { resolve_failure: failure }),
    synthetic: sent.synthetic === true,
    suspicious: sent.suspicious === true,
    ...(sent.code_variables !== undefined && { code_variables: sent.code_variables }),
  };
  return { frame, record: null };
}

function numbersOf({ line, column }: JsonObject): { line?: number; column?: number } {
  return {
    ...(Number.isInteger(line) && { line: line as number }),
    ...(Number.isInteger(column) && { column: column as number }),
  };
}

/** Hash of the frame as if it had been sent raw. */
function idOf({ lang, mangled_name, resolved_name, source, module, line, column }: JsonObject): string {
  const like = { lang, function: resolved_name ?? mangled_name, filename: source, module, lineno: line, colno: column };
  return frameHash(readFrame(like) as RawFrame);
}
