import { events } from '@millrace/contracts/tables/events.ts';
import { plain, type ValueType } from '../types.ts';
import type { ColumnField, LogicalTable, Lookup, ColumnLocation } from './logical-table.ts';
import { storedColumn } from './stored-columns.ts';

// Sessions are computed from their events when a query reads them: there is nothing to keep up, merges change nothing of
// them, and only the columns that a query names are computed. All SQL here is ours.

const text = plain('text', true);
const page = "`properties`['$current_url']";
const firstPage = `argMin(${page}, \`timestamp\`)`;
const pathname = `ifNull(\`properties\`['$pathname'], path(${page}))`;
const seconds = "dateDiff('second', min(`timestamp`), max(`timestamp`))";
const pageviews = "countIf(`event` = '$pageview')";
const clicks = "countIf(`event` = '$autocapture')";
const visible = "countIf(`event` IN ('$pageview', '$screen', '$autocapture'))";

/** A value of the session's first event that has a page address; NULL when that has none, whatever later ones say. */
const atEntry = (key: string): string =>
  `tupleElement(argMinIf(tuple(\`properties\`['${key}']), \`timestamp\`, ${page} IS NOT NULL), 1)`;

const search =
  "'google', 'bing', 'duckduckgo', 'yahoo', 'baidu', 'yandex', 'ecosia', 'brave', 'kagi', 'startpage', 'qwant'";
const social =
  "'facebook', 'instagram', 'twitter', 'x', 't', 'linkedin', 'lnkd', 'reddit', 'pinterest', 'tiktok', 'threads', 'bsky', 'mastodon', 'snapchat', 'vk'";
const video = "'youtube', 'youtu', 'vimeo', 'twitch'";

// A name given anywhere in a SELECT is known in all of it, so each of these is computed once.
const named = {
  campaign: lowerAtEntry('utm_campaign'),
  medium: lowerAtEntry('utm_medium'),
  source: lowerAtEntry('utm_source'),
  referrer: lowerAtEntry('$referring_domain'),
};
const [campaign, medium, source, referrer] = ['`__campaign`', '`__medium`', '`__source`', '`__referrer`'];

function lowerAtEntry(key: string): string {
  return `lower(ifNull(${atEntry(key)}, ''))`;
}

const isFrom = (names: string): string =>
  `(${source} IN (${names}) OR (${source} = '' AND hasAny(splitByChar('.', ${referrer}), array(${names}))))`;

/** Channel of a session, by the campaign and the referrer of its first page; the first line that holds. */
const channels: readonly (readonly [condition: string, channel: string])[] = [
  [`${firstPage} IS NULL`, 'Unknown'],
  [`(${named.campaign} AS ${campaign}) = 'cross-network'`, 'Cross Network'],
  [`\`__paid\` AND (${isFrom(search)} OR ${atEntry('gclid')} IS NOT NULL)`, 'Paid Search'],
  [`\`__paid\` AND ${isFrom(social)}`, 'Paid Social'],
  [`\`__paid\` AND ${isFrom(video)}`, 'Paid Video'],
  [
    `((${medium} IN ('cpc', 'ppc', 'cpm', 'cpv', 'cpa', 'retargeting') OR startsWith(${medium}, 'paid') OR ${atEntry('gclid')} IS NOT NULL) AS \`__paid\`)`,
    'Paid Unknown',
  ],
  [`${medium} IN ('email', 'e-mail', 'newsletter') OR ${source} IN ('email', 'newsletter')`, 'Email'],
  [`${medium} = 'affiliate'`, 'Affiliate'],
  [`${medium} = 'sms' OR ${source} = 'sms'`, 'SMS'],
  [`${medium} = 'push'`, 'Push'],
  [`${isFrom(search)} OR ${medium} = 'organic'`, 'Organic Search'],
  [`${isFrom(social)} OR ${medium} = 'social'`, 'Organic Social'],
  [`${isFrom(video)} OR ${medium} = 'video'`, 'Organic Video'],
  [
    `(${named.medium} AS ${medium}) = '' AND (${named.source} AS ${source}) = '' AND (${named.referrer} AS ${referrer}) IN ('', '$direct')`,
    'Direct',
  ],
  [`${referrer} NOT IN ('', '$direct') OR ${medium} = 'referral'`, 'Referral'],
];

