import type { Permission } from '../../../src/core/schema/account/rights.ts';
import { rightsSchema } from '../../../src/core/schema/api/acting/rights.ts';
import { useData } from './data-source.ts';
import { useAnswer } from './use-answer.ts';

/** The rights of the person at this page. */
interface PersonRights {
  /** Returns whether something may be done. Until the server has said so, and in a file, nothing may. */
  may(permission: Permission): boolean;
  /** True where questions can be asked again from the page. */
  readonly canAsk: boolean;
  /** True where questions can be edited in their files. */
  readonly canEditFiles: boolean;
  /** The name under which the person acts; undefined when it is not known. */
  readonly person: string | undefined;
  /** False until the server has answered. */
  readonly isKnown: boolean;
}

/** Asks once what the person at this page may do. */
export function useRights(): PersonRights {
  const source = useData();
  const { data } = useAnswer('/rights', rightsSchema, {
    isLasting: true,
    isEnabled: source.isFile !== true,
  });
  return {
    may: (permission) => data?.may.includes(permission) === true,
    canAsk: data?.canAsk === true,
    canEditFiles: data?.canEditFiles === true,
    person: data?.person,
    isKnown: data !== undefined,
  };
}
