/** Label of a series: its event, whatever `name` and `custom_name` say (contract/insights 5.2). */
export const labelOf = (event: string | null): string => event ?? 'All events';
