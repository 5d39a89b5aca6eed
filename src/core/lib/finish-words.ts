/** The words of model servers for the reasons that all of them have, in lower case and with dashes. */
const standardWords: ReadonlyMap<string, string> = new Map(
  Object.entries({
    stop: ['stop', 'end-turn', 'stop-sequence', 'eos', 'eos-token', 'completed'],
    length: ['length', 'max-tokens', 'max-output-tokens', 'model-context-window-exceeded', 'token-limit'],
    'tool-calls': ['tool-calls', 'tool-call', 'tool-use', 'function-call'],
    'content-filter': [
      'content-filter',
      'content-filtered',
      'content-policy-violation',
      'responsibleaipolicyviolation',
      'safety',
      'image-safety',
      'refusal',
      'refused',
      'recitation',
      'blocklist',
      'prohibited-content',
      'spii',
      'model-armor',
      'guardrail-intervened',
      'blocked',
      'error-toxic',
    ],
  }).flatMap(([reason, words]) => words.map((word) => [word, reason] as const)),
);

/** Returns the word of a model server for why it stopped in the one form that all share: `stop`, `length`, … */
export function standardFinish(word: string): string {
  const plain = word
    .trim()
    .toLowerCase()
    .replaceAll(/[_\s]+/g, '-');
  return standardWords.get(plain) ?? plain;
}
