import { Array as ArrayType, Integer, Object as ObjectType, Optional, String as StringType } from 'typebox';
import { AppError } from '@millrace/http/errors/errors.ts';
import { nullable } from '@millrace/http/nullable.ts';
import { readLongRows } from '@millrace/http/pagination.ts';
import { projectRoute } from '../../../context.ts';
import { DefinitionId, findScoreDefinition } from './find-score-definition.ts';
import { ScoreDefinitionVersion } from './score-definition.ts';
import { readVersions, renderVersion } from './version-queries.ts';

const limitDefault = 50;
const limitMax = 100;
/** Greatest number that a version can have. */
const versionMax = 2_147_483_647;

export const listScoreDefinitionVersions = projectRoute({
  operationId: 'list_score_definition_versions',
  method: 'get',
  path: '/api/projects/:project_id/llm_analytics/score_definitions/:definition_id/versions',
  params: { definition_id: DefinitionId },
  access: { scope: 'llm_analytics:read' },
  tag: 'LLM analytics',
  summary: 'List the versions of a score definition, newest first',
  query: ObjectType({
    limit: Optional(
      Integer({
        minimum: 1,
        maximum: limitMax,
        description: `Rows of a page; default ${limitDefault}.`,
        examples: [50],
      }),
    ),
    cursor: Optional(StringType({ description: '`next_cursor` of the page before.', examples: ['2'] })),
  }),
  responses: {
    200: ObjectType({
      count: Integer({ description: 'Number of all versions.' }),
      next_cursor: nullable(StringType({ description: '`cursor` of the next page.' })),
      results: ArrayType(ScoreDefinitionVersion),
    }),
  },
  find: findScoreDefinition,
  async handler({ context: { prisma }, found: { id: definitionId, kind }, query }) {
    const before = readCursor(query.cursor ?? '');
    const page = { limit: query.limit ?? limitDefault, offset: 0 };
    const [count, results] = await Promise.all([
      prisma.scoreDefinitionVersion.count({ where: { definitionId } }),
      readLongRows(page, async (part) =>
        (await readVersions(prisma, { definitionId, before }, part)).map((row) => renderVersion(row, kind)),
      ),
    ]);
    // Versions have no gaps: after version 1 there are no more.
    const last = results.at(-1)?.version ?? 1;
    return { count, next_cursor: last > 1 ? String(last) : null, results };
  },
});

/** The version before which a page begins; null: it is the first page. */
function readCursor(text: string): number | null {
  if (text.trim() === '') return null;
  const version = /^\s*\d{1,10}\s*$/.test(text) ? Number(text) : 0;
  if (version >= 1 && version <= versionMax) return version;
  throw new AppError('invalid_input', { attr: 'cursor', detail: 'This is not a cursor of this list.' });
}
