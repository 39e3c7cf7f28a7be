/** One instruction of a Dockerfile, such as `RUN` with its command. */
export interface Instruction {
  name: string;
  text: string;
}

/** A stage: what it begins with, an image or an earlier stage, and what is done. */
export interface Stage {
  name: string | null;
  from: string;
  instructions: Instruction[];
}

/**
 * The stages of a Dockerfile, with the presets of its arguments in the names of images. Pure.
 * @throws {Error} for what the rest of this folder would not carry out
 */
export function parseDockerfile(text: string): Stage[] {
  const stages: Stage[] = [];
  const presets = new Map<string, string>();
  for (const { name, text: value } of instructionsOf(text)) {
    const stage = stages.at(-1);
    if (name === 'FROM') {
      const [, from = '', as = null] = /^(\S+)(?: AS (\S+))?$/.exec(value) ?? [];
      stages.push({
        name: as,
        from: from.replace(/\$\{(\w+)\}/, (_, key: string) => presets.get(key) ?? ''),
        instructions: [],
      });
    } else if (name === 'ARG' && stage === undefined) {
      const [key = '', preset = ''] = value.split('=');
      presets.set(key, preset);
    } else if (stage !== undefined && carriedOut.includes(name)) stage.instructions.push({ name, text: value });
    else throw new Error(`this instruction is not known here: ${name} ${value}`);
  }
  return stages;
}

const carriedOut = ['WORKDIR', 'COPY', 'RUN', 'ENV', 'USER', 'VOLUME', 'EXPOSE', 'STOPSIGNAL', 'HEALTHCHECK', 'CMD'];

function instructionsOf(text: string): Instruction[] {
  const lines = text.split('\n').filter((line) => !/^\s*(#|$)/.test(line));
  const whole = lines
    .join('\n')
    .replaceAll(/\\\n\s*/g, '')
    .split('\n');
  return whole.map((line) => {
    const [, name = '', value = ''] = /^(\w+)\s+(.*)$/.exec(line.trim()) ?? [];
    return { name: name.toUpperCase(), text: value };
  });
}
