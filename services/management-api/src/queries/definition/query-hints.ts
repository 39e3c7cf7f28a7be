import { refusedFields } from '@millrace/http/hint.ts';

/** For requests without a query, or with a text in its place. */
export const queryHint = 'Write {"query": {"kind": "HogQLQuery", "query": "SELECT …"}}.';

/** For requests with variables beside the query. */
export const variablesHint =
  'Write variables in the query, each with its name: {"query": {"kind": "HogQLQuery", "query": "SELECT {variables.plan}", "variables": {"1": {"code_name": "plan", "value": "pro"}}}}.';

const sqlQuery = (sql: string, more = ''): string =>
  `Write {"query": {"kind": "HogQLQuery", "query": "${sql}"${more}}}.`;
const filtersHint = `Filters belong in the query. ${sqlQuery('SELECT … WHERE {filters}', ', "filters": {"dateRange": {"date_from": "-7d"}}')} An insight holds them as its dateRange and properties.`;
const partHint = (name: string): string => `It belongs in the query. ${sqlQuery('SELECT …', `, "${name}": …`)}`;
const ofInsights = 'An insight that is not saved has none: write the values into its filters and its dateRange.';
const limitHint = 'Write LIMIT and OFFSET in the SQL. Insights have no pages.';
const formatHint =
  'The reply is JSON. For another format save the query as an endpoint, and write ?format=csv to its run.';

const hintsBesideQuery = new Map([
  ['variables', `${variablesHint} ${ofInsights}`],
  ['variables_override', `${variablesHint} ${ofInsights}`],
  ['filters', filtersHint],
  ['filters_override', filtersHint],
  ['dateRange', filtersHint],
  ['date_range', filtersHint],
  ['date_from', filtersHint],
  ['date_to', filtersHint],
  ['properties', filtersHint],
  ['filterTestAccounts', filtersHint],
  ['values', partHint('values')],
  ['limit', limitHint],
  ['offset', limitHint],
  ['format', formatHint],
]);

/** Hints for fields that a query does not have, by name. */
export const hintsInQuery: ReadonlyMap<string, string> = new Map([
  ['limit', limitHint],
  ['offset', limitHint],
]);

/**
 * Keyword for the body and the URL of a query that is run at once: without what is named here the query would give other rows
 * than were asked for. Every other unknown field is ignored, and so is one that holds nothing.
 */
export const besideQuery = refusedFields((name, value) => (isEmpty(value) ? undefined : hintsBesideQuery.get(name)));

const isEmpty = (value: unknown): boolean =>
  value === null || (typeof value === 'object' && Object.keys(value).length === 0);
