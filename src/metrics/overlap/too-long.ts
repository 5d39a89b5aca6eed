import { UnmeasurableError } from '../../lib/unmeasurable-error.ts';

/** Says that an answer is not compared with what was expected, since every part of one would be held against every part of the other. */
export function tooLong(given: number, wanted: number, unit: 'characters' | 'words'): UnmeasurableError {
  const lengths = [given, wanted].map((length) => length.toLocaleString('en')).join(' and ');
  return new UnmeasurableError('too-long', `${lengths} ${unit} are too many to be compared one by one`);
}
