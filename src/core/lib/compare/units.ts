/** A unit of measurement: what it measures, and how much of the base unit it is, as a fraction of whole numbers. */
export interface Unit {
  /** The name by which a report calls it. */
  readonly name: string;
  /** Units that can be converted into each other have the same dimension. */
  readonly dimension: string;
  readonly factor: readonly [numerator: bigint, denominator: bigint];
  /** The number that is added before that, for the units of temperature. */
  readonly offset?: readonly [numerator: bigint, denominator: bigint];
}

const prefixes: Readonly<Record<string, number>> = {
  n: -9,
  µ: -6,
  μ: -6,
  u: -6,
  m: -3,
  c: -2,
  d: -1,
  k: 3,
  K: 3,
  M: 6,
  G: 9,
  T: 12,
};

/** Base units with the prefixes that are used with them. */
const prefixed: readonly (readonly [symbol: string, dimension: string, prefixes: string])[] = [
  ['m', 'length', 'nµμumcdk'],
  ['g', 'mass', 'nµμumk'],
  ['L', 'volume', 'µμumcd'],
  ['l', 'volume', 'µμumcd'],
  ['s', 'time', 'nµμum'],
  ['B', 'bytes', 'kKMGT'],
  ['b', 'bits', 'kKMGT'],
  ['bit', 'bits', 'kKMGT'],
  ['A', 'current', 'µμmk'],
  ['V', 'voltage', 'µμmkM'],
  ['W', 'power', 'µμmkMGT'],
  ['Wh', 'energy of watts', 'mkMGT'],
  ['Ah', 'charge', 'm'],
  ['Hz', 'frequency', 'kMGT'],
  ['Pa', 'pressure', 'kMG'],
  ['J', 'energy', 'mkMG'],
  ['N', 'force', 'mkM'],
  ['Ω', 'resistance', 'mkM'],
  ['F', 'capacity', 'nµμum'],
  ['mol', 'amount', 'mµμ'],
  ['cal', 'heat', 'k'],
];

/** Names and other symbols: the base is given where a unit can be converted. */
const named: readonly (readonly [
  names: string,
  dimension: string,
  numerator: number,
  denominator?: number,
])[] = [
  ['nanometer nanometers nanometre nanometres', 'length', 1, 1_000_000_000],
  ['micrometer micrometers micron microns', 'length', 1, 1_000_000],
  ['millimeter millimeters millimetre millimetres', 'length', 1, 1000],
  ['centimeter centimeters centimetre centimetres', 'length', 1, 100],
  ['meter meters metre metres', 'length', 1],
  ['kilometer kilometers kilometre kilometres', 'length', 1000],
  ['in inch inches', 'length', 254, 10_000],
  ['ft foot feet', 'length', 3048, 10_000],
  ['yd yard yards', 'length', 9144, 10_000],
  ['mi mile miles', 'length', 1_609_344, 1000],
  ['microgram micrograms mcg', 'mass', 1, 1_000_000],
  ['milligram milligrams', 'mass', 1, 1000],
  ['gram grams gramme grammes', 'mass', 1],
  ['kilogram kilograms kilo kilos', 'mass', 1000],
  ['t ton tons tonne tonnes', 'mass', 1_000_000],
  ['lb lbs', 'mass', 45_359_237, 100_000],
  ['oz ounce ounces', 'mass', 28_349_523_125, 1_000_000_000],
  ['milliliter milliliters millilitre millilitres', 'volume', 1, 1000],
  ['liter liters litre litres', 'volume', 1],
  ['gal gallon gallons', 'gallons', 1],
  ['tsp teaspoon teaspoons', 'spoons', 1],
  ['tbsp tbsps tablespoon tablespoons', 'spoons', 3],
  ['cup cups', 'cups', 1],
  ['m^3 m3', 'volume', 1000],
  ['cm^3 cm3', 'volume', 1, 1000],
  ['millisecond milliseconds', 'time', 1, 1000],
  ['sec secs second seconds sekunde sekunden', 'time', 1],
  ['min mins minute minutes minuten', 'time', 60],
  ['h hr hrs hour hours stunde stunden', 'time', 3600],
  ['day days tag tage tagen', 'time', 86_400],
  ['week weeks woche wochen', 'time', 604_800],
  ['fortnight fortnights', 'time', 1_209_600],
  ['month months mo monat monate monaten', 'months', 1],
  ['year years yr yrs jahr jahre jahren', 'months', 12],
  ['bits', 'bits', 1],
  ['kilobit kilobits', 'bits', 1000],
  ['megabit megabits', 'bits', 1_000_000],
  ['gigabit gigabits', 'bits', 1_000_000_000],
  ['byte bytes', 'bytes', 1],
  ['kilobyte kilobytes', 'bytes', 1000],
  ['megabyte megabytes', 'bytes', 1_000_000],
  ['gigabyte gigabytes', 'bytes', 1_000_000_000],
  ['terabyte terabytes', 'bytes', 1_000_000_000_000],
  ['kib', 'bytes', 1024],
  ['mib', 'bytes', 1_048_576],
  ['gib', 'bytes', 1_073_741_824],
  ['mbps', 'bits a second', 1_000_000],
  ['gbps', 'bits a second', 1_000_000_000],
  ['volt volts', 'voltage', 1],
  ['watt watts', 'power', 1],
  ['kilowatt kilowatts', 'power', 1000],
  ['hertz', 'frequency', 1],
  ['amp amps ampere amperes', 'current', 1],
  ['calorie calories', 'heat', 1],
  ['kmh kph km/h', 'speed', 1000, 3600],
  ['mph mi/h', 'speed', 1_609_344, 3_600_000],
  ['m/s', 'speed', 1],
  ['kelvin', 'temperature', 1],
  ['°', 'angle', 1],
  ['m^2 m2 sqm', 'area', 1],
  ['cm^2 cm2', 'area', 1, 10_000],
  ['km^2 km2', 'area', 1_000_000],
  ['sqft ft^2 ft2', 'area in square feet', 1],
  ['ha hectare hectares', 'area', 10_000],
  ['acre acres', 'acres', 1],
  ['px pixel pixels', 'pixels', 1],
  ['rpm', 'turns', 1],
  ['fps', 'frames', 1],
  ['ppm', 'parts', 1],
  ['bar', 'pressure', 100_000],
  ['psi', 'pressure in psi', 1],
];

