/** The licenses that may be passed on in a package under MIT: each asks for no more than its text, which is passed on too. */
const permitted = /^(?:MIT(?:-0)?|ISC|BSD-[23]-Clause|0BSD|Apache-2\.0|Unlicense|CC0-1\.0|BlueOak-1\.0\.0)$/;

/** Returns whether a license may be passed on: of `A OR B` one has to, of `A AND B` both. */
export function isPermitted(license: string): boolean {
  const isOne = (part: string) => permitted.test(part.replaceAll(/[()]/g, '').trim());
  return license.split(' OR ').some((choice) => choice.split(' AND ').every(isOne));
}
