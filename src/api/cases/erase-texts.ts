import { type ErasedTexts, planErasure } from '../../erasure/erase-texts.ts';
import type { ErasureChoice } from '../../erasure/find-texts.ts';
import { type StoreChoice, withWritableStore } from '../open-store.ts';

/** The choice of what to erase, and of the store. */
export interface EraseTextsOptions extends StoreChoice, ErasureChoice {
  /** True to look only, and to change nothing. */
  readonly isDry?: boolean;
}

/**
 * Erases the texts of people, or all records that hold a text, as `touchstone erase --yes` does: texts are overwritten with a mark, and
 * scores, verdicts and other numbers stay.
 * @returns The numbers of records, and the lines of golden sets that still hold cases made of them.
 * @throws TouchstoneError for a choice of nothing, a text that is too short, and a run that a process works on.
 */
export async function eraseTexts(options: EraseTextsOptions): Promise<ErasedTexts> {
  return await withWritableStore(options, async (store) => {
    const { erase, ...planned } = await planErasure(store, options);
    return options.isDry === true ? planned : await erase();
  });
}
