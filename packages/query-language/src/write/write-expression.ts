import type { Expression } from '../tree/expressions.ts';
import { writeCall, writeWindowFunction } from './write-calls.ts';
import { writeColumnsExpression } from './write-columns-expression.ts';
import { writeConstant, writeField, writePlace, writeTypeName } from './write-literals.ts';
import { writeName } from './write-names.ts';
import {
  writeAlias,
  writeArithmetic,
  writeBetween,
  writeComparison,
  writeDistinct,
  writeLogic,
  writeNot,
} from './write-operators.ts';
import { listOf, loose, whole, wholeText, type Writing, type Written } from './written.ts';

const noText = 'A part of a filter has no text in the query language';
const readAs = { number: 'toFloat', time: 'toDateTime', stored: 'toString' } as const;

/** The text of an expression without brackets around it. Throws for a search in texts that code made: it has no text. */
export function writeNode(expr: Expression, writing: Writing): Written {
  const { expression, operand, statement } = writing;
  switch (expr.node) {
    case 'Field':
      return wholeText(writeField(expr));
    case 'Constant':
      return wholeText(writeConstant(expr));
    case 'Placeholder':
      return wholeText(`{${expression(expr.expr)}}`);
    case 'Call':
      return writeCall(expr, writing);
    case 'WindowFunction':
      return writeWindowFunction(expr, writing);
    case 'And':
    case 'Or':
      return writeLogic(expr, writing);
    case 'Not':
      return writeNot(expr, writing);
    case 'ArithmeticOperation':
      return writeArithmetic(expr, writing);
    case 'CompareOperation':
      return writeComparison(expr, writing);
    case 'BetweenExpr':
      return writeBetween(expr, writing);
    case 'IsDistinctFrom':
      return writeDistinct(expr, writing);
    case 'Alias':
      return writeAlias(expr, writing);
    case 'Lambda':
      return { text: writeLambda(expr.args, expression(expr.expr)), power: loose };
    case 'Array':
      return wholeText(`[${listOf(expr.exprs, writing)}]`);
    case 'Tuple':
      return wholeText(`(${listOf(expr.exprs, writing)}${expr.exprs.length === 1 ? ',' : ''})`);
    case 'Dict':
      return wholeText(`{${expr.items.map((item) => item.map(expression).join(': ')).join(', ')}}`);
    case 'ArrayAccess':
      return wholeText(writeItem(expr, writing));
    case 'ArraySlice': {
      const [from, to] = [expr.start_expr, expr.end_expr].map((end) => (end ? expression(end) : ''));
      return wholeText(`${operand(expr.array, whole)}[${from}:${to}]`);
    }
    case 'TupleAccess':
      return wholeText(`${writeDotted(expr.tuple, expr.nullish, writing)}${writePlace(expr.index)}`);
    case 'TypeCast':
    case 'TryCast': {
      const word = expr.node === 'TypeCast' ? 'CAST' : 'TRY_CAST';
      return wholeText(`${word}(${operand(expr.expr, 0)} AS ${writeTypeName(expr.type_name)})`);
    }
    case 'ReadAs':
      // No part of the language: a query that is shown does without.
      if (expr.type === 'bounded') return wholeText(operand(expr.expr, whole));
      if (expr.type === 'version') throw new Error(noText);
      return wholeText(`${readAs[expr.type]}(${expression(expr.expr)})`);
    case 'ColumnsExpr':
      return writeColumnsExpression(expr, writing);
    case 'SelectQuery':
    case 'SelectSetQuery':
      return wholeText(`(${statement(expr)})`);
    case 'TextSearch':
    case 'RowCondition':
      throw new Error(noText);
  }
}

// After an arrow a text or a number may be a member of JSON, but not after a list of names in brackets.
function writeLambda(args: readonly string[], body: string): string {
  const [only] = args;
  const isBare = args.length === 1 && only !== undefined && !/^['\d.]/.test(body);
  return `${isBare ? writeName(only) : `(${args.map(writeName).join(', ')})`} -> ${body}`;
}

function writeItem(expr: Extract<Expression, { node: 'ArrayAccess' }>, writing: Writing): string {
  const { array, property, nullish } = expr;
  if (property.node === 'Constant' && property.value === -Infinity)
    return `${writeDotted(array, nullish, writing)}-${writePlace(Infinity)}`;
  return `${writing.operand(array, whole)}${nullish ? '?.' : ''}[${writing.expression(property)}]`;
}

// Before a dot the digits of a number would go on behind it.
function writeDotted(expr: Expression, nullish: true | undefined, { operand }: Writing): string {
  const text = operand(expr, whole);
  const isOpen = nullish === undefined && expr.node === 'Constant' && /^-?\d+$/.test(text);
  return `${isOpen ? `(${text})` : text}${nullish ? '?.' : '.'}`;
}
