/** A part of a filter as a message shows it. Pure. */
export function shown(text: unknown): string {
  return JSON.stringify(text)?.slice(0, 100) ?? 'undefined';
}
