import { useQuery } from '@tanstack/react-query'
import { depts } from '@tocsin/contract/access/dept'
import { menus } from '@tocsin/contract/access/rights/menu'
import { roles } from '@tocsin/contract/access/rights/role'
import { inlineQuery } from '#api/query.ts'
import { useLang } from '#texts/i18n.ts'

type Kind = 'dept' | 'menu' | 'role'

const kinds: Record<string, Kind> = {
  deptId: 'dept',
  deptIds: 'dept',
  dataScopeDeptIds: 'dept',
  policeDeptId: 'dept',
  menuIds: 'menu',
  roleIds: 'role',
}

/** The entity whose ids a column has; undefined when it has no ids with names here. */
const kindOf = (subject: string | null, key: string): Kind | undefined => {
  if (key === 'parentId') return subject === 'dept' || subject === 'menu' ? subject : undefined
  return kinds[key]
}

type Entry = { id: number; parentId: number | null; name: string; nameEn: string }

/** Buttons of many entries have the same name: each is shown with its parent. */
const whole = (entries: readonly Entry[], lang: string): [number, string][] => {
  const nameOf = ({ name, nameEn }: Entry) => (lang === 'en' ? nameEn : name)
  const known = new Map(entries.map((entry) => [entry.id, entry]))
  return entries.map((entry) => {
    const above = entry.parentId === null ? undefined : known.get(entry.parentId)
    return [entry.id, above ? `${nameOf(above)} / ${nameOf(entry)}` : nameOf(entry)]
  })
}

const named = (rows: readonly { id: number; name: string }[] = []) => new Map(rows.map(({ id, name }) => [id, name]))

/**
 * The present names of the ids in these columns, as far as the reader may see them; the log itself has only ids.
 * Requests only the needed names.
 */
export const useIdNames = (subject: string | null, keys: readonly string[]) => {
  const lang = useLang()
  const wants = (kind: Kind) => keys.some((key) => kindOf(subject, key) === kind)
  const options = { staleTime: 60_000 }
  const dept = useQuery({ ...inlineQuery(depts.simpleList), ...options, enabled: wants('dept') })
  const menu = useQuery({ ...inlineQuery(menus.simpleList), ...options, enabled: wants('menu') })
  const role = useQuery({ ...inlineQuery(roles.simpleList), ...options, enabled: wants('role') })
  const names = {
    dept: named(dept.data),
    menu: new Map(whole(menu.data ?? [], lang)),
    role: named(role.data),
  }
  return (key: string, id: number): string | undefined => {
    const kind = kindOf(subject, key)
    return kind && names[kind].get(id)
  }
}
