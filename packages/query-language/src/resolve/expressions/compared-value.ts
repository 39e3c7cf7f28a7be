import { SpanError } from '../../query-error.ts';
import type { Resolved } from '../../resolved.ts';
import { projectSchema } from '../../schema/project-schema.ts';
import type { Expression, Field } from '../../tree/expressions.ts';

/**
 * Resolves what a value is compared with. A word there that nothing has as its name, beside a text, is a text without its quotes: the error
 * says so.
 */
export function comparedValue(expr: Expression, other: Resolved, resolve: (expr: Expression) => Resolved): Resolved {
  if (!isWord(expr) || other.type.kind !== 'text' || other.type.learned !== undefined) return resolve(expr);
  try {
    return resolve(expr);
  } catch (error) {
    throw error instanceof SpanError && isUnknownWord(error, expr) ? withoutQuotes(expr) : error;
  }
}

function isWord(expr: Expression): expr is Field {
  return expr.node === 'Field' && expr.chain.length === 1 && !expr.quoted && expr.from === undefined;
}

// A name that is nearly known is misspelt.
function isUnknownWord(error: SpanError, { chain, start }: Field): boolean {
  const [name = ''] = chain;
  const { suggestion } = error.wordsIn(undefined);
  const isOpen =
    suggestion === undefined
      ? /^Unknown column "[^"]*"(?:; \w+ has |$)/.test(error.message)
      : isProperty(suggestion, name) && !isLearned(name);
  return error.code === 'unknown_column' && error.span.start === start && isOpen;
}

function isLearned(name: string): boolean {
  return (['event', 'person'] as const).some((owner) => projectSchema()?.property(owner, name) !== undefined);
}

const isProperty = (suggestion: string, name: string): boolean =>
  suggestion === `properties.${name}` || suggestion.endsWith(`.properties.${name}`);

function withoutQuotes(field: Field): SpanError {
  const [name = ''] = field.chain;
  return new SpanError(
    'unknown_column',
    `Unknown column "${name}"; a text is written in single quotes`,
    field,
    `'${name}'`,
  );
}
