/** For requests without a query, or with a text in its place. */
export const queryHint = 'Write {"query": {"kind": "HogQLQuery", "query": "SELECT …"}}.';

/** For requests with variables beside the query. */
export const variablesHint =
  'Write variables in the query, each with its name: {"query": {"kind": "HogQLQuery", "query": "SELECT {variables.plan}", "variables": {"1": {"code_name": "plan", "value": "pro"}}}}.';
