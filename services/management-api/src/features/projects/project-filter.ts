import { Object as ObjectType, Optional, String as StringType, Unsafe, type Static } from 'typebox';
import { membershipLevels } from '@millrace/contracts/membership-levels.ts';
import { AppError } from '@millrace/http/errors/errors.ts';
import { pageQuery } from '@millrace/http/pagination.ts';
import type { Prisma } from '@millrace/postgres/generated/client.ts';
import { escapeLike } from '../../database/like-pattern.ts';

const searchLengthMax = 200;

/** Query parameters of the list (spec 4.2, contract/orgs-errors 2.6). */
export const ProjectQuery = ObjectType({
  ...pageQuery,
  search: Optional(
    StringType({
      description: 'Words, separated by blanks or commas, that the name contains, in whatever case and order.',
      examples: ['shop'],
    }),
  ),
  tags: Optional(
    StringType({ description: 'Tags, separated by commas, or a JSON array of them.', examples: ['web,mobile'] }),
  ),
  tags_match: Optional(
    Unsafe<'any' | 'all'>({
      type: 'string',
      enum: ['any', 'all'],
      description: 'Whether a project has at least one of the tags, the default, or all of them.',
    }),
  ),
});

/** The user, and the organization whose projects they see. */
interface Viewer {
  organizationId: string;
  userId: number;
  /** The viewer's membership level there. */
  level: number;
}

/**
 * Reads the query of a list of the projects that the viewer may see. Pure.
 * @throws {AppError} invalid_input about `search`
 */
export function readProjectQuery(query: Static<typeof ProjectQuery>, viewer: Viewer): Prisma.ProjectWhereInput {
  const words = wordsOf(query.search ?? '').map(
    (word) => ({ name: { contains: escapeLike(word), mode: 'insensitive' } }) as const,
  );
  const tags = tagsOf(query.tags ?? '');
  const tagged =
    tags.length === 0 ? [] : [{ tags: query.tags_match === 'all' ? { hasEvery: tags } : { hasSome: tags } }];
  return { organizationId: viewer.organizationId, deletedAt: null, AND: [...words, ...tagged, ...visibleTo(viewer)] };
}

/** Private projects are there for administrators, and for those who were let in. */
function visibleTo({ userId, level }: Viewer): Prisma.ProjectWhereInput[] {
  return level >= membershipLevels.admin
    ? []
    : [{ OR: [{ accessControl: false }, { access: { some: { userId, level: { in: ['member', 'admin'] } } } }] }];
}

function wordsOf(search: string): string[] {
  if ([...search].length > searchLengthMax)
    throw new AppError('invalid_input', {
      attr: 'search',
      detail: `A search has at most ${searchLengthMax} characters.`,
    });
  return search.split(/[\s,]+/).filter((word) => word !== '');
}

function tagsOf(text: string): string[] {
  const list = listOf(text) ?? text.split(',');
  return list.map((tag) => tag.trim().toLowerCase()).filter((tag) => tag !== '');
}

/** The texts of a JSON array; undefined when it is none. */
function listOf(text: string): string[] | undefined {
  if (!text.trimStart().startsWith('[')) return undefined;
  try {
    const list: unknown = JSON.parse(text);
    return Array.isArray(list) ? list.filter((tag) => typeof tag === 'string') : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
