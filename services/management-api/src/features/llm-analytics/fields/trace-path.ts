// Browsers take the parts `.` and `..` out of a path, also as `%2E`. Such an id has a `~` in front there, and so has one that looks like it then.

/** The part of a path that names a trace, not encoded. Pure. */
export function pathPartOf(traceId: string): string {
  return /^~*\.{1,2}$/.test(traceId) ? `~${traceId}` : traceId;
}

/** The trace that a part of a path names. Pure. */
export function traceIdOf(pathPart: string): string {
  return /^~+\.{1,2}$/.test(pathPart) ? pathPart.slice(1) : pathPart;
}
