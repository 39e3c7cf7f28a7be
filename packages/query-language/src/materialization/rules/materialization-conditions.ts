import { rules } from './rules.ts';

/** Texts by which an agent can rewrite a query so that it can be materialized (contract/endpoints 6.8), made of the table of rules. */
export function materializationConditions(): { conditions_source: string; rewrite_contract: string } {
  const listed = Object.values(rules).map(({ number, code, meaning }) => `${number}. ${code}: ${meaning}`);
  return { conditions_source: [...opening, ...listed].join('\n'), rewrite_contract: rewriteContract };
}

const opening = [
  'A variable is written {variables.<code_name>} and becomes a column of a table that is built in advance; a run picks the rows of its values.',
  'The rules are tried in this order. The first that refuses the query is reported, with its code.',
];

const rewriteContract = [
  'The new query returns the same rows, with the same names and types of columns, for every combination of values of the variables.',
  'Every {variables.<code_name>} of the query stays as it is written: none is added, removed or renamed.',
  'Everything else may be restructured.',
  'If there is no such query, say so and do not force one.',
].join('\n');
