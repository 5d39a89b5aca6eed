/** Words and letters that multiply the number before them, as powers of ten. Lower case; `.` is left out. */
const exponents: Readonly<Record<string, number>> = {
  hundred: 2,
  thousand: 3,
  thousands: 3,
  lakh: 5,
  lakhs: 5,
  million: 6,
  millions: 6,
  crore: 7,
  crores: 7,
  billion: 9,
  billions: 9,
  trillion: 12,
  trillions: 12,
  tausend: 3,
  tsd: 3,
  millionen: 6,
  mio: 6,
  milliarde: 9,
  milliarden: 9,
  mrd: 9,
  mille: 3,
  milliard: 9,
  milliards: 9,
  millón: 6,
  millones: 6,
  milione: 6,
  milioni: 6,
  miliardo: 9,
  miliardi: 9,
  milhão: 6,
  milhões: 6,
  bilhão: 9,
  bilhões: 9,
  miljoen: 6,
  miljard: 9,
  тыс: 3,
  тысяч: 3,
  млн: 6,
  миллиона: 6,
  миллионов: 6,
  млрд: 9,
  千: 3,
  万: 4,
  萬: 4,
  만: 4,
  億: 8,
  亿: 8,
  억: 8,
  兆: 12,
  ألف: 3,
  مليون: 6,
  مليار: 9,
  k: 3,
  mn: 6,
  bn: 9,
  tn: 12,
};

/** Capitals alone, or any letter beside a currency: `5m` may be metres, `5M` and `$5m` are millions. */
const letters: Readonly<Record<string, number>> = { m: 6, mm: 6, b: 9, t: 12 };

/** The power of ten that a word after a number stands for; 0 for a word that is no multiplier. */
export function magnitudeOf(word: string, isMoney: boolean): number {
  const lower = word.toLowerCase();
  const isCapital = word !== lower;
  return (
    (Object.hasOwn(exponents, lower) ? exponents[lower] : undefined) ??
    (isMoney || isCapital ? letterOf(lower) : 0)
  );
}

function letterOf(lower: string): number {
  return (Object.hasOwn(letters, lower) ? letters[lower] : undefined) ?? 0;
}
