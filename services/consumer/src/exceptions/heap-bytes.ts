/** Bytes of memory that a value of JSON takes, about. Pure. */
export function heapBytesOf(value: unknown): number {
  let bytes = 0;
  // No recursion: what was stored may be nested very deep.
  const rest = [value];
  while (rest.length > 0) {
    const one = rest.pop();
    bytes += 16;
    if (typeof one === 'string') bytes += one.length;
    if (typeof one !== 'object' || one === null) continue;
    bytes += 48;
    if (Array.isArray(one)) for (const item of one as readonly unknown[]) rest.push(item);
    else for (const entry of Object.entries(one)) rest.push(...entry);
  }
  return bytes;
}
