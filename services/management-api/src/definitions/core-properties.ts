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
