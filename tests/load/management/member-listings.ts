import { type LargeOrganization, membersOfLarge, projectsOfLarge } from './large-organization.ts';

interface Reply {
  count: number;
  results: { search_match_type?: string | null }[];
}

/** One kind of request about a large organization. */
export interface Listing {
  name: string;
  what: string;
  /** Which bar it is held to. */
  kind: 'fast' | 'other';
  /** Path of the request with this number, from 0 on. */
  pathOf: (index: number) => string;
  /** @throws when the answer is none that the measurement means */
  check: (response: Reply) => void;
}

const all = `${membersOfLarge / 1000} 000 members`;

/** All that is measured: what has to be fast by index, then the rest. Pure. */
export function listings({ organizationId, domain, some }: LargeOrganization): Listing[] {
  const members = `/api/organizations/${organizationId}/members`;
  const projects = `/api/organizations/${organizationId}/projects`;
  const person = (index: number): LargeOrganization['some'][number] =>
    some[index % some.length] as LargeOrganization['some'][number];
  const list = (query: string): string => `${members}?${query}`;
  const search = (text: string): string => list(`search=${encodeURIComponent(text)}`);
  return [
    { name: 'members_page', what: `default page of ${all}`, kind: 'fast', pathOf: () => members, check: full },
    {
      name: 'members_domain',
      what: `email_domain of ${all}`,
      kind: 'fast',
      pathOf: (index) =>
        list(`email_domain=${index % 2 === 0 ? domain : `partner${8 + (index % 4 > 1 ? 1 : 0)}.${domain}`}`),
      check: full,
    },
    {
      name: 'member',
      what: `one of ${all}`,
      kind: 'fast',
      pathOf: (index) => `${members}/${person(index).uuid}/code_host_login`,
      check: () => undefined,
    },
    {
      name: 'members_search',
      what: `search of 3 letters and more in ${all}`,
      kind: 'fast',
      pathOf: (index) => search(exactSearch(person(index), index)),
      check: matching('exact'),
    },
    {
      name: 'members_similar',
      what: `search by likeness in ${all}`,
      kind: 'fast',
      pathOf: (index) => search(misspelt(person(index), index)),
      check: matching('similar'),
    },
    {
      name: 'projects_page',
      what: `default page of ${projectsOfLarge / 1000} 000 projects`,
      kind: 'fast',
      pathOf: () => projects,
      check: full,
    },
    {
      name: 'projects_search',
      what: `search in ${projectsOfLarge / 1000} 000 projects`,
      kind: 'fast',
      pathOf: (index) =>
        `${projects}?search=${['shop', 'web+europe', 'kiosk+blog+asia', String(100 + index)][index % 4]}`,
      check: found,
    },
    {
      name: 'members_deep',
      what: `page in the middle of ${all}, oldest first`,
      kind: 'other',
      pathOf: (index) => list(`order=joined_at&offset=${40_000 + index * 100}`),
      check: full,
    },
    {
      name: 'members_levels',
      what: `administrators among ${all}`,
      kind: 'other',
      pathOf: () => list('levels=8'),
      check: full,
    },
    {
      name: 'members_plain',
      what: `plain members among ${all}`,
      kind: 'other',
      pathOf: () => list('levels=1'),
      check: full,
    },
    {
      name: 'members_outside',
      what: `outside verified domains among ${all}`,
      kind: 'other',
      pathOf: () => list('outside_verified_domains=true'),
      check: full,
    },
    {
      name: 'members_short_search',
      what: `search of 2 letters in ${all}`,
      kind: 'other',
      pathOf: (index) => search(person(index).first_name.slice(0, 2)),
      check: matching('exact'),
    },
    {
      name: 'members_wide_search',
      what: `search that nearly all of ${all} meet`,
      kind: 'other',
      pathOf: () => search('large.test'),
      check: full,
    },
    {
      name: 'member_keys',
      what: `keys of one of ${all}`,
      kind: 'other',
      pathOf: (index) => `${members}/${person(index).uuid}/scoped_api_keys`,
      check: () => undefined,
    },
    {
      name: 'projects_tags',
      what: `tags among ${projectsOfLarge / 1000} 000 projects`,
      kind: 'other',
      pathOf: () => `${projects}?tags=europe,staging&tags_match=all`,
      check: full,
    },
  ];
}

/** Searches as people type them: beginnings and middles of names, whole names, parts of addresses. */
function exactSearch(
  { first_name: first, last_name: last, email }: LargeOrganization['some'][number],
  index: number,
): string {
  const choices = [
    first.slice(0, 3),
    last.slice(0, 3),
    first,
    last,
    last.slice(1, 5),
    email.split('@', 1)[0] ?? '',
    email,
    email.slice(0, first.length + 4),
  ];
  return choices[index % choices.length] as string;
}

/** A name with a letter that no generated name has: nobody contains it. */
function misspelt({ first_name: first, last_name: last }: LargeOrganization['some'][number], index: number): string {
  const name = index % 2 === 0 ? first : last;
  return `${name.slice(0, 3)}x${name.slice(4)}`;
}

function full({ results }: Reply): void {
  if (results.length !== 100) throw new Error(`a page of ${results.length} where 100 were expected`);
}

function found({ results }: Reply): void {
  if (results.length === 0) throw new Error('nothing was found');
}

const matching =
  (match: string) =>
  ({ results }: Reply): void => {
    if (results.length === 0 || results.some((one) => one.search_match_type !== match))
      throw new Error(`members that are not ${match} were found, or none`);
  };
