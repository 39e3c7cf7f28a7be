import { droppedMessage, type DropLine } from '@millrace/contracts/drop-lines.ts';

/** Longer than any line about dropped events, so only other lines are cut. */
const lineLengthMax = 20_000;

/** Reads chunks of capture's log, and passes each line about dropped events to `say` as a sentence for the terminal. */
export function createShownDrops(say: (line: string) => void): (chunk: Buffer) => void {
  let rest = '';
  return (chunk) => {
    const lines = (rest + chunk.toString()).split('\n');
    rest = (lines.pop() ?? '').slice(-lineLengthMax);
    for (const line of lines) {
      const shown = line.includes(`"${droppedMessage}"`) ? shownDrop(line) : null;
      if (shown !== null) say(shown);
    }
  };
}

function shownDrop(line: string): string | null {
  try {
    const { reason, events, project, detail } = JSON.parse(line) as DropLine;
    const whose = projectWords(project);
    const what = events === 1 ? 'an event' : `${events} events`;
    const why = detail === undefined ? '' : `: ${detail}`;
    return `capture dropped ${what} of ${whose} (${reason})${why}`;
  } catch (error) {
    // Another process wrote into the middle of this line.
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

function projectWords(project: DropLine['project']): string {
  if (project === null) return 'an unknown project';
  return project === 'others' ? 'other projects' : `project ${project}`;
}
