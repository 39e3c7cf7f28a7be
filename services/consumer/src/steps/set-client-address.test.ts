import { describe, expect, test } from '@jest/globals';
import { testDraft, testProject } from '../test/drafts.ts';
import { setClientAddress } from './set-client-address.ts';

function after(body: string, ip: string | undefined, anonymizeIps = false) {
  const draft = testDraft(ip === undefined ? {} : { ip }, body, { ...testProject, anonymizeIps });
  setClientAddress(draft);
  return { text: draft.properties.text, ip: draft.properties.get('$ip') };
}

describe('setClientAddress (contract/capture 2.6, contract/decisions 36)', () => {
  test("the address that capture saw is written behind the client's own text", () => {
    expect(after('{"a": 1.0}', '9.8.7.6')).toEqual({ text: '{"a": 1.0,"$ip":"9.8.7.6"}', ip: '9.8.7.6' });
  });

  test("the client's own address wins, even null", () => {
    expect(after('{"$ip":"1.1.1.1"}', '9.8.7.6')).toEqual({ text: '{"$ip":"1.1.1.1"}', ip: '1.1.1.1' });
    expect(after('{"$ip":null}', '9.8.7.6')).toEqual({ text: '{"$ip":null}', ip: null });
  });

  test('an unknown address leaves everything as it is', () => {
    expect(after('{ "a":1}', undefined)).toEqual({ text: '{ "a":1}', ip: undefined });
  });

  test('a project that anonymises addresses keeps neither', () => {
    expect(after('{"$ip":"1.1.1.1","a":1}', '9.8.7.6', true)).toEqual({ text: '{"a":1}', ip: undefined });
  });
});
