/** Signs, codes and names of currencies in lower case, with one code for each currency. */
const codes: Readonly<Record<string, string>> = {
  $: 'USD',
  us$: 'USD',
  usd: 'USD',
  us: 'USD',
  dollar: 'USD',
  dollars: 'USD',
  '€': 'EUR',
  eur: 'EUR',
  euro: 'EUR',
  euros: 'EUR',
  '£': 'GBP',
  gbp: 'GBP',
  pound: 'GBP',
  pounds: 'GBP',
  // Yen and yuan share a sign.
  '¥': '¥',
  '￥': '¥',
  jpy: 'JPY',
  yen: 'JPY',
  円: 'JPY',
  cny: 'CNY',
  rmb: 'CNY',
  yuan: 'CNY',
  元: 'CNY',
  '₹': 'INR',
  inr: 'INR',
  rs: 'INR',
  rupee: 'INR',
  rupees: 'INR',
  '₩': 'KRW',
  krw: 'KRW',
  won: 'KRW',
  원: 'KRW',
  '₽': 'RUB',
  rub: 'RUB',
  ruble: 'RUB',
  rubles: 'RUB',
  '₺': 'TRY',
  try: 'TRY',
  lira: 'TRY',
  '₪': 'ILS',
  shekel: 'ILS',
  shekels: 'ILS',
  '₫': 'VND',
  '฿': 'THB',
  baht: 'THB',
  '₴': 'UAH',
  '₦': 'NGN',
  chf: 'CHF',
  franc: 'CHF',
  francs: 'CHF',
  franken: 'CHF',
  rappen: 'CHF',
  c$: 'CAD',
  ca$: 'CAD',
  cad: 'CAD',
  a$: 'AUD',
  au$: 'AUD',
  aud: 'AUD',
  nz$: 'NZD',
  nzd: 'NZD',
  sek: 'SEK',
  kronor: 'SEK',
  nok: 'NOK',
  dkk: 'DKK',
  pln: 'PLN',
  zł: 'PLN',
  r$: 'BRL',
  brl: 'BRL',
  reais: 'BRL',
  mx$: 'MXN',
  mxn: 'MXN',
  peso: 'peso',
  pesos: 'peso',
  zar: 'ZAR',
  rand: 'ZAR',
  hk$: 'HKD',
  hkd: 'HKD',
  s$: 'SGD',
  sg$: 'SGD',
  sgd: 'SGD',
  nt$: 'TWD',
  bucks: 'USD',
  // A hundredth of a dollar, a euro or another money.
  '¢': 'cent',
  cent: 'cent',
  cents: 'cent',
  centime: 'cent',
  centimes: 'cent',
  céntimo: 'cent',
  céntimos: 'cent',
  pence: 'GBP',
  penny: 'GBP',
};

/** Signs and names of money that several currencies have. */
const shared: Readonly<Record<string, readonly string[]>> = {
  '¥': ['JPY', 'CNY'],
  peso: ['MXN'],
  cent: ['USD', 'EUR', 'CAD', 'AUD', 'NZD', 'HKD', 'SGD', 'CHF', 'ZAR'],
};

/** Returns whether two codes of `currencyOf` can mean the same money; one that is not named can be any. */
export function areSameCurrencies(first: string | undefined, second: string | undefined): boolean {
  if (first === undefined || second === undefined || first === second) return true;
  return shared[first]?.includes(second) === true || shared[second]?.includes(first) === true;
}

const minor = /^(?:¢|cents?|centimes?|céntimos?|pence|penny|rappen)$/i;

/** Returns whether a sign or name means the hundredth part of its currency. */
export function isMinorCurrency(written: string): boolean {
  return minor.test(written.trim());
}

/** Countries before a name of money: `20 Canadian dollars`. */
const nations: Readonly<Record<string, string>> = {
  us: 'USD',
  american: 'USD',
  canadian: 'CAD',
  australian: 'AUD',
  'new zealand': 'NZD',
  'hong kong': 'HKD',
  singapore: 'SGD',
  british: 'GBP',
  swiss: 'CHF',
  japanese: 'JPY',
  chinese: 'CNY',
  indian: 'INR',
  mexican: 'MXN',
  brazilian: 'BRL',
  'south korean': 'KRW',
};
const nation = new RegExp(String.raw`^(${Object.keys(nations).join('|')}) \p{L}+$`, 'u');

/** Returns the code of a currency from its sign, code or name; the sign itself when its code is not known. */
export function currencyOf(written: string): string {
  const name = written.trim().replace(/[.,]$/, '').toLowerCase();
  const country = nation.exec(name)?.[1];
  if (country !== undefined) return nations[country] ?? name;
  return (Object.hasOwn(codes, name) ? codes[name] : undefined) ?? name;
}

/** Returns the code of a currency whose name is a word, such as `dollars`; undefined for any other word. */
export function currencyNamed(word: string): string | undefined {
  return /^\p{L}{3,}$/u.test(word) && Object.hasOwn(codes, word) ? codes[word] : undefined;
}

// The Korean won is a word of English too: `In 2014 Germany won`.
const won = String.raw`(?<=(?:,\d{3}|\d{5}|illion) ?)won`;

/** A currency after a number; its sign may also belong to the next number. */
export const currencyNames = String.raw`\p{Sc}(?!\s?\d)|[円元원]|(?:(?:${Object.keys(nations).join('|')}) (?:dollars?|pounds?|francs?|yen|yuan|rupees?|pesos?|reais|won)|USD|EUR|GBP|JPY|CNY|RMB|INR|KRW|RUB|CHF|CAD|AUD|NZD|SEK|NOK|DKK|PLN|BRL|MXN|ZAR|HKD|SGD|zł|dollars?|bucks|euros?|pounds?|yen|yuan|rupees?|rubles?|francs?|Franken|pesos?|reais|kronor|baht|shekels?|lira|rand|${won}|cents?|centimes?|céntimos?|pence|penny|Rappen)(?![\p{L}\p{N}])`;

const named = new RegExp(String.raw`[\s-]?(${currencyNames})`, 'iuy');
const nextWord = /[\s-]?(\p{L}+|\p{Sc})/uy;
/** The first words of what `currencyNames` finds, in small letters. */
const firstWords = new Set([
  ...Object.keys(codes),
  ...Object.keys(nations).map((name) => name.split(' ')[0] ?? ''),
]);

/** Finds a currency behind a number that ends at a place: `dollars`, `€`. */
export function findCurrency(text: string, place: number): string | undefined {
  nextWord.lastIndex = place;
  const word = nextWord.exec(text)?.[1];
  // Most words behind numbers are no money.
  if (word === undefined || (/^\p{L}{2}/u.test(word) && !firstWords.has(word.toLowerCase())))
    return undefined;
  named.lastIndex = place;
  return named.exec(text)?.[1];
}
