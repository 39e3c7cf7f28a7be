import type { ResolveFailure } from './failures.ts';
import { isInApp } from './in-app.ts';
import { platformOf } from './platforms.ts';
import type { RawFrame } from './raw-frame.ts';
import type { ResolvedFrame } from './resolved-frame.ts';
import { contextSent, type SourceContext } from './source-context.ts';
import { scriptUrl } from './symbol-reference.ts';

/** A frame as far as it depends on how it was resolved. */
export interface Resolution {
  members: Omit<ResolvedFrame, 'raw_id' | 'mangled_name' | 'lang' | 'suspicious'>;
  context: () => SourceContext | null;
}

/** Frames of other platforms, and those that are not minified, or may not be. */
export function asSent(raw: RawFrame, failure?: ResolveFailure): Resolution {
  const isWeb = platformOf(raw.platform).isWeb === true;
  // Without both, a browser's frame is no place of a script.
  const hasPlace = !isWeb || (raw.line !== undefined && raw.column !== undefined);
  const members: Resolution['members'] = {
    ...(hasPlace && placeSent(raw)),
    ...fileSent(raw),
    in_app: isInApp(raw, undefined),
    ...(raw.functionName !== undefined && { resolved_name: raw.functionName }),
    resolved: true,
    ...(failure !== undefined && { resolve_failure: failure.text }),
    synthetic: raw.isSynthetic,
  };
  return { members, context: isWeb ? noContext : () => contextSent(raw) };
}

/** A frame whose symbols could not be found or read. */
export const unresolved = (raw: RawFrame, { text }: ResolveFailure): Resolution => ({
  members: {
    ...placeSent(raw),
    ...fileSent(raw),
    in_app: isInApp(raw, undefined),
    resolved: false,
    resolve_failure: text,
    synthetic: raw.isSynthetic,
  },
  context: noContext,
});

/** Frames without lines around them. */
export const noContext = (): null => null;

const placeSent = ({ line, column }: RawFrame): { line?: number; column?: number } => ({
  ...(line !== undefined && { line }),
  ...(column !== undefined && { column }),
});

/** Path of a script's URL; the file as sent of other frames; and the module. */
function fileSent({ platform, filename, absPath, module }: RawFrame): { source?: string; module?: string } {
  const isUrl = filename !== undefined && platformOf(platform).isWeb === true;
  const source = isUrl ? (scriptUrl(filename)?.pathname ?? filename) : (filename ?? absPath);
  return { ...(source !== undefined && { source }), ...(module !== undefined && { module }) };
}
