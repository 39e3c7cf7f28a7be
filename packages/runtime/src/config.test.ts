import { describe, expect, test } from '@jest/globals';
import { ConfigError, listSettings, readConfig } from './config.ts';
import { choice, flag, integer, optionalText, text, url } from './settings.ts';

const settings = {
  port: integer('PORT', { description: 'where it listens', default: 8000, max: 65_535 }),
  level: choice('LEVEL', ['info', 'debug'], { description: 'how much it logs', default: 'info' }),
  store: {
    url: url('STORE_URL', ['postgres', 'postgresql'], { description: 'where it stores' }),
    strict: flag('STORE_STRICT', { description: 'whether it is strict', default: false }),
    label: optionalText('STORE_LABEL', { description: 'a name' }),
  },
  name: text('NAME', { description: 'its name', default: 'x' }),
};

describe('settings become typed values', () => {
  test('from the environment, with defaults for what is unset or empty', () => {
    const environment = { PORT: '0', STORE_URL: 'postgres://u:p@h/d', STORE_STRICT: '1', NAME: '' };
    expect(readConfig(settings, environment)).toEqual({
      port: 0,
      level: 'info',
      store: { url: 'postgres://u:p@h/d', strict: true, label: null },
      name: 'x',
    });
  });

  test('every problem is reported at once, by the name of its variable, without secrets', () => {
    const environment = { PORT: '99999', LEVEL: 'loud', STORE_URL: 'mysql://u:hunter2@h', STORE_STRICT: 'yes' };
    let errors: readonly string[] = [];
    try {
      readConfig(settings, environment);
    } catch (error) {
      if (error instanceof ConfigError) errors = error.errors;
    }
    expect(errors.map((error) => error.split(' ')[0])).toEqual(['PORT', 'LEVEL', 'STORE_URL', 'STORE_STRICT']);
    expect(errors.join()).not.toContain('hunter2');
  });

  test('a variable without default must be set', () => {
    expect(() => readConfig(settings, {})).toThrow('STORE_URL must be set (where it stores)');
  });
});

test('all settings can be listed, for .env.example', () => {
  expect(listSettings(settings).map(({ variable }) => variable)).toEqual([
    'PORT',
    'LEVEL',
    'STORE_URL',
    'STORE_STRICT',
    'STORE_LABEL',
    'NAME',
  ]);
});
