import type { DictTypeRow } from '@tocsin/contract/settings/dict'
import { useLang } from '#texts/i18n.ts'

type Named = Pick<DictTypeRow, 'name' | 'nameEn'>

/** The name of a dictionary in the language of the screen. */
export const useDictName = () => {
  const lang = useLang()
  return ({ name, nameEn }: Named) => (lang === 'en' ? (nameEn ?? name) : name)
}
