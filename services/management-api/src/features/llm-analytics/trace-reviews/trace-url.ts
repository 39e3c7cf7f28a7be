import { pathPartOf } from '../fields/trace-path.ts';

/**
 * Address of the page of a trace (contract/llm-surveys 4.4, `show-trace.ts`). Characters that may stand in a part of a path stay as they are. Pure.
 */
export function traceUrl(site: string, projectId: number, traceId: string): string {
  const part = encodeURIComponent(pathPartOf(traceId)).replaceAll(/%(?:24|26|2B|2C|3A|3B|3D|40)/g, decodeURIComponent);
  return `${site}/project/${projectId}/ai-observability/traces/${part}`;
}
