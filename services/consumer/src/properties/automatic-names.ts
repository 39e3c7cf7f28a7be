/** Properties of events that describe the person who sent them (contract/capture 2.7). */
export const automaticNames: readonly string[] = [
  '$app_build', '$app_name', '$app_namespace', '$app_version', '$browser', '$browser_version', '$device_type',
  '$current_url', '$pathname', '$os', '$os_name', '$os_version', '$referring_domain', '$referrer', '$screen_height',
  '$screen_width', '$viewport_height', '$viewport_width', '$raw_user_agent', 'utm_source', 'utm_medium', 'utm_campaign',
  'utm_content', 'utm_name', 'utm_term', 'gclid', 'gad_source', 'gclsrc', 'dclid', 'gbraid', 'wbraid', 'fbclid', 'msclkid',
  'twclid', 'li_fat_id', 'mc_cid', 'igshid', 'ttclid', 'rdt_cid', 'irclid', '_kx', 'epik', 'qclid', 'sccid',
];
