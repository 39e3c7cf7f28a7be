import { describe, expect, test } from '@jest/globals';
import { testDraft } from '../test/drafts.ts';
import { divertSideChannels } from './divert-side-channels.ts';

describe('divertSideChannels (contract/capture 4.6)', () => {
  test.each([
    ['$$heatmap', { kind: 'drop', reason: 'heatmap' }],
    ['$snapshot', { kind: 'drop', reason: 'replay' }],
    ['$snapshot_items', { kind: 'drop', reason: 'replay' }],
    ['$performance_event', { kind: 'drop', reason: 'replay' }],
    ['$pageview', { kind: 'ok' }],
    ['snapshot', { kind: 'ok' }],
  ])('%s', (event, outcome) => {
    const draft = testDraft({ event });
    expect([divertSideChannels(draft), draft.warnings]).toEqual([outcome, []]);
  });

  test.each([
    ['what it says', '"too many"', 'too many'],
    ['the beginning of a long text, whole', JSON.stringify(`${'a'.repeat(199)}😀`), `${'a'.repeat(199)}\ufffd`],
    ['nothing, when it says nothing that is text', '7', ''],
  ])("a client's own warning becomes one of its project: %s", (_name, sent, message) => {
    const draft = testDraft({ event: '$$client_ingestion_warning' }, `{"$$client_ingestion_warning_message":${sent}}`);
    expect(divertSideChannels(draft)).toEqual({ kind: 'drop', reason: 'client_warning' });
    expect(draft.warnings).toMatchObject([{ type: 'client_ingestion_warning', details: { message } }]);
  });
});