const channelType = `multiIf(${channels.map(([condition, channel]) => `${condition}, '${channel}'`).join(', ')}, 'Unknown')`;

const computed: Readonly<Record<string, readonly [sql: string, type: ValueType]>> = {
  distinct_id: ['argMin(`distinct_id`, `timestamp`)', plain('text')],
  $start_timestamp: ['min(`timestamp`)', plain('datetime')],
  $end_timestamp: ['max(`timestamp`)', plain('datetime')],
  $session_duration: [seconds, plain('integer')],
  $pageview_count: [pageviews, plain('integer')],
  $entry_current_url: [firstPage, text],
  $entry_pathname: [`argMin(${pathname}, \`timestamp\`)`, text],
  $exit_current_url: [`argMax(${page}, \`timestamp\`)`, text],
  $exit_pathname: [`argMax(${pathname}, \`timestamp\`)`, text],
  ...Object.fromEntries(
    ['source', 'medium', 'campaign', 'term', 'content'].map((name) => [
      `$entry_utm_${name}`,
      [atEntry(`utm_${name}`), text],
    ]),
  ),
  $entry_referring_domain: [atEntry('$referring_domain'), text],
  $channel_type: [channelType, plain('text')],
  // One page, screen or click, and gone within ten seconds; a session that has none of them can neither bounce nor stay.
  $is_bounce: [`if(${visible} = 0, NULL, toBool(${visible} = 1 AND ${seconds} < 10))`, plain('boolean', true)],
};

const lastPage = `argMax(${page}, \`timestamp\`)`;
const clickIds = [
  'gclid',
  'gad_source',
  'gclsrc',
  'dclid',
  'gbraid',
  'wbraid',
  'fbclid',
  'msclkid',
  'twclid',
  'li_fat_id',
  'mc_cid',
  'igshid',
  'ttclid',
  '_kx',
  'irclid',
  'epik',
  'qclid',
  'sccid',
];

/** Columns that `*` leaves out: other names of the above, and those that few need. */
const explicit: typeof computed = {
  $end_current_url: [lastPage, text],
  $end_pathname: [`argMax(${pathname}, \`timestamp\`)`, text],
  $entry_hostname: [`domain(${firstPage})`, text],
  $end_hostname: [`domain(${lastPage})`, text],
  $autocapture_count: [clicks, plain('integer')],
  $screen_count: ["countIf(`event` = '$screen')", plain('integer')],
  $num_uniq_urls: [`uniqExact(${page})`, plain('integer')],
  $last_external_click_url: ["argMax(`properties`['$external_click_url'], `timestamp`)", text],
  ...Object.fromEntries(clickIds.map((name) => [`$entry_${name}`, [atEntry(name), text]])),
};

const byEvents = { physical: events.fullName, key: '$session_id' };

const join: Lookup = { name: 'session', ...byEvents, by: { column: '$session_id' }, grouped: true };

function columns(location: Partial<ColumnLocation>): Record<string, ColumnField> {
  const id = storedColumn(events, '$session_id');
  const own = location.join ? { id, session_id: id } : { session_id: id, id };
  const fields = (values: typeof computed, more: { explicit?: true }): [string, ColumnField][] =>
    Object.entries(values).map(([name, [sql, type]]) => [
      name,
      {
        kind: 'column',
        column: name,
        sql,
        ...location,
        ...more,
        type: location.join ? { ...type, nullable: true } : type,
      },
    ]);
  return { ...own, ...Object.fromEntries([...fields(computed, {}), ...fields(explicit, { explicit: true })]) };
}

/** Sessions, one row for each `$session_id` of the events (contract/endpoints 10). */
export const sessions: LogicalTable = {
  name: 'sessions',
  comment: 'Sessions, computed from their events when they are read',
  physical: byEvents.physical,
  groupedBy: byEvents.key,
  fields: columns({}),
};

/** An event's session: `session.$channel_type`. */
export const sessionOfEvent = { kind: 'group', fields: columns({ join }) } as const;
