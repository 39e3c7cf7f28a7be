import { Array as ArrayType, Integer, Object as ObjectType, String as StringType } from 'typebox';
import { nullable } from '@millrace/http/nullable.ts';
import { pageEnvelope, readPage } from '@millrace/http/pagination.ts';
import { projectRoute } from '../context.ts';
import { readIdPage, readUncountedPage } from '../../../lists/id-page.ts';
import { readSetQuery, SymbolSetQuery } from './set-listing.ts';
import { listedSets, readSets } from './set-queries.ts';
import { renderSymbolSet, SymbolSet, symbolSetRoute, symbolSetsPath } from './symbol-set.ts';

const rowsMax = 100;

export const listSymbolSets = projectRoute({
  ...symbolSetRoute,
  operationId: 'list_symbol_sets',
  method: 'get',
  path: symbolSetsPath,
  access: { scope: 'error_tracking:read' },
  summary: 'List or search the symbol sets of a project',
  description: 'A page has at most 100 rows.',
  query: SymbolSetQuery,
  responses: {
    200: ObjectType({
      count: nullable(Integer({ description: 'Number of matching records; null without `include_count`.' })),
      next: nullable(StringType({ description: 'Link to the next page.' })),
      previous: nullable(StringType({ description: 'Link to the previous page.' })),
      results: ArrayType(SymbolSet),
    }),
  },
  async handler({ auth: { project }, context: { prisma, baseUrl }, query, request }) {
    const page = readPage(query, rowsMax);
    const listed = listedSets(project.id, readSetQuery(query));
    const read = async (ids: readonly string[]) => (await readSets(prisma, project.id, ids)).map(renderSymbolSet);
    const url = new URL(baseUrl(request) + request.originalUrl);
    if (query.include_count !== false) {
      const { count, rows } = await readIdPage(prisma, listed, page, read);
      return pageEnvelope(url, page, count, rows);
    }
    // One row more shows whether there is a next page.
    const rows = await readUncountedPage(prisma, listed, { ...page, limit: page.limit + 1 }, read);
    return { ...pageEnvelope(url, page, page.offset + rows.length, rows.slice(0, page.limit)), count: null };
  },
});
