import { parseSelect } from '../parse.ts';
import type { Expression, Placeholder } from '../tree/expressions.ts';
import type { SelectQuery, Statement } from '../tree/statements.ts';

/** Nodes that stand in a template's braces: an expression, a list of a tuple's or SELECT's expressions, or a sub-query of FROM. */
export type TemplateParts = Readonly<Record<string, Expression | readonly Expression[] | Statement>>;

/** Templates are texts of this package alone, so there are few. */
const parsed = new Map<string, Statement>();

/**
 * A statement that one of our own texts describes, with nodes in place of its `{names}`. Nothing of a request ever is in the text: values are
 * constants, and names are members of a field, in the nodes. A list takes the place of one expression in a list of expressions. Pure.
 * @throws when a name has no part, which is a mistake of the template
 */
export function template(text: string, parts: TemplateParts = {}): Statement {
  return filled(parsed.get(text) ?? parseTemplate(text), parts) as Statement;
}

/** Nodes and lists of templates that have a placeholder in them. All others are the same in every statement. */
const open = new WeakSet<object>();

function parseTemplate(text: string): Statement {
  const tree = parseSelect(text);
  noteOpen(tree);
  parsed.set(text, tree);
  return tree;
}

function noteOpen(node: unknown): boolean {
  if (typeof node !== 'object' || node === null) return false;
  const areOpen = Object.values(node).map(noteOpen);
  const isOpen = isPlaceholder(node) || areOpen.includes(true);
  if (isOpen) open.add(node);
  return isOpen;
}

/** An expression that one of our own texts describes, as `template` does a statement. Pure. */
export function expressionTemplate(text: string, parts: TemplateParts = {}): Expression {
  const [expression] = (template(`SELECT ${text}`, parts) as SelectQuery).select;
  if (expression === undefined) throw new Error('the template has no expression');
  return expression;
}

function filled(node: unknown, parts: TemplateParts): unknown {
  if (typeof node !== 'object' || node === null || !open.has(node)) return node;
  if (Array.isArray(node)) return node.flatMap((member: unknown) => partOf(member, parts) ?? [filled(member, parts)]);
  const part = partOf(node, parts);
  if (part !== undefined) {
    if (Array.isArray(part)) throw new Error('a list stands where one expression must be');
    return part;
  }
  const copy: Record<string, unknown> = { ...node };
  for (const key in copy) copy[key] = filled(copy[key], parts);
  return copy;
}

const isPlaceholder = (node: object): node is Placeholder => 'node' in node && node.node === 'Placeholder';

function partOf(node: unknown, parts: TemplateParts): TemplateParts[string] | undefined {
  if (typeof node !== 'object' || node === null || !isPlaceholder(node) || node.expr.node !== 'Field') return undefined;
  const name = node.expr.chain.join('.');
  const part = parts[name];
  if (part === undefined) throw new Error(`the template has no part {${name}}`);
  return part;
}
