import { onQuery } from '../../definition/variables.ts';
import { FormulaError, parseFormula, type Formula } from './formula.ts';
import type { TrendsDefinition } from './trends-schema.ts';

/** A formula, and its name in results. */
export interface NamedFormula {
  formula: Formula;
  label: string;
}

/**
 * Formulas of a query with so many series: of `formulaNodes`, `formulas` and `formula` the first that is given (contract/insights 5.4). None: the
 * series are the results. Pure.
 * @throws {AppError} 400 on `query`, which names the field
 */
export function readFormulas({ trendsFilter = {}, series }: TrendsDefinition): NamedFormula[] {
  const { formulaNodes = [], formulas = [], formula = '' } = trendsFilter;
  const [field, given] =
    formulaNodes.length > 0
      ? ['formulaNodes', formulaNodes]
      : formulas.length > 0
        ? ['formulas', formulas.map((text) => ({ formula: text }))]
        : ['formula', formula.trim() === '' ? [] : [{ formula }]];
  return given.map((node: { formula: string; custom_name?: string }, index) => ({
    formula: parsed(
      node.formula,
      series.length,
      `query.trendsFilter.${field}${field === 'formula' ? '' : `.${index}`}`,
    ),
    label: node.custom_name === undefined || node.custom_name === '' ? `Formula (${node.formula})` : node.custom_name,
  }));
}

function parsed(text: string, series: number, place: string): Formula {
  try {
    return parseFormula(text, series);
  } catch (error) {
    if (!(error instanceof FormulaError)) throw error;
    throw onQuery(
      `${place}: ${error.message}. A formula has letters of series, numbers, + - * / % ** and parentheses.`,
    );
  }
}
