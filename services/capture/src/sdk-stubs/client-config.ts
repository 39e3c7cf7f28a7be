/**
 * Settings of browsers: gzip is understood, the rest is switched off, so that nothing else is loaded or requested
 * (contract/capture 1.2). `token` is repeated, if there is one.
 */
export function clientConfig(token: string | null): Record<string, unknown> {
  return {
    supportedCompression: ['gzip', 'gzip-js'],
    hasFeatureFlags: false,
    analytics: { endpoint: '/i/v0/e/' },
    autocapture_opt_out: false,
    captureDeadClicks: false,
    capturePerformance: false,
    heatmaps: false,
    sessionRecording: false,
    surveys: false,
    siteApps: [],
    toolbarParams: {},
    isAuthenticated: false,
    toolbarVersion: 'toolbar',
    defaultIdentifiedOnly: true,
    elementsChainAsString: true,
    errorTracking: { autocaptureExceptions: false, suppressionRules: [] },
    ...(token !== null && { token }),
  };
}
