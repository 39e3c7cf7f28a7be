import { Boolean, Object as ObjectType, Optional, String as StringType, Unsafe, type Static } from 'typebox';
import { AppError } from '@millrace/http/errors/errors.ts';
import { nullable } from '@millrace/http/nullable.ts';
import type { PrismaClient } from '@millrace/postgres/generated/client.ts';
import { FilterError } from '@millrace/query-language/filters/filter-error.ts';
import { readProperties } from '@millrace/query-language/filters/property-filters.ts';
import type { FilterCondition, FilterGroup } from '@millrace/query-language/filters/query-filters.ts';
import { readMoment, type Now } from '@millrace/query-language/filters/relative-time.ts';
import type { TimeWindow } from '../../../../queries/definition/time-window.ts';
import { momentAt } from '../../../../queries/insights/dates/moments.ts';

const dateRange = ObjectType({
  date_from: Optional(nullable(StringType({ description: 'Default: `-7d`.', examples: ['-24h'] }))),
  date_to: Optional(nullable(StringType({ description: 'Default: now.', examples: ['2026-01-31T12:00:00Z'] }))),
});

/** Fields of bodies that say which events are meant. */
export const eventQuery = {
  dateRange: Optional(dateRange),
  filterTestAccounts: Optional(
    Boolean({ description: 'Leave out what the test account filters of the project match; default true.' }),
  ),
};

/** Property filters of which all hold; SQL is none of them. */
export const FilterGroupField = Unsafe<Record<string, unknown>[]>({
  type: 'array',
  items: { type: 'object' },
  description:
    'Property filters, `{"key", "value", "operator", "type"}`, of which all hold. Filters in SQL are refused.',
  examples: [[{ key: '$browser', value: 'Chrome', operator: 'exact', type: 'event' }]],
});

export interface EventQuery {
  dateRange?: Static<typeof dateRange>;
  filterTestAccounts?: boolean;
  filterGroup?: readonly Record<string, unknown>[];
}

/** The events that are meant. */
export interface WantedEvents {
  window: TimeWindow;
  conditions: FilterGroup;
}

/** @throws {AppError} invalid_input on `dateRange__date_from`, `dateRange__date_to` or `filterGroup` */
export async function readEventQuery(
  prisma: Pick<PrismaClient, 'project'>,
  projectId: number,
  { dateRange: range, filterTestAccounts = true, filterGroup = [] }: EventQuery,
  now: Now,
): Promise<WantedEvents> {
  const window = readRange(range ?? {}, now);
  const members = understood('filterGroup', () => readProperties(filterGroup, now, 'filterGroup'));
  if (members.some(isInSql))
    throw new AppError('invalid_input', { attr: 'filterGroup', detail: 'Filters in SQL are refused here.' });
  if (!filterTestAccounts) return { window, conditions: { all: true, members } };
  const project = await prisma.project.findUnique({
    where: { id: projectId },
    select: { testAccountFilters: true },
  });
  const ofProject = understood('filterTestAccounts', () =>
    readProperties(project?.testAccountFilters, now, 'test_account_filters'),
  );
  return { window, conditions: { all: true, members: [...members, ...ofProject] } };
}

const isInSql = (member: FilterCondition | FilterGroup): boolean =>
  'members' in member ? member.members.some(isInSql) : 'expression' in member;

function readRange({ date_from: from, date_to: to }: Static<typeof dateRange>, now: Now): TimeWindow {
  const bound = (text: string, attr: string) => understood(attr, () => readMoment(text, now, attr));
  const window = {
    from: bound(from?.trim() || '-7d', 'dateRange__date_from').first,
    to: to?.trim() ? bound(to, 'dateRange__date_to').last : momentAt(now.nowMs),
  };
  if (window.from <= window.to) return window;
  throw new AppError('invalid_input', {
    attr: 'dateRange__date_from',
    detail: 'date_from must not be later than date_to.',
  });
}

/** @throws {AppError} invalid_input on `attr` */
export function understood<T>(attr: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof FilterError)) throw error;
    throw new AppError('invalid_input', { attr, detail: error.message, cause: error });
  }
}
