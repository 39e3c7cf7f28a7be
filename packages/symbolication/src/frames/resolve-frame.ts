import { SymbolIndex } from '../index/symbol-index.ts';
import { MappingIndex } from '../proguard/mapping-index.ts';
import type { Symbols } from '../symbols/open-symbols.ts';
import { failures, type ResolveFailure } from './failures.ts';
import { isInApp, isOwnSdk } from './in-app.ts';
import { platformOf } from './platforms.ts';
import { frameHash, rawIdOf } from './raw-id.ts';
import type { JsonObject, RawFrame } from './raw-frame.ts';
import { asSent, type Resolution, unresolved } from './resolution.ts';
import { byMapping } from './resolve-java.ts';
import type { FrameOutcome, FrameRecord, ResolvedFrame } from './resolved-frame.ts';
import { contextOf } from './source-context.ts';
import { referenceOf, type SymbolReference } from './symbol-reference.ts';

/** Symbols of a reference, or why there are none. */
export type FindSymbols = (reference: SymbolReference) => Symbols | ResolveFailure;

/** Without a map, a script whose frames lie further left is taken for one that was not minified. */
const minifiedColumn = 300;

/**
 * Resolves a frame (contract/orgs-errors 5.3). It becomes several where functions were inlined, the outermost first. `find` is
 * called once at most. Pure but for `find`.
 */
export function resolveFrame(raw: RawFrame, find: FindSymbols): FrameOutcome[] {
  const reference = referenceOf(raw);
  const isFound = reference !== null && !('text' in reference);
  const hash = frameHash(raw);
  const foreignId = raw.isClientResolved && platformOf(raw.platform).isWeb !== true ? raw.rawId : undefined;
  return resolutionsOf(raw, reference, find).map(({ members, context }, part) => {
    const frame: ResolvedFrame = {
      raw_id: foreignId ?? rawIdOf(hash, part),
      mangled_name: raw.functionName ?? '',
      ...members,
      lang: raw.lang ?? platformOf(raw.platform).lang,
      suspicious: isOwnSdk(members.source ?? '') || isOwnSdk(raw.absPath ?? ''),
    };
    const record =
      foreignId === undefined
        ? recordOf({ hash, part, frame, raw, context, reference: isFound ? reference : null })
        : null;
    return { frame: raw.codeVariables === undefined ? frame : { ...frame, code_variables: raw.codeVariables }, record };
  });
}

interface Recorded extends Pick<FrameRecord, 'hash' | 'part' | 'reference'> {
  frame: ResolvedFrame;
  raw: RawFrame;
  context: Resolution['context'];
}

/** Lines around a frame take longer than to resolve it: they are read when they are stored, which most frames are already. */
const recordOf = ({ hash, part, frame, raw, context, reference }: Recorded): FrameRecord => ({
  hash,
  part,
  reference,
  contents: { ...frame, junk_drawer: { raw_frame: withoutVariables(raw.sent) } },
  get context() {
    return context();
  },
});

function withoutVariables(sent: JsonObject): JsonObject {
  if (sent.code_variables === undefined) return sent;
  const { code_variables: _variables, ...others } = sent;
  return others;
}

function resolutionsOf(
  raw: RawFrame,
  reference: ReturnType<typeof referenceOf>,
  find: FindSymbols,
): readonly Resolution[] {
  if (reference === null) return [needsMachineCode(raw) ? unresolved(raw, failures.notReadYet) : asSent(raw)];
  if ('text' in reference) return [asSent(raw, reference)];
  const symbols = find(reference);
  if ('text' in symbols) return [withoutSymbols(raw, symbols)];
  const isJava = platformOf(raw.platform).symbols === 'ProGuard mapping';
  if (isJava && symbols instanceof MappingIndex) return byMapping(raw, symbols);
  if (!isJava && symbols instanceof SymbolIndex) return [byIndex(raw, symbols)];
  return [unresolved(raw, failures.otherKind)];
}

/** Frames of machine code name addresses. */
const needsMachineCode = ({ isClientResolved, sent }: RawFrame): boolean =>
  !isClientResolved && sent.instruction_addr !== undefined;

function withoutSymbols(raw: RawFrame, failure: ResolveFailure): Resolution {
  const isPlain = failure.isMapMissing === true && raw.chunkId === undefined && (raw.column ?? 0) <= minifiedColumn;
  return isPlain ? asSent(raw, failure) : unresolved(raw, failure);
}

function byIndex(raw: RawFrame, index: SymbolIndex): Resolution {
  const { line = 1, column = 0, functionName = '' } = raw;
  // Maps count both from 0, engines from 1 (contract/decisions 101). Columns of Hermes are addresses, from 0.
  const isAddress = platformOf(raw.platform).symbols === 'Hermes map';
  const found = index.lookUp(line - 1, isAddress ? column : Math.max(column - 1, 0));
  if (found === null) return unresolved(raw, failures.tokenNotFound(functionName, line, column));
  const members: Resolution['members'] = {
    line: found.line,
    column: found.column,
    ...(found.source !== undefined && { source: found.source }),
    ...(raw.module !== undefined && { module: raw.module }),
    in_app: isInApp(raw, found.source),
    ...(found.functionName !== undefined && { resolved_name: found.functionName }),
    resolved: true,
    synthetic: raw.isSynthetic,
  };
  return { members, context: () => contextOf(index, found.sourceIndex, found.line) };
}
