/** Longest diagram, in characters, and most lines of one. */
const lengthMax = 5000;
const linesMax = 60;

const id = String.raw`[A-Za-z]\w{0,30}`;
const label = String.raw`[^"\x60#<>&;\\\p{Cc}\p{Cf}]{1,200}`;
const node = String.raw`${id}(?:\["${label}"\]|\("${label}"\)|\{"${label}"\})?`;
const arrow = String.raw` ?-->(?:\|"${label}"\|)? ?`;
const line = new RegExp(String.raw`^ {0,8}${node}(?:${arrow}${node}){0,10}$`, 'u');

/**
 * True for a diagram of the few forms that are drawn: `flowchart TD` or `LR`, nodes with labels in quotation marks, arrows. No styles,
 * no links, no directives, no HTML. Pure; linear.
 */
export function isPlainFlow(diagram: string): boolean {
  if (diagram.length > lengthMax) return false;
  const [head, ...lines] = diagram.split('\n');
  if (head === undefined || !/^(?:flowchart|graph) (?:TD|TB|LR)$/.test(head)) return false;
  return lines.length > 0 && lines.length <= linesMax && lines.every((text) => line.test(text));
}
