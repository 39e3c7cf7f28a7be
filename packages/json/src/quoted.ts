/** As `JSON.stringify`, which costs more than looking through the few characters of a name or an id that needs no escapes. */
export function quoted(text: string): string {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code < 0x20 || code === 0x22 || code === 0x5c || code > 0x7e) return JSON.stringify(text);
  }
  return `"${text}"`;
}
