/** Identifiers that advertisers add to the address of a page, and SDKs send as properties. */
const clickIds = [
  '_kx',
  'dclid',
  'epik',
  'fbclid',
  'gad_source',
  'gbraid',
  'gclid',
  'gclsrc',
  'igshid',
  'irclid',
  'li_fat_id',
  'mc_cid',
  'msclkid',
  'qclid',
  'rdt_cid',
  'sccid',
  'ttclid',
  'twclid',
  'wbraid',
];

/** Properties that SDKs send by themselves under names without `$`. */
export const plainCoreProperties: readonly string[] = [
  'distinct_id',
  'token',
  'utm_campaign',
  'utm_content',
  'utm_medium',
  'utm_source',
  'utm_term',
  ...clickIds,
];

/** Properties of events that tell the consumer something, and that no list of events' properties has (contract/decisions 74). */
export const instructions: readonly string[] = [
  'distinct_id',
  '$set',
  '$set_once',
  '$unset',
  '$initial_referrer',
  '$initial_referring_domain',
  '$groups',
  '$group_type',
  '$group_key',
  '$group_set',
  '$group_0',
  '$group_1',
  '$group_2',
  '$group_3',
  '$group_4',
];
