import { SymbolIndex } from '../index/symbol-index.ts';
import { failures, type ResolveFailure } from './failures.ts';
import { isInApp, isOwnSdk } from './in-app.ts';
import { platformOf } from './platforms.ts';
import { frameHash, rawIdOf } from './raw-id.ts';
import type { RawFrame } from './raw-frame.ts';
import { type FrameOutcome, membersOf, type ResolvedFrame } from './resolved-frame.ts';
import { contextOf, contextSent, type SourceContext } from './source-context.ts';
import { referenceOf, scriptUrl, type SymbolReference } from './symbol-reference.ts';

/** Symbols of a reference, or why there are none. */
export type FindSymbols = (reference: SymbolReference) => SymbolIndex | ResolveFailure;

/** Without a map, a script whose frames lie further left is taken for one that was not minified. */
const minifiedColumn = 300;

/** A frame as far as it depends on how it was resolved. */
interface Resolution {
  members: Omit<ResolvedFrame, 'raw_id' | 'mangled_name' | 'lang' | 'synthetic' | 'suspicious' | 'module'>;
  context: SourceContext | null;
}

/** Resolves a frame (contract/orgs-errors 5.3). `find` is called once at most. Pure but for `find`. */
export function resolveFrame(raw: RawFrame, find: FindSymbols): FrameOutcome {
  const { members, context } = resolutionOf(raw, find);
  const { isWeb, lang } = platformOf(raw.platform);
  const hash = frameHash(raw);
  const foreignId = raw.isClientResolved && isWeb !== true ? raw.rawId : undefined;
  const frame: ResolvedFrame = {
    raw_id: foreignId ?? rawIdOf(hash),
    ...membersOf(raw),
    ...members,
    lang: raw.lang ?? lang,
    suspicious: isOwnSdk(members.source ?? '') || isOwnSdk(raw.absPath ?? ''),
  };
  if (foreignId !== undefined) return { frame, record: null };
  const contents = { ...frame, junk_drawer: { raw_frame: raw.sent } };
  return { frame, record: { hash, part: 0, contents, context, reference: usedReference(raw) } };
}

function usedReference(raw: RawFrame): SymbolReference | null {
  const reference = referenceOf(raw);
  return reference === null || 'text' in reference ? null : reference;
}

function resolutionOf(raw: RawFrame, find: FindSymbols): Resolution {
  if (needsOtherSymbols(raw)) return unresolved(raw, failures.notReadYet);
  const reference = referenceOf(raw);
  if (reference === null) return asSent(raw, undefined);
  if ('text' in reference) return asSent(raw, reference);
  const symbols = find(reference);
  if (!(symbols instanceof SymbolIndex)) return withoutSymbols(raw, symbols);
  return bySymbols(raw, symbols);
}

/** Obfuscated Java, machine code, and bytecode of Hermes: their frames name a mapping or an address. */
function needsOtherSymbols({ isClientResolved, platform, chunkId, sent }: RawFrame): boolean {
  if (isClientResolved || platformOf(platform).byMap !== 'never') return false;
  if (platform === 'hermes') return chunkId !== undefined;
  return sent.map_id !== undefined || sent.instruction_addr !== undefined;
}

/** Frames of other platforms, and those that are not minified, or may not be. */
function asSent(raw: RawFrame, failure: ResolveFailure | undefined): Resolution {
  const isWeb = platformOf(raw.platform).isWeb === true;
  // Without both, a browser's frame is no place of a script.
  const hasPlace = !isWeb || (raw.line !== undefined && raw.column !== undefined);
  const source = sourceSent(raw);
  const members: Resolution['members'] = {
    ...(hasPlace && placeSent(raw)),
    ...(source !== undefined && { source }),
    in_app: isInApp(raw, undefined),
    ...(raw.functionName !== undefined && { resolved_name: raw.functionName }),
    resolved: true,
    ...(failure !== undefined && { resolve_failure: failure.text }),
  };
  return { members, context: isWeb ? null : contextSent(raw) };
}

function withoutSymbols(raw: RawFrame, failure: ResolveFailure): Resolution {
  const isPlain = failure.isMapMissing === true && raw.chunkId === undefined && (raw.column ?? 0) <= minifiedColumn;
  return isPlain ? asSent(raw, failure) : unresolved(raw, failure);
}

function unresolved(raw: RawFrame, failure: ResolveFailure): Resolution {
  const source = sourceSent(raw);
  const members: Resolution['members'] = {
    ...placeSent(raw),
    ...(source !== undefined && { source }),
    in_app: isInApp(raw, undefined),
    resolved: false,
    resolve_failure: failure.text,
  };
  return { members, context: null };
}

function bySymbols(raw: RawFrame, index: SymbolIndex): Resolution {
  const { line = 0, column = 0, functionName = '' } = raw;
  // Maps count both from 0, engines from 1 (contract/decisions 101).
  const found = index.lookUp(line - 1, Math.max(column - 1, 0));
  if (found === null) return unresolved(raw, failures.tokenNotFound(functionName, line, column));
  const members: Resolution['members'] = {
    line: found.line,
    column: found.column,
    ...(found.source !== undefined && { source: found.source }),
    in_app: isInApp(raw, found.source),
    ...(found.functionName !== undefined && { resolved_name: found.functionName }),
    resolved: true,
  };
  return { members, context: contextOf(index, found.sourceIndex, found.line) };
}

const placeSent = ({ line, column }: RawFrame): { line?: number; column?: number } => ({
  ...(line !== undefined && { line }),
  ...(column !== undefined && { column }),
});

/** Path of a script's URL; the file as sent of other frames. */
function sourceSent({ platform, filename, absPath }: RawFrame): string | undefined {
  if (filename === undefined) return absPath;
  return platformOf(platform).isWeb === true ? (scriptUrl(filename)?.pathname ?? filename) : filename;
}
