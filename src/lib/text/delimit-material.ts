import { hashText } from '../content-hash.ts';
import { foldText } from './words.ts';

/** A text that others wrote, with a title that is ours. */
export interface Material {
  /** Small letters, digits and spaces. */
  readonly title: string;
  readonly text: string;
}

/** Material between lines that nothing in it can imitate. */
export interface DelimitedMaterial {
  /** In every delimiter of this prompt, and nowhere in the material. */
  readonly code: string;
  readonly text: string;
  /** The text of each part by itself, in order. */
  readonly blocks: readonly string[];
}

/**
 * Puts each part of the material between `<<<CODE title>>>` and `<<<end CODE title>>>`. The code is a hash of all the
 * material, so it is the same for the same material and another one after any change: an answer would have
 * to write into it the hash of that very answer. Should the code stand in the material all the same, in any form that
 * Unicode takes for the same, another is taken.
 */
export function delimitMaterial(material: readonly Material[]): DelimitedMaterial {
  const parts = material.map(({ title, text }) => ({ title, text: defuse(text) }));
  const code = findCode(parts);
  const blocks = parts.map(
    ({ title, text }) => `<<<${code} ${title}>>>\n${text}\n<<<end ${code} ${title}>>>`,
  );
  return { code, text: blocks.join('\n\n'), blocks };
}

function findCode(parts: readonly Material[]): string {
  const folded = parts.map(({ text }) => foldText(text).toLowerCase());
  const json = JSON.stringify(parts);
  for (let round = 0; ; round += 1) {
    const code = hashText(`${round} ${json}`).slice(0, 16);
    if (!folded.some((text) => text.includes(code))) return code;
  }
}

const controlTokens = [
  /<(?=\|[^\n]{1,60}?\|>)/g,
  /<(?=｜[^\n]{1,60}?｜>)/g,
  /<(?=\/?(?:s|bos|eos|start_of_turn|end_of_turn|think|thinking)>)/gi,
  /\[(?=\/?(?:INST|SYSTEM_PROMPT|AVAILABLE_TOOLS|TOOL_RESULTS)\])/g,
  /<(?=<\/?SYS>>)/g,
];

/**
 * Takes the force out of what model servers read as the end of a message, such as `<|im_end|>` or `[/INST]`: their
 * first character is replaced by one that looks like it. Everything else stays as it is.
 */
export function defuse(text: string): string {
  return controlTokens.reduce(
    (safe, token) => safe.replace(token, (first) => (first === '<' ? '‹' : '⁅')),
    text.toWellFormed(),
  );
}
