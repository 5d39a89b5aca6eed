/** Decides which words count as the same, for the router and for the search alike. */
export interface Lexicon {
  normalize(word: string): string;
}

/** Every word stands for itself. */
export const exactWords: Lexicon = { normalize: (word) => word };

/** Words that share a stem or that business users mix are the same. */
export const relatedWords: Lexicon = { normalize: (word) => stem(synonyms[word] ?? word) };

const synonyms: Record<string, string> = {
  revenue: 'income',
  earnings: 'income',
  earn: 'income',
  earned: 'income',
  insurer: 'insurance',
  premium: 'insurance',
  premiums: 'insurance',
  contract: 'agreement',
  owner: 'member',
  owners: 'members',
  owns: 'member',
  ownership: 'members',
  share: 'interest',
  shares: 'interests',
  bought: 'purchase',
  buy: 'purchase',
  acquired: 'purchase',
  home: 'house',
  deadline: 'due',
  deadlines: 'due',
  expires: 'due',
  expire: 'due',
  spend: 'expense',
  spent: 'expense',
  spending: 'expense',
  costs: 'expenses',
  fee: 'expense',
  fees: 'expenses',
  lawyer: 'attorney',
  accountant: 'cpa',
  leave: 'transfer',
  sell: 'transfer',
  money: 'capital',
  profit: 'net',
};

const suffixes = [
  'ations',
  'ation',
  'ions',
  'ion',
  'ments',
  'ment',
  'ings',
  'ing',
  'ers',
  'er',
  'ed',
  'al',
  'es',
  's',
];

function stem(word: string): string {
  if (/\d/.test(word) || word.length < 4) return word;
  if (word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  const suffix = suffixes.find((ending) => word.endsWith(ending) && word.length - ending.length >= 3);
  return word.slice(0, word.length - (suffix?.length ?? 0)).replace(/e$/, '');
}
