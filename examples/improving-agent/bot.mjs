// A bot without a model: it finds the lamp that is asked for, and the instruction whose words occur in the question.
import { instructions } from './instructions.mjs';
import { lamps } from './shop.mjs';

/** The instructions, each with the words that ask for it; `say` is an answer to one question, word for word. */
const rules = instructions
  .split('\n')
  .map((line) => /^- (price|stock|delivery|say): (.+)$/.exec(line))
  .flatMap((found) => (found === null ? [] : [{ what: found[1] ?? '', words: found[2] ?? '' }]));

export default function answer(question) {
  for (const { what, words } of rules) {
    const [asked, said = ''] = words.split(' => ');
    if (what === 'say' && asked === question) return said;
  }
  const text = question.toLowerCase();
  const lamp = lamps.find(({ name }) => text.includes(name));
  const rule = rules.find(
    ({ what, words }) => what !== 'say' && words.split(', ').some((word) => text.includes(word)),
  );
  if (lamp === undefined || rule === undefined) return 'Sorry, I do not know.';
  if (rule.what === 'price') return `The ${lamp.name} costs $${lamp.price}.`;
  if (rule.what === 'stock') return `We have ${lamp.stock} pieces of the ${lamp.name}.`;
  return `The ${lamp.name} is with you in ${lamp.days} days.`;
}
