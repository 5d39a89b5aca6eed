import type { SecretRedactor } from '../../lib/redact-secrets.ts';
import type { JudgeQuestion } from '../judge.ts';

/** The question without secrets in its material, as it may be sent and kept. */
export function withoutSecrets(question: JudgeQuestion, { text }: SecretRedactor): JudgeQuestion {
  const material = question.material.map((part) => ({ ...part, text: text(part.text) }));
  return { ...question, material };
}
