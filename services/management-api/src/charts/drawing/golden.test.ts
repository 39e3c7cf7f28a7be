import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { goldenFolder, goldenPictures } from '../testing/golden.ts';
import { readSvg } from '../testing/read-svg.ts';

describe('pictures that README files and mails show', () => {
  test.each(goldenPictures())('$name is drawn byte for byte as its golden file', ({ path, svg }) => {
    expect(svg).toBe(readFileSync(path, 'utf8'));
    expect(readSvg(svg).elements).toContain('title');
  });

  test('each golden file has its sample', () => {
    const names = goldenPictures().map(({ name }) => `${name}.svg`);
    expect(readdirSync(goldenFolder).toSorted()).toEqual(names.toSorted());
  });
});
