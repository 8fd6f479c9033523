import { pinyin } from 'pinyin-pro'

/** Names change seldom and are asked for at each key. */
const MAX_KNOWN = 100_000
const known = new Map<string, string>()

/** The first letters of a name as they are typed: 东湖第一小学A栋 is dhdyxxad. */
export const toInitials = (name: string): string => {
  const found = known.get(name)
  if (found !== undefined) return found
  const letters = pinyin(name, { pattern: 'first', toneType: 'none', type: 'array', nonZh: 'consecutive' })
  const initials = letters.join('').toLowerCase().replaceAll(/\s/g, '')
  if (known.size >= MAX_KNOWN) known.clear()
  known.set(name, initials)
  return initials
}

/** Only letters and digits can be initials. */
export const isInitials = (keyword: string): boolean => /^[a-z0-9]{2,}$/i.test(keyword)
