import { formatDate } from '../format-value.ts';
import type { Skill } from '../skill.ts';

const types: Record<string, string[]> = {
  insurance: ['insurance'],
  formation: ['formation'],
  governance: ['governance'],
  contract: ['contracts', 'contract'],
  tax: ['tax'],
  property: ['property documents'],
};

/** Lists the documents on file, all or those of one type. */
export const documentList: Skill = {
  name: 'document-list',
  signals: [
    ['documents', 3],
    ['files', 2],
    ['paperwork', 2],
    ['on file', 2],
    ['documents do we have', 2],
    ['list', 1],
    ['show', 1],
  ],
  async answer(question, toolbox) {
    const type = Object.keys(types).find((name) => question.hasAny(types[name] ?? []));
    const documents = await toolbox.list(type === undefined ? {} : { type });
    const lines = documents.map((document) => `- ${document.title} (${formatDate(document.dated)})`);
    return [`There are ${documents.length} ${type ?? 'business'} documents on file:`, ...lines].join('\n');
  },
};
