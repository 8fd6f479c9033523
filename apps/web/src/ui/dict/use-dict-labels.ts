import type { DictEntry } from '@tocsin/contract/settings/dict'
import { useDict } from '#api/dictionary.ts'
import { useLang } from '#texts/i18n.ts'

const inEnglish = (entry: DictEntry): DictEntry => ({ ...entry, label: entry.labelEn ?? entry.label })

/** The enabled entries of a dictionary, labelled in the language of the screen. */
export const useDictLabels = (dictType: string): readonly DictEntry[] => {
  const entries = useDict(dictType)
  return useLang() === 'en' ? entries.map(inEnglish) : entries
}
