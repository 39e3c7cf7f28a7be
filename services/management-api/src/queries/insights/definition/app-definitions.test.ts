import { describe, expect, test } from '@jest/globals';
import { checkInsight } from '../../compile/prepare-insight.ts';
import { insightKinds } from '../insight-kinds.ts';
import type { InsightKind } from '../insight-kind.ts';
import { appDefinitions } from '../testing/app-definitions.ts';

describe("a definition from PostHog's app is accepted and kept (contract/insights 1.2)", () => {
  test.each(appDefinitions)('%s: %s', (kind, _, definition) =>
    expect(checkInsight(insightKinds.get(kind) as InsightKind, definition).query).toEqual(definition),
  );
});
