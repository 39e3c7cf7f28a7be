/** A formula of series. Operations of one rank are a list that is computed from its first operand on. */
export type Formula =
  | { of: 'number'; value: number }
  | { of: 'series'; index: number }
  | { of: 'minus'; operand: Formula }
  | { of: 'power'; base: Formula; exponent: Formula }
  | { of: 'operations'; first: Formula; rest: readonly { operator: Operator; operand: Formula }[] };

type Operator = '+' | '-' | '*' | '/' | '%';

/** A formula that cannot be understood; the message says why. */
export class FormulaError extends Error {}

const tokenPattern = /\s*(?:((?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?)|([A-Za-z_]\w*)|(\*\*|[-+*/%()])|(\S))/gy;
const depthMax = 100;

/**
 * Reads a formula (contract/insights 5.4): letters of so many `series` in order, numbers, `+ - * / % **`, parentheses. Pure.
 * @throws {FormulaError}
 */
export function parseFormula(text: string, series: number): Formula {
  const parser = new Parser(tokensOf(text), series);
  const formula = parser.sum(0);
  parser.end();
  return formula;
}

function tokensOf(text: string): string[] {
  const tokens: string[] = [];
  for (const [, number, name, operator, other] of text.trim().matchAll(tokenPattern)) {
    if (other !== undefined) throw new FormulaError(`${JSON.stringify(other)} has no meaning here`);
    tokens.push(number ?? name ?? operator ?? '');
  }
  if (tokens.length === 0) throw new FormulaError('it is empty');
  return tokens;
}

class Parser {
  private at = 0;
  private readonly tokens: readonly string[];
  private readonly series: number;

  constructor(tokens: readonly string[], series: number) {
    this.tokens = tokens;
    this.series = series;
  }

  end(): void {
    const token = this.tokens[this.at];
    if (token !== undefined) throw new FormulaError(`${quoted(token)} cannot stand there`);
  }

  sum(depth: number): Formula {
    return this.operations(['+', '-'], () => this.product(depth));
  }

  private product(depth: number): Formula {
    return this.operations(['*', '/', '%'], () => this.signed(depth));
  }

  private operations(operators: readonly Operator[], operandOf: () => Formula): Formula {
    const first = operandOf();
    const rest: { operator: Operator; operand: Formula }[] = [];
    for (;;) {
      const operator = operators.find((known) => this.take(known));
      if (operator === undefined) return rest.length === 0 ? first : { of: 'operations', first, rest };
      rest.push({ operator, operand: operandOf() });
    }
  }

  private signed(depth: number): Formula {
    if (depth > depthMax) throw new FormulaError(`it is nested more than ${depthMax} levels deep`);
    if (this.take('-')) return { of: 'minus', operand: this.signed(depth + 1) };
    if (this.take('+')) return this.signed(depth + 1);
    const base = this.primary(depth);
    // A power of a power is computed from the right, where a sign may stand.
    return this.take('**') ? { of: 'power', base, exponent: this.signed(depth + 1) } : base;
  }

  private primary(depth: number): Formula {
    const token = this.tokens[this.at];
    this.at += 1;
    if (token === undefined) throw new FormulaError('it ends too early');
    if (/^[\d.]/.test(token)) return { of: 'number', value: Number(token) };
    if (token !== '(') return { of: 'series', index: this.indexOf(token) };
    const inner = this.sum(depth + 1);
    if (!this.take(')')) throw new FormulaError('a parenthesis is not closed');
    return inner;
  }

  private indexOf(token: string): number {
    const index = /^[A-Za-z]$/.test(token) ? token.toUpperCase().charCodeAt(0) - 65 : -1;
    if (index < 0) throw new FormulaError(`${quoted(token)} cannot stand there`);
    if (index >= this.series) throw new FormulaError(`${token} names no series: the query has ${this.series}`);
    return index;
  }

  private take(token: string): boolean {
    if (this.tokens[this.at] !== token) return false;
    this.at += 1;
    return true;
  }
}

const quoted = (token: string): string => JSON.stringify(token.slice(0, 50));

/** Value of a formula for the numbers of the series; it may be infinite, or NaN. Pure. */
export function valueOf(formula: Formula, numbers: readonly number[]): number {
  switch (formula.of) {
    case 'number':
      return formula.value;
    case 'series':
      return numbers[formula.index] ?? 0;
    case 'minus':
      return -valueOf(formula.operand, numbers);
    case 'power':
      return valueOf(formula.base, numbers) ** valueOf(formula.exponent, numbers);
    case 'operations':
      return formula.rest.reduce(
        (left, { operator, operand }) => operated(operator, left, valueOf(operand, numbers)),
        valueOf(formula.first, numbers),
      );
  }
}

function operated(operator: Operator, left: number, right: number): number {
  switch (operator) {
    case '+':
      return left + right;
    case '-':
      return left - right;
    case '*':
      return left * right;
    case '/':
      return right === 0 ? 0 : left / right;
    case '%':
      return right === 0 ? 0 : modulo(left, right);
  }
}

/** The rest of a division, with the sign of the divisor. */
function modulo(left: number, right: number): number {
  const rest = left % right;
  return rest !== 0 && rest < 0 !== right < 0 ? rest + right : rest;
}
