/** Signs, codes and names of currencies in lower case, with one code for each currency. */
const codes: Readonly<Record<string, string>> = {
  $: 'USD',
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
  원: 'KRW',
  '₽': 'RUB',
  rub: 'RUB',
  '₺': 'TRY',
  try: 'TRY',
  '₪': 'ILS',
  '₫': 'VND',
  '฿': 'THB',
  '₴': 'UAH',
  '₦': 'NGN',
  chf: 'CHF',
  cad: 'CAD',
  aud: 'AUD',
  nzd: 'NZD',
  sek: 'SEK',
  nok: 'NOK',
  dkk: 'DKK',
  pln: 'PLN',
  zł: 'PLN',
  brl: 'BRL',
  mxn: 'MXN',
  zar: 'ZAR',
  hkd: 'HKD',
  sgd: 'SGD',
};

/** Letters before a dollar sign that make it another dollar. */
const dollars: Readonly<Record<string, string>> = {
  US: 'USD',
  A: 'AUD',
  AU: 'AUD',
  C: 'CAD',
  CA: 'CAD',
  NZ: 'NZD',
  HK: 'HKD',
  S: 'SGD',
  SG: 'SGD',
  MX: 'MXN',
  R: 'BRL',
  NT: 'TWD',
};

/** Returns the code of a currency from its sign, code or name; the sign itself when its code is not known. */
export function currencyOf(written: string, before = ''): string {
  const name = written.trim().replace(/[.,]$/, '').toLowerCase();
  const dollar = name === '$' ? /(?<!\p{L})[A-Z]{1,2}$/u.exec(before)?.[0] : undefined;
  if (dollar !== undefined && Object.hasOwn(dollars, dollar)) return dollars[dollar] ?? name;
  return (Object.hasOwn(codes, name) ? codes[name] : undefined) ?? name;
}

/** A currency after a number; its sign may also belong to the next number. */
export const currencyNames = String.raw`\p{Sc}(?!\s?\d)|[円元원]|(?:USD|EUR|GBP|JPY|CNY|RMB|INR|KRW|RUB|CHF|CAD|AUD|NZD|SEK|NOK|DKK|PLN|BRL|MXN|ZAR|HKD|SGD|zł|dollars?|euros?|pounds?|yen|yuan|rupees?)(?![\p{L}\p{N}])`;
