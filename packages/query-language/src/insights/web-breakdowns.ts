import type { Expression } from '../tree/expressions.ts';
import { asStored, eventField } from './nodes.ts';
import { expressionTemplate } from './template.ts';

// Values that web statistics are broken down by (contract/insights 11.3). None and an empty text are one.

const known = (expr: Expression): Expression => expressionTemplate("nullIf({expr}, '')", { expr });
const property = (name: string): Expression => known(asStored(eventField('properties', name)));
const ofSession = (name: string): Expression => known(eventField('session', name));

const parts = {
  Page: [property('$pathname')],
  InitialPage: [ofSession('$entry_pathname')],
  ExitPage: [ofSession('$end_pathname')],
  ExitClick: [ofSession('$last_external_click_url')],
  ScreenName: [property('$screen_name')],
  InitialChannelType: [ofSession('$channel_type')],
  InitialReferringDomain: [ofSession('$entry_referring_domain')],
  InitialUTMSource: [ofSession('$entry_utm_source')],
  InitialUTMCampaign: [ofSession('$entry_utm_campaign')],
  InitialUTMMedium: [ofSession('$entry_utm_medium')],
  InitialUTMTerm: [ofSession('$entry_utm_term')],
  InitialUTMContent: [ofSession('$entry_utm_content')],
  InitialUTMSourceMediumCampaign: [
    expressionTemplate(
      "concat(ifNull({source}, '(none)'), ' / ', ifNull({medium}, '(none)'), ' / ', ifNull({campaign}, '(none)'))",
      {
        source: ofSession('$entry_utm_source'),
        medium: ofSession('$entry_utm_medium'),
        campaign: ofSession('$entry_utm_campaign'),
      },
    ),
  ],
  Browser: [property('$browser')],
  OS: [property('$os')],
  DeviceType: [property('$device_type')],
  Viewport: [property('$viewport_width'), property('$viewport_height')],
  Country: [property('$geoip_country_code')],
  Region: [
    property('$geoip_country_code'),
    property('$geoip_subdivision_1_code'),
    property('$geoip_subdivision_1_name'),
  ],
  City: [property('$geoip_country_code'), property('$geoip_city_name')],
} satisfies Record<string, readonly Expression[]>;

export type WebBreakdown = keyof typeof parts;

/** Names of all breakdowns. */
export const webBreakdowns = Object.keys(parts) as WebBreakdown[];

/** Breakdowns whose values are lists of several parts. Pure. */
export const isOfParts = (breakdown: WebBreakdown): boolean => parts[breakdown].length > 1;

/** Breakdowns by campaigns keep the row without a value. Pure. */
export const isOfUtm = (breakdown: WebBreakdown): boolean => breakdown.startsWith('InitialUTM');

/** Value of a row of events: a text, or JSON of a list of texts; NULL when there is none, or its first part is missing. Pure. */
export function valueOf(breakdown: WebBreakdown): Expression {
  const [first, ...others] = parts[breakdown] as readonly Expression[];
  if (first === undefined) throw new Error('a breakdown without a part');
  if (others.length === 0) return first;
  return expressionTemplate('if({first} IS NULL, NULL, toJSONString([{list}]))', { first, list: [first, ...others] });
}
