import { SettingError, type Setting } from '@millrace/runtime/config.ts';
import { flag, integer } from '@millrace/runtime/settings.ts';

const exemptProjects: Setting<readonly number[]> = {
  variable: 'API_THROTTLE_EXEMPT_PROJECTS',
  description: 'ids of projects, with commas between, about which keys may call as often as they like',
  secret: false,
  defaultText: '',
  parse: (value = '') =>
    value
      .split(',')
      .filter((id) => id.trim() !== '')
      .map((id) => {
        if (!/^\s*\d{1,10}\s*$/.test(id)) throw new SettingError(`holds "${id}", which is no id of a project`);
        return Number(id);
      }),
};

/** Rates of calls by key; off unless they are switched on (contract/orgs-errors 1.6, contract/decisions 6). */
export const throttleSettings = {
  enabled: flag('API_THROTTLES', {
    description: 'whether keys may call only so often; more is answered with 429',
    default: false,
  }),
  perMinute: integer('API_THROTTLE_PER_MINUTE', {
    description: 'calls of one key in a minute',
    default: 480,
    min: 1,
  }),
  perHour: integer('API_THROTTLE_PER_HOUR', { description: 'calls of one key in an hour', default: 4800, min: 1 }),
  symbolSetsPerMinute: integer('API_THROTTLE_SYMBOL_SETS_PER_MINUTE', {
    description: 'calls of one key about symbol sets in a minute',
    default: 1200,
    min: 1,
  }),
  symbolSetsPerHour: integer('API_THROTTLE_SYMBOL_SETS_PER_HOUR', {
    description: 'calls of one key about symbol sets in an hour',
    default: 12_000,
    min: 1,
  }),
  textReprPerMinute: integer('API_THROTTLE_TEXT_REPR_PER_MINUTE', {
    description: 'calls of one key in a minute that make texts of LLM events and traces',
    default: 120,
    min: 1,
  }),
  textReprPerHour: integer('API_THROTTLE_TEXT_REPR_PER_HOUR', {
    description: 'the same in an hour',
    default: 600,
    min: 1,
  }),
  summarizationPerMinute: integer('API_THROTTLE_SUMMARIZATION_PER_MINUTE', {
    description: 'calls of one key in a minute that make or look up summaries of LLM events and traces',
    default: 50,
    min: 1,
  }),
  summarizationPerHour: integer('API_THROTTLE_SUMMARIZATION_PER_HOUR', {
    description: 'the same in an hour',
    default: 200,
    min: 1,
  }),
  summarizationPerDay: integer('API_THROTTLE_SUMMARIZATION_PER_DAY', {
    description: 'the same in a day',
    default: 500,
    min: 1,
  }),
  translationPerMinute: integer('API_THROTTLE_TRANSLATION_PER_MINUTE', {
    description: 'calls of one key in a minute that translate texts',
    default: 30,
    min: 1,
  }),
  translationPerHour: integer('API_THROTTLE_TRANSLATION_PER_HOUR', {
    description: 'the same in an hour',
    default: 200,
    min: 1,
  }),
  translationPerDay: integer('API_THROTTLE_TRANSLATION_PER_DAY', {
    description: 'the same in a day',
    default: 500,
    min: 1,
  }),
  materializedPerMinute: integer('API_THROTTLE_MATERIALIZED_PER_MINUTE', {
    description: 'runs of one key, or run token, in a minute that tables of materialized endpoints answer',
    default: 1200,
    min: 1,
  }),
  materializedPerHour: integer('API_THROTTLE_MATERIALIZED_PER_HOUR', {
    description: 'the same in an hour',
    default: 12_000,
    min: 1,
  }),
  exemptProjects,
};
