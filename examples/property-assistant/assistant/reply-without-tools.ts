const declines: { pattern: RegExp; reply: string }[] = [
  {
    pattern: /\b(hide|evade|launder|forge|fake|back-?date|falsif\w+|bribe|cover up)\b/i,
    reply:
      "I can't help with that: records and tax filings have to be true. I can show you what the books say.",
  },
  {
    pattern:
      /\btenants?\b.*\b(name|phone|e-?mail|ssn|bank)\b|\b(name|phone|e-?mail|ssn|bank)\b.*\btenants?\b/i,
    reply:
      "I can't share personal data of a tenant. The property manager holds it and keeps it confidential.",
  },
  {
    pattern: /\b(should (we|i)|can (we|i) (deduct|sue)|is it (legal|deductible)|evict|(legal|tax) advice)\b/i,
    reply:
      "I can't advise on legal or tax decisions; please ask your attorney or CPA. " +
      'I can look up the facts they will need.',
  },
];

const smallTalk: { pattern: RegExp; reply: string }[] = [
  {
    pattern: /\b(what can you do|who are you|what do you do|how can you help|can you help)\b/i,
    reply:
      'I answer questions about Poolula LLC: its properties, transactions, obligations and documents. ' +
      'For instance: "What was our rental income in August 2024?"',
  },
  {
    pattern: /^\s*(hi|hello|hey|good (morning|afternoon|evening))\b/i,
    reply: 'Hello! What would you like to know?',
  },
  { pattern: /^\s*(thanks|thank you|great|bye|goodbye)\b/i, reply: 'You are welcome.' },
];

/** The reply to what needs no look-up: a request to decline, or small talk. Otherwise undefined. */
export function replyWithoutTools(text: string): string | undefined {
  if (text.trim() === '') return 'Please ask a question about the business.';
  return [...declines, ...smallTalk].find(({ pattern }) => pattern.test(text))?.reply;
}
