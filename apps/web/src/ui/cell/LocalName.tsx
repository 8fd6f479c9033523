import type { Lang } from '@tocsin/contract/field'
import { useLang } from '#texts/i18n.ts'

type Named = { name: string; nameEn?: string | null | undefined }

/** The name in the language of the screen; the Chinese one where there is no other. */
export const localName = ({ name, nameEn }: Named, lang: Lang): string => (lang === 'en' && nameEn) || name

export const LocalName = ({ of }: { of: Named }) => <>{localName(of, useLang())}</>
