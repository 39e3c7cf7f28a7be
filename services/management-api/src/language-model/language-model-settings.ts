import { SettingError, type ConfigOf, type Setting } from '@millrace/runtime/config.ts';
import { integer, optionalText, url } from '@millrace/runtime/settings.ts';

const anyUrl = url('LLM_BASE_URL', ['http', 'https'], {
  description:
    'address of a language model, as OpenAI and many servers offer it: https://host/v1, without /chat/completions; unset: there is none',
  default: '',
  secret: false,
});

const baseUrl: Setting<string> = {
  ...anyUrl,
  parse(text) {
    const value = anyUrl.parse(text);
    if (value !== '' && !hasPathAlone(new URL(value)))
      throw new SettingError('must hold no user, password, query or fragment: a key is LLM_API_KEY');
    return value;
  },
};

const anyKey = optionalText('LLM_API_KEY', {
  description: 'key of that server, sent as a bearer token; unset: none is sent',
  secret: true,
});

const apiKey: Setting<string | null> = {
  ...anyKey,
  parse(text) {
    const value = anyKey.parse(text);
    // It becomes a header: what a header refuses would fail each call instead of the start.
    if (value !== null && !/^[\x21-\x7e]+$/.test(value))
      throw new SettingError('must be printable ASCII without spaces');
    return value;
  },
};

/** A language model outside of this system. There is one when address and model are both set. */
export const languageModelSettings = {
  baseUrl,
  apiKey,
  model: optionalText('LLM_MODEL', {
    description: 'name of the model, as that server calls it; needed with LLM_BASE_URL, unset: there is none',
  }),
  timeoutSeconds: integer('LLM_TIMEOUT', {
    description: 'longest wait for a reply of the model, in seconds, second tries included',
    default: 120,
    min: 1,
    // Node's own HTTP client waits no longer for the head of a response.
    max: 290,
  }),
  contextTokens: integer('LLM_CONTEXT_TOKENS', {
    description:
      'context window of the model in tokens, from which the longest text of a summary follows; 0: as known for its name, else 128000',
    default: 0,
    min: 0,
  }),
  perUserMinuteMax: integer('LLM_USER_MINUTE_MAX', {
    description: 'how often one user may have the model asked in a minute, whatever the rates of keys are',
    default: 10,
    min: 1,
  }),
  perUserDayMax: integer('LLM_USER_DAY_MAX', {
    description: 'how often in 24 hours',
    default: 100,
    min: 1,
  }),
};

export type LanguageModelConfig = ConfigOf<typeof languageModelSettings>;

function hasPathAlone({ username, password, search, hash }: URL): boolean {
  return [username, password, search, hash].every((part) => part === '');
}
