import { parseJson } from '../../../../src/core/lib/json/parse-json.ts';
import { FailedRequest } from '../data-source.ts';

/** The answers of a server that are inside of a file. */
export interface EmbeddedAnswers {
  readonly paths: readonly string[];
  has(path: string): boolean;
  /** Returns an answer by its path. Throws a {@link FailedRequest} for one that is not in the file. */
  read(path: string): unknown;
}

/** Finds the answers in a document. */
export function findAnswers(document: Document): EmbeddedAnswers {
  const answers = new Map(
    Array.from(document.querySelectorAll<HTMLScriptElement>('script[data-answer]'), (element) => [
      element.dataset['answer'] ?? '',
      element,
    ]),
  );
  return {
    paths: [...answers.keys()],
    has: (path) => answers.has(path),
    read: (path) => {
      const answer = answers.get(path);
      if (answer === undefined) throw missingAnswer(path);
      return parseJson(answer.text);
    },
  };
}

/** Creates the failure of a request for what is not in a file. */
export function missingAnswer(path: string): FailedRequest {
  return new FailedRequest({
    code: 'address-unknown',
    message: `The report does not contain ${path}.`,
    remedy: 'Open the run with `touchstone view` to see everything.',
  });
}
