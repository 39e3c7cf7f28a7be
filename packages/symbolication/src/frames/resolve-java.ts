import type { MappingIndex, OriginalMethod } from '../proguard/mapping-index.ts';
import { failures } from './failures.ts';
import { isInApp } from './in-app.ts';
import type { RawFrame } from './raw-frame.ts';
import { asSent, noContext, type Resolution, unresolved } from './resolution.ts';

/**
 * Resolves a frame of obfuscated Java or Kotlin: one frame of each method that was inlined there, the outermost first. A class
 * that the mapping does not name is none of the application's, and was not renamed. Pure.
 */
export function byMapping(raw: RawFrame, mapping: MappingIndex): Resolution[] {
  const { module: className = '', functionName = '', line } = raw;
  const original = mapping.classOf(className);
  if (original === undefined) return [asSent(raw)];
  const methods = mapping.lookUp(className, functionName, line);
  if (methods.length > 0) return methods.map((method) => ofMethod(raw, method)).reverse();
  return [unresolved({ ...raw, module: original }, failures.methodNotFound(className, functionName, line))];
}

function ofMethod(raw: RawFrame, { className, name, line, file, isSynthesized }: OriginalMethod): Resolution {
  const members: Resolution['members'] = {
    ...(line !== undefined && { line }),
    source: file ?? fileOf(className, raw.filename),
    module: className,
    in_app: isInApp(raw, undefined) || isOfApplication(className, raw.chunkId),
    resolved_name: name,
    resolved: true,
    synthetic: raw.isSynthetic || isSynthesized,
  };
  return { members, context: noContext };
}

/** A class is in the file of its outermost class; the ending is that of the frame's file, which may have another name. */
function fileOf(className: string, sent = ''): string {
  const outermost = className.slice(className.lastIndexOf('.') + 1).split('$', 1)[0] || className;
  return `${outermost}${/\.(?:java|kt|scala|groovy)$/.exec(sent)?.[0] ?? '.java'}`;
}

/** SDKs judge by the names that they see, and so do not know the application's classes. Its mapping is `id@version+build`. */
function isOfApplication(className: string, mapId = ''): boolean {
  const application = mapId.slice(0, Math.max(mapId.indexOf('@'), 0));
  return application !== '' && className.startsWith(`${application}.`);
}
