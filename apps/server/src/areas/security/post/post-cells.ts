import { ALL_WEEKDAYS } from '@tocsin/contract/security/hours'
import { foldName } from '@tocsin/contract/text'
import type { CellReader } from '#areas/files/import/cell-readers'

const MON_TO_FRI = 31
const SAT_AND_SUN = 96
const groups: Readonly<Record<string, number>> = {
  每天: ALL_WEEKDAYS,
  daily: ALL_WEEKDAYS,
  everyday: ALL_WEEKDAYS,
  工作日: MON_TO_FRI,
  weekdays: MON_TO_FRI,
  周末: SAT_AND_SUN,
  weekend: SAT_AND_SUN,
}
const english = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday']

/** 0 is Monday. */
const readDayName = (text: string): number | undefined => {
  const chinese = '一二三四五六日'.indexOf(text.replace(/^周/, '').replace('天', '日'))
  if (/^周?[一二三四五六日天]$/.test(text)) return chinese
  if (/^[1-7]$/.test(text)) return Number(text) - 1
  const at = text.length < 3 ? -1 : english.findIndex((name) => name.startsWith(text))
  return at < 0 ? undefined : at
}

/** Days such as `周一`, `周一-周五`, `周一三五`, `Mon` or `1-5`; a range may pass the end of the week. */
const readDays = (text: string): number | undefined => {
  if (/^(周?[一二三四五六日天])+$/.test(text) && text.length > 1)
    return [...text.matchAll(/周?([一二三四五六日天])/g)].reduce(
      (sum, [day]) => sum | (1 << (readDayName(day) ?? 0)),
      0,
    )
  const [first, last, ...more] = text.split('-').map(readDayName)
  if (first === undefined || more.length > 0) return undefined
  if (!text.includes('-')) return 1 << first
  if (last === undefined) return undefined
  let days = 1 << first
  for (let day = first; day !== last; day = (day + 1) % 7) days |= 1 << ((day + 1) % 7)
  return days
}

/** The days of a post as one number: Monday is bit 0. */
export const readWeekdays: CellReader = (text) => {
  const plain = text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/星期|礼拜/g, '周')
    .replaceAll(/\s*[-–—~至到]\s*/g, '-')
  const group = groups[foldName(plain)]
  if (group !== undefined) return { value: group }
  const parts = plain.split(/[\s、,;/]+/).filter((part) => part !== '')
  const days = parts.map(readDays)
  if (parts.length === 0 || days.includes(undefined)) return { rule: 'format' }
  return { value: days.reduce((sum: number, day) => sum | (day ?? 0), 0) }
}

/** `7:00`, `07:00` or `07:00:00` as a minute of the day, up to the given one. */
export const createMinuteReader =
  (last: number): CellReader =>
  (text) => {
    const [, hours, minutes] = /^(\d{1,2}):([0-5]\d)(?::00)?$/.exec(text.normalize('NFKC').trim()) ?? []
    const minute = Number(hours) * 60 + Number(minutes)
    return minute <= last ? { value: minute } : { rule: 'format' }
  }

/** A number may follow a Chinese name at once; after others, such as `TC-500 2`, something has to part them. */
const counted = /^(.+?)(?:\s*[×*]\s*|\s+|(?<=\p{Script=Han}))(\d{1,3})(?:\s*\/\s*(\d{1,3}))?$/u

/**
 * Pieces such as `盾牌 2、头盔 1/3`: a name with how many there are, or how many are present of how many required. A name
 * alone means one.
 */
export const readEquipment: CellReader = (text) => {
  const parts = text
    .normalize('NFKC')
    .split(/[、,;\n]+/)
    .map((part) => part.trim())
    .filter((part) => part !== '')
  const list = parts.map((part) => {
    const [, name, first = '', second = first] = counted.exec(part) ?? []
    if (name !== undefined) return { name, required: Number(second), present: Number(first) }
    return /[\d/×*]$/.test(part) ? undefined : { name: part, required: 1, present: 1 }
  })
  return list.includes(undefined) ? { rule: 'format' } : { value: list }
}
