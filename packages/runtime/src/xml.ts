const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' };

/**
 * Text that is safe as the content of an XML element.
 * @throws {Error} for control characters, which XML cannot hold.
 */
export function escapeXml(text: string): string {
  if (/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/.test(text))
    throw new Error('control characters cannot be written as XML');
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character);
}
