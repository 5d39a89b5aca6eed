/** The eight ideas of a first screen, by the words that stand for them. */
export const ideas = {
  question: /\bquestions?\b/i,
  answer: /\bsaid\b|\banswers?\b/,
  passed: /\bpassed\b/,
  failed: /\bfailed\b|\bmissing\b/,
  score: /\d %/,
  'how sure': /\blikely\b|\bhow sure\b/,
  error: /\berrors?\b/,
  'next command': /\btouchstone show\b/,
};

/** The ideas that only the whole report may ask of its reader. */
export const others = {
  grade: /\bgrades?\b/i,
  component: /\bcomponents?\b/i,
  weight: /\bweights?\b/i,
  percentile: /\bp50\b|\bp90\b|\bp99\b/,
  interval: /\bintervals?\b|\[\d/i,
  n: /\bn = /,
  method: /\bmethod\b|student-t|gaffke/,
  category: /\bcategory\b/i,
  metric: /\bmetrics?\b|keywords|tool usage|response quality|error handling/i,
  'required part': /\brequired\b/,
  mean: /\bmeans?\b/i,
  call: /\bcalls?\b/i,
  retry: /\bretries\b/,
  token: /\btokens?\b/,
  cost: /\bcost not\b/,
  latency: /\blatency\b/,
  'worst case': /worst case|best case/,
  trial: /\btrials?\b/i,
  contradiction: /contradict/i,
  certificate: /certificate/i,
  verdict: /\bverdict/i,
  coverage: /coverage/i,
};

/** Returns the ideas that a text has. */
export const meetsIn = (text: string, known: Readonly<Record<string, RegExp>>) =>
  Object.keys(known).filter((idea) => known[idea]?.test(text) === true);
