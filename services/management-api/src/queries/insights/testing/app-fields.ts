/** A choice in the app, and the fields that it writes for it. */
export type AppDefinition = [chosen: string, definition: Readonly<Record<string, unknown>>];

/** The app writes filters as a group in a group, also when there are none. */
export const noConditions = { type: 'AND', values: [{ type: 'AND', values: [] }] };

/** Fields that the app keeps for itself. */
export const app = {
  version: 2,
  dataColorTheme: 3,
  samplingFactor: 0.1,
  tags: { productKey: 'web_analytics', scene: 'Insight' },
};
