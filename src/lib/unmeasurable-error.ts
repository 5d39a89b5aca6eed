/** Why a text cannot be measured within bounds; the code of the verdict, which is failed. */
export type UnmeasurableCode = 'pattern-too-slow' | 'too-long';

/** Thrown where measuring a text would take longer than anything here may take. It says nothing against the text. */
export class UnmeasurableError extends Error {
  override readonly name = 'UnmeasurableError';
  readonly code: UnmeasurableCode;

  constructor(code: UnmeasurableCode, reason: string) {
    super(reason);
    this.code = code;
  }
}
