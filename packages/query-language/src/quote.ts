/** A text of ours, or a property's name, as a literal. Everything but plain letters, digits and a few signs is written as bytes. */
export function quoteText(text: string): string {
  return `'${text.replace(/[^A-Za-z0-9_$ .,:;()/+%?=-]+/gu, escapeBytes)}'`;
}

/** A name in backticks. Names are ours or were reduced to letters, digits, _ and $ before; others stop the printing. */
export function quoteName(name: string): string {
  if (!/^[A-Za-z_$][\w$]*$/.test(name)) throw new Error('A name that is not plain reached the printer');
  return `\`${name}\``;
}

function escapeBytes(text: string): string {
  return Buffer.from(text)
    .toString('hex')
    .toUpperCase()
    .replace(/../g, String.raw`\x$&`);
}
