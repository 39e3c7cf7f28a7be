import {
  Array as ArrayType,
  Boolean,
  Integer,
  Object as ObjectType,
  Optional,
  Record,
  String as StringType,
  Unknown,
  type Static,
} from 'typebox';
import { AppError } from '@millrace/http/errors/errors.ts';
import { nullable } from '@millrace/http/nullable.ts';
import type { Prisma, Project as StoredProject } from '@millrace/postgres/generated/client.ts';
import { FilterError } from '@millrace/query-language/filters/filter-error.ts';
import { prepareStatement } from '@millrace/query-language/compile.ts';
import { parseSelect } from '@millrace/query-language/parse.ts';
import { QueryError } from '@millrace/query-language/query-error.ts';
import { readProperties } from '@millrace/query-language/filters/property-filters.ts';
import { tagList } from '../../tag-list.ts';
import { misnamedFields } from '../../misnamed-fields.ts';
import { Project, renderProject } from './project.ts';

const timestamp = StringType({ format: 'date-time' });
const testAccounts = ArrayType(Record(StringType(), Unknown()), {
  maxItems: 100,
  examples: [[{ key: 'email', value: '@example.com', operator: 'not_icontains', type: 'person' }]],
  description:
    "Property filters that leave out the project's own people; they hold in queries whose `filters` say `filterTestAccounts`.",
});
const onboarding = nullable(Record(StringType(), Boolean()));

/** A project with all that can be set of it. */
export const ProjectDetail = ObjectType(
  {
    ...Project.properties,
    anonymize_ips: Boolean({ description: 'Whether events lose the address that they came from.' }),
    allow_dangerous_merges: Boolean({
      description: 'Whether `$merge_dangerously` may join persons who are identified.',
    }),
    test_account_filters: testAccounts,
    effective_membership_level: Integer({
      examples: [15],
      description: "The caller's level in this project: 1 member, 8 administrator, 15 owner.",
    }),
    created_at: timestamp,
    updated_at: timestamp,
  },
  { title: 'ProjectDetail' },
);

/** Fields of a project that administrators may set, by the names of the API. */
export const projectFields = {
  name: StringType({ format: 'line', minLength: 1, maxLength: 200, examples: ['Shop'] }),
  timezone: Optional(
    StringType({
      maxLength: 64,
      description: 'A name of the IANA time zone database.',
      examples: ['Europe/Berlin'],
    }),
  ),
  access_control: Optional(Boolean()),
  tags: Optional(tagList),
  anonymize_ips: Optional(Boolean()),
};

/** Fields that can be changed but not set at creation. */
export const moreProjectFields = {
  allow_dangerous_merges: Optional(Boolean()),
  completed_snippet_onboarding: Optional(Boolean()),
  has_completed_onboarding_for: Optional(onboarding),
  test_account_filters: Optional(testAccounts),
};

/** Keyword for bodies of these fields: a setting by another name would change nothing, and leave the project open. */
export const misnamedProjectFields = misnamedFields({
  name: ['label', 'title'],
  timezone: ['tz', 'timezone_name'],
  access_control: ['is_private', 'private', 'restricted', 'visibility'],
  tags: [],
  anonymize_ips: ['anonymize_ip_addresses', 'discard_ips', 'discard_client_ip_data'],
  allow_dangerous_merges: [],
  test_account_filters: [],
});

/** The project as a caller of this level sees it; `hasEvent`: whether one was ever captured. */
export function renderProjectDetail(
  project: StoredProject,
  level: number,
  hasEvent: boolean,
): Static<typeof ProjectDetail> {
  return {
    ...renderProject(project, hasEvent),
    anonymize_ips: project.anonymizeIps,
    allow_dangerous_merges: project.allowDangerousMerges,
    test_account_filters: project.testAccountFilters as Static<typeof testAccounts>,
    effective_membership_level: level,
    created_at: project.createdAt.toISOString(),
    updated_at: project.updatedAt.toISOString(),
  };
}

/** The filters as they are stored. @throws {AppError} invalid_input: one of them could not be applied to queries */
export function testAccountFiltersOf(filters: Static<typeof testAccounts>): Prisma.InputJsonArray {
  try {
    const members = readProperties(filters, { nowMs: 0, timeZone: 'UTC' }, 'test_account_filters');
    const conditions = { from: undefined, to: undefined, conditions: { all: true, members } };
    prepareStatement(parseSelect('SELECT 1 FROM events WHERE {filters}')).print(
      { filters: conditions },
      { rowsMax: 1 },
    );
  } catch (error) {
    if (error instanceof FilterError || error instanceof QueryError)
      throw new AppError('invalid_input', { attr: 'test_account_filters', detail: error.message, cause: error });
    throw error;
  }
  return filters as Prisma.InputJsonArray;
}