/** Symbols, whose case has a meaning: mW and MW. */
const symbols = new Map<string, Unit>();
/** Names, in lower case. */
const names = new Map<string, Unit>();

for (const [symbol, dimension, allowed] of prefixed) {
  symbols.set(symbol, { name: symbol, dimension, factor: [1n, 1n] });
  for (const prefix of allowed) {
    const power = prefixes[prefix] ?? 0;
    const size = 10n ** BigInt(Math.abs(power));
    const name = `${prefix}${symbol}`;
    symbols.set(name, { name, dimension, factor: power < 0 ? [1n, size] : [size, 1n] });
  }
}
for (const [list, dimension, numerator, denominator = 1] of named) {
  for (const name of list.split(' ')) {
    names.set(name, { name, dimension, factor: [BigInt(numerator), BigInt(denominator)] });
  }
}

for (const [list, offset, factor] of [
  ['°c celsius', [27_315n, 100n], [1n, 1n]],
  ['°f fahrenheit', [45_967n, 100n], [5n, 9n]],
] as const) {
  for (const name of list.split(' ')) names.set(name, { name, dimension: 'temperature', factor, offset });
}

const perTime: Readonly<Record<string, string>> = { length: 'speed', bits: 'bits a second' };

/** Returns a length or a number of bits in a time as the unit that it is: `kilometers per hour` is `km/h`; undefined for other rates. */
export function unitOfRate(unit: Unit | undefined, per: string): Unit | undefined {
  const time = unitOf(per);
  const dimension = unit === undefined ? undefined : perTime[unit.dimension];
  if (unit === undefined || dimension === undefined || time?.dimension !== 'time') return undefined;
  const factor = [unit.factor[0] * time.factor[1], unit.factor[1] * time.factor[0]] as const;
  return { name: `${unit.name}/${time.name}`, dimension, factor };
}

/** Returns the unit that a word after a number is; undefined for any other word, such as `apples`. */
export function unitOf(word: string): Unit | undefined {
  return symbols.get(word) ?? names.get(word.toLowerCase());
}

/** The units that a quantity can be given for: dollars a month, sheets a minute. */
export function rateOf(word: string): string | undefined {
  const unit = word.length < 2 && word !== 'h' && word !== 's' ? undefined : unitOf(word);
  if (unit !== undefined) return `${unit.dimension} ${unit.factor.join('/')}`;
  return rates.has(word.toLowerCase()) ? word.toLowerCase().replace(/s$/, '') : undefined;
}

const rates = new Set('person people user users seat unit item night room piece head capita'.split(' '));
